"""The distribution of errors at every threshold (Figure 1 of Vakulenko et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from anaphora.evaluate.breakdown import Breakdown, Row, Threshold, TurnScores, breakdown, columns

Region = Literal[
    "errors",
    "qa_errors",
    "rewriting_errors",
    "right",
    "right_with_rewriting",
    "right_without_rewriting",
]

STEPS: Final = tuple(step / 50 for step in range(51))
"""0, 0.02, …, 1."""


@dataclass(frozen=True)
class Sweep:
    """The fraction of the turns in each region at each threshold: they sum to 1.

    Attributes:
        thresholds: `STEPS`. A turn is right where its score reaches the threshold, and at 0 where
            it is above, because every score reaches 0. That point is the
            column "> 0" of the tables of the paper, as 1 is the column "= 1".
        regions: top to bottom as the paper draws them: "qa_errors" (blue), "rewriting_errors"
            (orange), "right_with_rewriting" (green), "right_without_rewriting" (pink). Without
            scores for human rewrites the first two are one, "errors"; without scores for the
            original questions the last two are one, "right".
        turns: how many turns a fraction is of.
    """

    thresholds: tuple[float, ...]
    regions: Mapping[Region, tuple[float, ...]]
    turns: int


def sweep(turns: Sequence[TurnScores]) -> Sweep:
    """The regions of Figure 1 over thresholds from 0 to 1.

    Raises:
        ValueError: no turn has a score for every phrasing that others have.

    >>> swept = sweep([TurnScores("1", 0.0, 0.3, 1.0), TurnScores("2", 1.0, 1.0, 1.0)])
    >>> swept.regions["rewriting_errors"][15], swept.regions["rewriting_errors"][16]
    (0.0, 0.5)
    """
    forms = columns(turns)
    names: list[Region] = ["qa_errors", "rewriting_errors"] if "human" in forms else ["errors"]
    if "original" in forms:
        names += ["right_with_rewriting", "right_without_rewriting"]
    else:
        names += ["right"]
    tables = [breakdown(turns, _threshold(step)) for step in STEPS]
    total = tables[0].turns
    if not total:
        raise ValueError("a sweep needs a turn that was measured with every phrasing")
    counts = [_regions(table) for table in tables]
    return Sweep(
        STEPS, {name: tuple(at.get(name, 0) / total for at in counts) for name in names}, total
    )


def _threshold(step: float) -> Threshold:
    return Threshold(">=", step) if step else Threshold(">", 0)


def _regions(table: Breakdown) -> dict[Region, int]:
    counts: dict[Region, int] = {}
    for row in table.rows:
        region = _region(row)
        counts[region] = counts.get(region, 0) + row.count
    return counts


def _region(row: Row) -> Region:
    if row.human is False:
        return "qa_errors"
    if not row.rewritten:
        return "rewriting_errors" if row.human else "errors"
    if row.original is None:
        return "right"
    return "right_without_rewriting" if row.original else "right_with_rewriting"
