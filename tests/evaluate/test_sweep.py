"""The regions of the paper's Figure 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.breakdown import Threshold, TurnScores, breakdown
from anaphora.evaluate.sweep import STEPS, sweep

SCORE = st.one_of(st.floats(0, 1), st.sampled_from(STEPS))


def test_the_thresholds_are_exact_decimals():
    assert tuple(float(f"{n * 2 // 100}.{n * 2 % 100:02}") for n in range(51)) == STEPS
    assert repr(STEPS[7]) == "0.14"


def test_each_region():
    turns = [
        TurnScores("qa", 1, 1, 0),
        TurnScores("rewriting", 0, 0, 1),
        TurnScores("rewriting, spoilt", 1, 0, 1),
        TurnScores("with", 0, 1, 1),
        TurnScores("without", 1, 1, 1),
        TurnScores("without up to 0.3", 0.3, 0.3, 0.3),
    ]
    swept = sweep(turns)
    assert swept.turns == 6
    assert list(swept.regions) == [
        "qa_errors",
        "rewriting_errors",
        "right_with_rewriting",
        "right_without_rewriting",
    ]
    at = [tuple(round(shares[n] * 6) for shares in swept.regions.values()) for n in (0, 15, 16, 50)]
    assert at == [(1, 2, 1, 2), (1, 2, 1, 2), (2, 2, 1, 1), (2, 2, 1, 1)]


@given(st.lists(st.tuples(SCORE, SCORE, SCORE), min_size=1, max_size=30))
def test_the_shares_sum_to_one_and_errors_only_grow(scores):
    turns = [TurnScores(str(n), *each) for n, each in enumerate(scores)]
    regions = sweep(turns).regions
    for shares in zip(*regions.values(), strict=True):
        assert sum(shares) == pytest.approx(1)
    assert list(regions["qa_errors"]) == sorted(regions["qa_errors"])
    first, last = (breakdown(turns, Threshold.parse(text)) for text in (">0", "=1"))
    for at, table in ((0, first), (-1, last)):
        assert regions["qa_errors"][at] == table.qa_error_rate
        assert regions["rewriting_errors"][at] == table.rewriting_error_rate


def test_fewer_phrasings_have_fewer_regions():
    swept = sweep([TurnScores("a", 0, 1, None), TurnScores("b", 0, 0, None)])
    assert {name: shares[0] for name, shares in swept.regions.items()} == {
        "errors": 0.5,
        "right_with_rewriting": 0.5,
        "right_without_rewriting": 0,
    }
    swept = sweep([TurnScores("a", None, 1, 1), TurnScores("b", None, 0, 1)])
    assert {name: shares[0] for name, shares in swept.regions.items()} == {
        "qa_errors": 0,
        "rewriting_errors": 0.5,
        "right": 0.5,
    }


@pytest.mark.parametrize("turns", [[], [TurnScores("a", 0, 0, None), TurnScores("b", None, 0, 1)]])
def test_no_turn_to_share_out(turns):
    with pytest.raises(ValueError, match="a sweep needs a turn"):
        sweep(turns)
