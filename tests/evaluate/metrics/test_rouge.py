from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from anaphora.evaluate.metrics.rouge import Kind, Part, rouge, rouge_overlap

# rouge-score 0.1.2, without stemming: precision, recall, F.
PREDICTION = "The band didn't break up in 1969; the singer left the band."
REFERENCE = "In 1969 the singer of the band left, and the band broke up."
EXPECTED = {
    "1": (0.7692, 0.7692, 0.7692),
    "2": (0.4167, 0.4167, 0.4167),
    "L": (0.5385, 0.5385, 0.5385),
}


def every_figure(prediction: str, reference: str) -> dict[Kind, tuple[float | None, ...]]:
    return {
        kind: tuple(rouge(prediction, [reference], "en", kind, part) for part in get_args(Part))
        for kind in get_args(Kind)
    }


def test_english_as_the_library_of_the_field() -> None:
    for kind, figures in every_figure(PREDICTION, REFERENCE).items():
        assert figures == pytest.approx(EXPECTED[kind], abs=5e-5)


ASCII = st.text(st.characters(max_codepoint=126), max_size=40)


@given(ASCII, ASCII.filter(lambda text: sum(map(str.isalnum, text.replace("_", " "))) > 1))
def test_the_library_agrees(prediction: str, reference: str) -> None:
    scorer = RougeScorer(["rouge1", "rougeL"])
    if not any(map(str.isalnum, prediction)):
        return
    theirs = scorer.score(reference, prediction)
    mine = every_figure(prediction, reference)
    assert mine["1"] == pytest.approx(tuple(theirs["rouge1"]))
    assert mine["L"] == pytest.approx(tuple(theirs["rougeL"]))


@pytest.mark.parametrize(
    ("text", "lang"),
    [("عاصمة فرنسا باريس", "ar"), ("法国的首都是巴黎", "zh"), ("Столица Франции", "ru")],
)
def test_identical_strings_that_the_library_gives_0(text: str, lang: str) -> None:
    for kind in get_args(Kind):
        assert rouge(text, [text], lang, kind) == 1.0


def test_recall_of_a_longer_text() -> None:
    assert rouge("日本的首都是东京。", ["东京"], "zh", "1", "recall") == 1.0
    assert rouge("日本的首都是东京。", ["东京"], "zh", "1", "precision") == 0.25


def test_a_text_of_one_word_has_one_bigram_of_its_own() -> None:
    assert rouge("Paris", ["paris!"], "fr", "2") == 1.0
    assert rouge("Paris", ["in Paris"], "fr", "2") == 0.0


def test_what_says_nothing() -> None:
    assert rouge("", ["Paris"], "fr", "L") == 0.0
    assert rouge("", ["Paris"], "fr", "1", "precision") == 0.0
    assert rouge("Paris", [""], "fr", "1") is None
    assert rouge("Paris", ["", "Paris"], "fr", "1") == 1.0


def longest(a: str, b: str) -> int:
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + longest(a[1:], b[1:])
    return max(longest(a[1:], b), longest(a, b[1:]))


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_the_longest_common_subsequence(a: str, b: str) -> None:
    assert rouge_overlap(list(a), list(b), "L").matched == longest(a, b)
