from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.abstention import Operating, abstention, auroc, risk_coverage
from anaphora.evaluate.metrics.scores import Overlap


def test_abstaining_finds_the_unanswerable() -> None:
    counts = abstention([True, True, False, False], [False, True, False, True])
    assert counts == Overlap(1, 2, 2)


def test_auroc() -> None:
    # By hand: 6 of 9 pairs are in order, one is tied.
    answerable = [True, False, True, True, False, False]
    assert auroc([0.9, 0.8, 0.7, 0.3, 0.3, 0.1], answerable) == pytest.approx(6.5 / 9)
    assert auroc([0.5] * 6, answerable) == 0.5


def test_auroc_needs_both_kinds() -> None:
    assert auroc([0.1, 0.9], [True, True]) is None
    assert auroc([], []) is None


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), max_size=12))
def test_auroc_is_the_share_of_pairs_in_order(turns: list[tuple[float, bool]]) -> None:
    pairs = [(a, b) for a, can in turns if can for b, other in turns if not other]
    expected = sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else None
    found = auroc([confidence for confidence, _ in turns], [can for _, can in turns])
    assert found == (None if expected is None else pytest.approx(expected))


def test_risk_and_coverage() -> None:
    points = risk_coverage([0.9, 0.2, 0.5, 0.5, 0.7], [1.0, 0.0, 1.0, 0.0, None])
    assert points == (
        Operating(0.9, 0.25, 0.0),
        Operating(0.5, 0.75, pytest.approx(1 / 3)),
        Operating(0.2, 1.0, 0.5),
    )
    assert risk_coverage([0.9], [None]) == ()


def test_unequal_lists_are_errors() -> None:
    with pytest.raises(ValueError, match="zip"):
        auroc([0.5], [])
