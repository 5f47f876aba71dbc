from __future__ import annotations

import pytest

from anaphora.evaluate.metrics.restoration import restoration
from anaphora.evaluate.metrics.scores import NOTHING, Overlap

QUESTION = "when did they break up ?"
REFERENCE = "when did the mothers of invention break up ?"


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        # By hand: restored in the reference are "the mothers of invention", in the rewrite
        # "the mothers band".
        (1, Overlap(2, 3, 4)),
        (2, Overlap(2, 4, 5)),
        (3, Overlap(2, 5, 6)),
    ],
)
def test_counts_of_one_turn(n: int, expected: Overlap) -> None:
    rewrite = "when did the mothers band break up ?"
    assert restoration(rewrite, REFERENCE, QUESTION, "en", n) == expected


def test_an_unrewritten_question_restores_nothing() -> None:
    counts = restoration(QUESTION, REFERENCE, QUESTION, "en", 1)
    assert (counts.precision, counts.recall, counts.f1) == (None, 0.0, 0.0)


def test_a_turn_that_leaves_nothing_out_counts_for_nothing() -> None:
    assert restoration("anything else", QUESTION, QUESTION, "en", 1) == NOTHING


def test_texts_shorter_than_n_have_no_ngrams() -> None:
    assert restoration("Zappa ?", "Frank ?", "who ?", "en", 3) == NOTHING


def test_chinese_by_characters() -> None:
    counts = restoration("李文雯是我女朋友", "李文雯是我女朋友", "她是我女朋友", "zh", 1)
    assert counts == Overlap(3, 3, 3)


def test_a_repeated_word_counts_once() -> None:
    assert restoration("paris paris", "paris", "where", "en", 1) == Overlap(1, 1, 1)
