from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.scores import NOTHING, Overlap, best, mean, overlap

WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def test_a_share_of_nothing_is_none() -> None:
    assert (NOTHING.precision, NOTHING.recall, NOTHING.f1) == (None, None, None)
    silent = Overlap(0, 0, 3)
    assert (silent.precision, silent.recall, silent.f1) == (None, 0.0, 0.0)


def test_repeated_things_match_as_often_as_both_have_them() -> None:
    assert overlap("aab", "aaac") == Overlap(2, 3, 4)


@given(WORDS, WORDS)
def test_f1_is_the_harmonic_mean_and_symmetric(a: list[str], b: list[str]) -> None:
    counts = overlap(a, b)
    assert counts.f1 == overlap(b, a).f1
    if counts.precision and counts.recall:
        harmonic = 2 / (1 / counts.precision + 1 / counts.recall)
        assert counts.f1 == pytest.approx(harmonic)


@given(WORDS, WORDS)
def test_counts_add_up(a: list[str], b: list[str]) -> None:
    assert overlap(a, b) + NOTHING == overlap(a, b)
    total = overlap(a, b) + overlap(b, a)
    assert (total.predicted, total.reference) == (len(a) + len(b), len(a) + len(b))


def test_the_best_of_several_references() -> None:
    assert best(lambda gold: overlap("ab", gold).recall, ["cd", "bd"]) == 0.5
    assert best(lambda gold: 1.0, []) is None


def test_what_was_not_measured_leaves_sum_and_count() -> None:
    assert mean([1.0, None, 0.5]) == 0.75
    assert mean([None, None]) is None
    assert mean([]) is None
