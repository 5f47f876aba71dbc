"""Facts at another place of the evidence, and denials."""

from __future__ import annotations

import pytest

from anaphora.check.alignment import Alignment, aligned
from anaphora.records import Claim

DENIED = {
    "ar": ("الجسر مفتوح للمشاة في فصل الشتاء.", "الجسر غير مفتوح للمشاة في فصل الشتاء."),
    "de": ("Die Brücke ist im Winter offen.", "Die Brücke ist im Winter nicht offen."),
    "en": ("The bridge is open in winter.", "The bridge isn't open in winter."),
    "es": ("El puente está abierto en invierno.", "El puente no está abierto en invierno."),
    "fi": ("Silta on talvella auki kaikille.", "Silta ei ole talvella auki kaikille."),
    "fr": ("Le pont est ouvert en hiver.", "Le pont n’est pas ouvert en hiver."),
    "hi": ("पुल सर्दियों में खुला रहता है।", "पुल सर्दियों में खुला नहीं रहता है।"),
    "it": ("Il ponte è aperto in inverno.", "Il ponte non è aperto in inverno."),
    "ja": ("この橋は冬でも渡ることができます。", "この橋は冬には渡ることができません。"),
    "ko": ("이 다리는 겨울에도 건널 수 있다.", "이 다리는 겨울에는 건널 수 없다."),
    "pt": ("A ponte está aberta no inverno.", "A ponte não está aberta no inverno."),
    "ru": ("Мост открыт зимой для пешеходов.", "Мост не открыт зимой для пешеходов."),
    "th": ("สะพานเปิดให้คนข้ามในฤดูหนาว", "สะพานไม่เปิดให้คนข้ามในฤดูหนาว"),
    "tr": ("Köprü kışın yayalara açıktır.", "Köprü kışın yayalara açık değildir."),
    "vi": ("Cây cầu mở cửa vào mùa đông.", "Cây cầu không mở cửa vào mùa đông."),
    "zh": ("这座桥冬天对行人开放。", "这座桥冬天不对行人开放。"),
}
MOVED = {
    "ar": ("بُني الجسر القديم سنة 1887. وطُلي السياج بلون أحمر سنة 1932.",
           "وطُلي السياج بلون أحمر سنة 1887."),
    "en": ("Ada Kay built the mill. It was sold by Eve Lund when the river fell dry.",
           "It was sold by Ada Kay when the river fell dry."),
    "ja": ("水車は1887年に建てられた。川が涸れて1932年に売られた。",
           "川が涸れて1887年に売られた。"),
    "ru": ("Мельницу построил Кай. Когда река пересохла, её продал Лунд.",
           "Когда река пересохла, её продал Кай."),
    "th": ("โรงสีสร้างในปี 1887 จากไม้ ต่อมาแม่น้ำแห้งและขายในปี 1932",
           "โรงสีสร้างในปี 1887 จากไม้"),
    "tr": ("Değirmeni Kaya yaptırdı. Nehir kuruyunca onu Demir sattı.",
           "Nehir kuruyunca onu Kaya sattı."),
    "vi": ("Bà Kay xây cối xay gió. Khi con sông cạn nước, ông Lund đã bán nó.",
           "Khi con sông cạn nước, ông Kay đã bán nó."),
    "zh": ("磨坊建于1887年。河水干涸以后，磨坊在1932年被卖掉。",
           "河水干涸以后，磨坊在1887年被卖掉。"),
}  # fmt: skip


@pytest.mark.parametrize("lang", DENIED)
def test_a_denial_and_its_absence_are_found(lang):
    said, denied = DENIED[lang]
    more, less = aligned(Claim(denied, (said,))), aligned(Claim(said, (denied,)))
    assert more.denied > 0.2
    assert more.affirmed == 0
    assert more.places
    assert less.affirmed > 0.2
    assert less.denied == 0
    for text in (said, denied):
        same = aligned(Claim(text, (text,)))
        assert (same.denied, same.affirmed) == (0, 0)


def test_a_letter_inside_a_hindi_word_is_no_denial():
    found = aligned(Claim("होप हीरा कहाँ से आया?", ("होप हीरा खनिक ने खान से निकाला और बेचा।",)))
    assert (found.denied, found.affirmed) == (0, 0)


@pytest.mark.parametrize("lang", [lang for lang in MOVED if lang != "th"])
def test_a_fact_of_another_sentence_is_found(lang):
    text, statement = MOVED[lang]
    found = aligned(Claim(statement, (text,)))
    assert found.displaced > 0.3
    assert any(statement[start:end] in text for start, end in found.places)


@pytest.mark.parametrize("lang", MOVED)
def test_a_sentence_is_aligned_with_itself(lang):
    text, _ = MOVED[lang]
    assert aligned(Claim(text, (text,))).displaced < 0.25


def test_facts_of_two_texts_are_joined():
    texts = ("The mill was built by Ada Kay in 1887.", "Ada Kay sold the mill to Eve Lund.")
    found = aligned(Claim("The mill that Ada Kay built in 1887 was sold to Eve Lund.", texts))
    assert found.displaced < 0.25


def test_what_is_not_only_so_is_not_denied():
    text = "The mill is old and it is large."
    assert aligned(Claim("The mill is not only old, it is large.", (text,))).denied == 0


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [("", ("It is red.",)), ("It is red.", ()), ("Die Brücke ist nicht offen.", ("桥是开放的。",))],
)
def test_nothing_is_aligned_without_text_in_the_same_language(statement, evidence):
    found = aligned(Claim(statement, evidence))
    assert (found.displaced, found.denied, found.affirmed) == (0, 0, 0)


def test_nothing_is_known_by_default():
    assert Alignment().places == ()
