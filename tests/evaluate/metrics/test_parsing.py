from __future__ import annotations

import pytest

from anaphora.evaluate.metrics.parsing import Link, link_triplets, parsing, parsing_report
from anaphora.evaluate.metrics.scores import Overlap

GOLD: list[Link] = [(2, 4, "span"), (4, 9, "insert"), (0, 11, "insert")]
PREDICTED: list[Link] = [(2, 4, "span"), (4, 9, "delete"), (5, 9, "insert"), (0, 1, "span")]


def test_ends_alone_and_with_their_relation() -> None:
    assert parsing(PREDICTED, GOLD) == Overlap(2, 4, 3)
    assert link_triplets(PREDICTED, GOLD) == Overlap(1, 4, 3)


def test_a_report_adds_up_the_links_of_all_turns() -> None:
    report = parsing_report([PREDICTED, []], [GOLD, [(1, 2, "span")]])
    assert report == {
        "PP": 2 / 4, "PR": 2 / 4, "PF": 2 / 4, "TP": 1 / 4, "TR": 1 / 4, "TF": 1 / 4,
    }  # fmt: skip


def test_f_as_in_table_6() -> None:
    counts = Overlap(768 * 826, 768 * 1000, 826 * 1000)
    assert (counts.precision, counts.recall) == (0.826, 0.768)
    assert round(100 * (counts.f1 or 0), 1) == 79.6


def test_no_links_at_all() -> None:
    assert set(parsing_report([[]], [[]]).values()) == {None}
    with pytest.raises(ValueError, match="zip"):
        parsing_report([[]], [])
