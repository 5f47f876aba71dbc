from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.parsing import Insertion, link_triplets, parsing, parsing_report
from anaphora.evaluate.metrics.scores import Overlap

GOLD: list[Insertion] = [(0, 2, 4), (3, 7, 7)]
PREDICTED: list[Insertion] = [(0, 2, 5), (3, 7, 7), (4, 2, 4)]

insertions = st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=6)


def test_links_count_apart_and_triplets_whole() -> None:
    # Right: place 0 with first word 2, span 2-4 (though for another place), and all of the second.
    assert parsing(PREDICTED, GOLD) == Overlap(4, 6, 4)
    assert link_triplets(PREDICTED, GOLD) == Overlap(1, 3, 2)


def test_a_place_and_a_span_of_the_same_numbers_are_different_links() -> None:
    assert parsing([(2, 4, 9)], [(0, 2, 4)]).matched == 0


def test_a_report_adds_up_the_links_of_all_turns() -> None:
    report = parsing_report([PREDICTED, []], [GOLD, [(1, 2, 2)]])
    assert report == {
        "PP": 4 / 6, "PR": 4 / 6, "PF": 4 / 6, "TP": 1 / 3, "TR": 1 / 3, "TF": 1 / 3,
    }  # fmt: skip


def test_f_as_in_table_6() -> None:
    counts = Overlap(768 * 826, 768 * 1000, 826 * 1000)
    assert (counts.precision, counts.recall) == (0.826, 0.768)
    assert round(100 * (counts.f1 or 0), 1) == 79.6


def test_no_links_at_all() -> None:
    assert set(parsing_report([[]], [[]]).values()) == {None}
    with pytest.raises(ValueError, match="zip"):
        parsing_report([[]], [])


@given(insertions, insertions)
def test_a_right_triplet_is_two_right_links(mine: list[Insertion], gold: list[Insertion]) -> None:
    whole, parts = link_triplets(mine, gold), parsing(mine, gold)
    assert (whole.matched > 0) <= (parts.matched > 1)
    assert parsing(gold, gold).matched == parsing(gold, gold).reference
