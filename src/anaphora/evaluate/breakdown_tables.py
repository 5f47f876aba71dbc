"""The error breakdown for the terminal: at any thresholds, and the causes of a run's failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from anaphora.datasets.json_stream import json_lines
from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.attribution import CAUSES
from anaphora.evaluate.breakdown import Breakdown, Threshold, TurnScores, breakdown
from anaphora.evaluate.results import NEAR, PHRASINGS, search_failures
from anaphora.evaluate.run_folder import SCORES, read_about
from anaphora.evaluate.tables import Cell, Table, as_text

_COMMON = (">0", ">=0.5", "=1")
_RATES = {
    "qa_error_rate": "fails with the human rewrite, too",
    "rewriting_error_rate": "fails with the pipeline's rewrite alone",
    "answerable_without_rewriting": "answerable without rewriting",
    "answerable_without_rewriting_changed_only": "… of the turns that need rewriting",
}


def run_scores(folder: Path, metric: str | None) -> tuple[list[TurnScores], str]:
    """A run's scores by one metric, and the metric: that of success where none is named.

    Raises:
        UsageError: the run has no such metric.
        AnaphoraError: there is no run in the folder, or no turn of it has a score.
    """
    about = read_about(folder)
    metrics: list[str] = about["metrics"]
    name = metric or about["success"][0]
    if name not in metrics:
        raise UsageError(f"{folder} was not measured by {name!r}; there are {', '.join(metrics)}")
    turns = []
    for record in json_lines(folder / SCORES):
        values = {
            form: record.record(form).values.get(name) for form in PHRASINGS if form in record
        }
        rewritten = values.get("rewritten")
        if rewritten is not None:
            unchanged = bool(record.values.get("unchanged"))
            original, human = values.get("original"), values.get("human")
            turns.append(TurnScores(record.text("id"), original, rewritten, human, unchanged))
    if not turns:
        raise AnaphoraError(f"no turn of {folder} has a score by {name!r}")
    return turns, name


def cause_counts(folder: Path) -> tuple[Mapping[str, tuple[int, int | None]], str]:
    """How many failed turns each cause has in a run, and the condition of success.

    The second count is of the turns among them whose search failed too; None where that is
    unknown.

    Raises:
        AnaphoraError: there is no run in the folder.
    """
    success = "".join(read_about(folder)["success"])
    turns: dict[str | None, list[bool | None]] = {}
    for record in json_lines(folder / SCORES):
        values = record.values
        turns.setdefault(values.get("culprit"), []).append(values.get("search_failed"))
    found = {name: turns[name] for name in CAUSES if name in turns}
    return {name: (len(one), search_failures(one)) for name, one in found.items()}, success


def breakdowns(
    turns: Sequence[TurnScores], thresholds: Sequence[str]
) -> list[tuple[Threshold, Breakdown]]:
    """The table at each threshold, by default those of Table 2 of Vakulenko et al. (2020).

    Raises:
        UsageError: a threshold is not valid.
    """
    limits = dict.fromkeys(Threshold.parse(text) for text in thresholds or _COMMON)
    return [(one, breakdown(turns, one)) for one in limits]


def table_text(found: Sequence[tuple[Threshold, Breakdown]], metric: str = "") -> str:
    """The table with a column for each threshold, and the rates that follow from it; in
    parentheses, the turns whose human rewrite equals the question."""
    columns = [f"{metric} {one}".strip() for one, _ in found]
    tables = [
        Table(("Original", "Rewritten", "Human", *columns), tuple(_counts(found))),
        Table(("fraction of the turns", *columns), tuple(_rates(found))),
    ]
    sentences = dict.fromkeys(limit for _, one in found for limit in one.limits)
    limits = (
        [f"{threshold}: {limit}" for threshold, one in found for limit in one.limits]
        if len(sentences) > 1
        else list(sentences)
    )
    return "\n".join([*(as_text(table) for table in tables if table.rows), *limits]).rstrip()


def causes_text(found: Mapping[str, tuple[int, int | None]], success: str) -> str:
    """How many failed turns each cause has, and in how many of them the search failed."""
    if not found:
        return f"No failed turn ({success}) has a culprit."
    rows = tuple((Cell(name), *map(Cell, counts)) for name, counts in found.items())
    columns = (f"culprit ({success} fails)", "turns", f"no relevant passage in the first {NEAR}")
    return as_text(Table(columns, rows)).rstrip()


def _counts(found: Sequence[tuple[Threshold, Breakdown]]) -> Iterator[tuple[Cell, ...]]:
    for rows in zip(*(one.rows for _, one in found), strict=True):
        marks = [_mark(right) for right in (rows[0].original, rows[0].rewritten, rows[0].human)]
        counts = [f"{row.count:,}" + f" ({row.unchanged:,})" * bool(row.unchanged) for row in rows]
        yield tuple(map(Cell, (*marks, *counts)))
    yield tuple(map(Cell, ("all", "", "", *(f"{one.turns:,}" for _, one in found))))


def _rates(found: Sequence[tuple[Threshold, Breakdown]]) -> Iterator[tuple[Cell, ...]]:
    for name, label in _RATES.items():
        rates = [getattr(one, name) for _, one in found]
        if any(rate is not None for rate in rates):
            yield tuple(map(Cell, (label, *rates)))


def _mark(right: bool | None) -> str:
    return "–" if right is None else "✓" if right else "✗"
