"""Answers that state nothing without their question."""

from __future__ import annotations

import pytest

from anaphora.check.answers import answering, is_answer
from anaphora.check.model import shared_model
from anaphora.check.support import SupportChecker
from anaphora.crossencoder.model import shared_crossencoder
from anaphora.records import Claim

BUILT = {
    "ar": ("متى بُني الجسر؟", "بُني الجسر عام 1932. وطُلي بالأحمر عام 1958."),
    "de": ("Wann wurde die Brücke gebaut?",
           "Die Brücke wurde 1932 gebaut. Rot gestrichen wurde sie 1958."),
    "en": ("When was the bridge built?",
           "The bridge was built in 1932. It was painted red in 1958."),
    "ja": ("橋はいつ造られましたか。", "この橋は1932年に造られた。1958年に赤く塗られた。"),
    "ru": ("Когда построили мост?",
           "Мост построили в 1932 году. В 1958 году его выкрасили в красный цвет."),
    "th": ("สะพานสร้างเมื่อใด", "สะพานสร้างในปี 1932 ต่อมาทาสีแดงในปี 1958"),
    "tr": ("Köprü ne zaman yapıldı?", "Köprü 1932'de yapıldı. 1958'de kırmızıya boyandı."),
    "vi": ("Cây cầu được xây khi nào?", "Cây cầu được xây năm 1932. Năm 1958 nó được sơn đỏ."),
    "zh": ("桥是什么时候建成的？", "这座桥于1932年建成。1958年漆成红色。"),
}  # fmt: skip


@pytest.fixture(scope="module")
def checker():
    return SupportChecker(shared_model())


@pytest.mark.parametrize("lang", BUILT)
def test_the_answer_to_another_question_is_less_supported(checker, lang):
    question, text = BUILT[lang]
    right, wrong = checker.check([Claim(year, (text,), question) for year in ("1932", "1958")])
    assert right.supported
    assert right.probability > wrong.probability


def test_a_passage_that_does_not_answer_supports_no_answer(checker):
    claim = Claim("1932", (BUILT["en"][1],), "When did the ferry company go bankrupt?")
    (found,) = checker.check([claim])
    assert not found.supported


@pytest.mark.parametrize("lang", BUILT)
def test_only_what_is_cut_out_or_short_is_an_answer(lang):
    question, text = BUILT[lang]
    assert is_answer(Claim("1932", (text,), question))
    assert not is_answer(Claim("1932", (text,)))
    assert not is_answer(Claim(text, (text,), question))


def test_the_span_with_the_words_of_the_statement_is_scored():
    question, text = BUILT["en"]
    claims = [
        Claim("1932", ("Pears are ripe.", "", text), question),
        Claim("Pears", (text,), question),
    ]
    known, unknown = answering(shared_crossencoder(), claims)
    assert known is not None
    assert known > 0
    assert unknown is None


def test_answers_do_not_depend_on_the_other_claims(checker):
    claims = [Claim("1932", (text,), question) for question, text in BUILT.values()]
    claims[3:3] = [Claim(text, (text,)) for _, text in BUILT.values()]
    assert checker.check(claims) == [checker.check([one])[0] for one in claims]
