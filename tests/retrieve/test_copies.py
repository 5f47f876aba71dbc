"""Near-identical passages among the hits of a query count once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.records import Block, Hit, Passage
from anaphora.retrieve.copies import without_copies

TEXTS = {
    "en": (
        "The red handle opens the gate after {} turns. The water then runs into the upper basin, "
        "and the lamp above the gate shines until the basin is full and the pump has stopped by "
        "itself."
    ),
    "zh": (
        "转动{}圈以后，红色手柄会打开闸门。然后水流进上面的水池，闸门上方的灯一直亮着，直到水池装"
        "满、水泵自动停止为止。"
    ),
    "ja": (
        "赤い取っ手を{}回まわすと水門が開きます。そして水が上の水槽に流れ込み、水槽が満ちてポンプ"
        "が自動的に止まるまで水門の上のランプが光ります。"
    ),
    "th": (
        "เมื่อหมุน {} รอบ คันโยกสีแดงจะเปิดประตูน้ำ จากนั้นน้ำจะไหลลงสู่อ่างด้านบน "
        "และหลอดไฟเหนือประตูจะสว่างจนกว่าอ่างจะเต็มและปั๊มหยุดเอง"
    ),
    "ar": (
        "يفتح المقبض الأحمر البوابة بعد {} دورات. ثم يجري الماء إلى الحوض العلوي، ويضيء المصباح "
        "فوق البوابة حتى يمتلئ الحوض وتتوقف المضخة من تلقاء نفسها في النهاية."
    ),
    "vi": (
        "Tay nắm đỏ mở cửa cống sau {} vòng. Sau đó nước chảy vào bể phía trên, và đèn phía trên "
        "cửa cống sáng cho đến khi bể đầy và máy bơm tự dừng lại."
    ),
    "ru": (
        "Красная ручка открывает затвор после {} оборотов. Затем вода течёт в верхний бассейн, и "
        "лампа над затвором горит, пока бассейн не наполнится и насос не остановится сам по себе."
    ),
    "tr": (
        "Kırmızı kol {} turdan sonra kapağı açar. Ardından su üst havuza akar ve havuz dolup "
        "pompa kendiliğinden durana kadar kapağın üzerindeki lamba yanar, sonra da yavaşça söner."
    ),
}
PAGE, SINGLE, PDF, BOOK = "gate.html", "all.html", "manual.pdf", "manual.epub"
PLACES = {PAGE: "gate", SINGLE: "gate", PDF: "page=7", BOOK: "gate"}


def hit(doc_id, text, heading="Gates", lang="en", number=1):
    place = PLACES.get(doc_id, "")
    blocks = (Block("paragraph", 0, len(text), place=place),)
    passage = Passage(f"{doc_id}#{number}", doc_id, doc_id, text, lang, (heading,), blocks=blocks)
    return Hit(passage, 1.0, 1)


def shown(*hits, k=10):
    found = without_copies(hits, k)
    assert [one.rank for one in found] == [*range(1, len(found) + 1)]
    return [one.passage.passage_id for one in found]


@pytest.mark.parametrize("lang", TEXTS)
def test_a_manual_in_several_formats_counts_once(lang):
    text = TEXTS[lang].format(12)
    copies = [hit(name, text, lang=lang) for name in (PDF, BOOK, PAGE, SINGLE)]
    assert shown(*copies, hit("other.html", "An other text.", lang=lang)) == [
        f"{PAGE}#1",
        "other.html#1",
    ]


@pytest.mark.parametrize("lang", TEXTS)
def test_texts_that_differ_in_a_number_stay(lang):
    versions = [hit(f"{n}/{PAGE}", TEXTS[lang].format(n), lang=lang) for n in (12, 13)]
    assert len(shown(*versions)) == 2


def test_a_copy_that_is_cut_elsewhere_and_is_numbered_otherwise_counts_once():
    text = TEXTS["en"].format(12)
    longer = f"{text} Close the gate again before you leave the house for the night."
    assert shown(hit(PAGE, text, "3.2. Gates"), hit(PDF, longer)) == [f"{PAGE}#1"]
    assert shown(hit(PDF, longer), hit(PAGE, text, "3.2. Gates")) == [f"{PDF}#1"]


def test_a_short_text_means_what_its_heading_says():
    assert len(shown(hit(PAGE, "Default: false", "Colour"), hit(PDF, "Default: false"))) == 2
    assert len(shown(hit(PAGE, "Default: false", "1.1 Gates"), hit(PDF, "Default: false"))) == 1


def test_parts_of_one_document_and_records_are_no_copies():
    text = TEXTS["en"].format(12)
    assert len(shown(hit(PAGE, text), hit(PAGE, text, number=2))) == 2
    records = [Hit(Passage(name, name, "", text, "en"), 1.0, 1) for name in "ab"]
    assert len(shown(*records)) == 2
    assert len(shown(hit(PAGE, text), hit(PDF, text, lang="de"))) == 2


@given(st.lists(st.sampled_from("abc"), max_size=8), st.integers(1, 6))
def test_at_most_k_of_the_first_ones_stay_in_order(names, k):
    hits = [hit(f"{at}.html", f"text {name}") for at, name in enumerate(names)]
    expected = [f"{names.index(name)}.html#1" for name in dict.fromkeys(names)]
    assert shown(*hits, k=k) == expected[:k]
