"""The report for the terminal: rich renderables that fit 80 columns and use more."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from anaphora.evaluate.breakdown import Row
from anaphora.evaluate.report import figures
from anaphora.evaluate.report.figures import (
    Groups,
    PhrasingTable,
    estimates,
    group_estimates,
    groupings,
    judged_metrics,
    phrasing_tables,
    phrasings,
    scores,
    similarities,
    timings,
    verdict_search_failures,
    verdicts,
)
from anaphora.evaluate.report.labels import (
    FORMS,
    GROUPED_BY,
    REGIONS,
    VERDICTS,
    Verdict,
    is_failure,
    rate,
    seconds,
    threshold_name,
    verdict,
)
from anaphora.evaluate.results import NEAR, Outcome, Run
from anaphora.evaluate.rewrite_errors import count_rewrite_errors, rewrite_errors_text
from anaphora.evaluate.sweep import sweep

_LOOKS: Mapping[Verdict, tuple[str, str]] = {
    "right": ("·", "green"),
    "rewriting": ("W", "yellow"),
    "retrieval": ("S", "blue"),
    "reranking": ("K", "cyan"),
    "reading": ("R", "magenta"),
    "generation": ("G", "red"),
    "checking": ("C", "bright_magenta"),
    "language": ("L", "bright_yellow"),
    "data": ("D", "bright_black"),
    "unexplained": ("?", "white"),
    "unjudged": (" ", "white"),
}
"""The letter that stands for a verdict in a bar, and its colour."""

_EXAMPLES = 3
"""Failed turns shown of each cause."""

_LONGEST = 160
"""Characters shown of a question."""


def text_report(runs: Sequence[Run]) -> RenderableType:
    """The report on one run, or on several in turn, for a rich console.

    Raises:
        ValueError: there is no run.
    """
    return _report(runs, _whole)


def text_summary(runs: Sequence[Run]) -> RenderableType:
    """The beginning of the report: scores, what limits them, and the culprits.

    Raises:
        ValueError: there is no run.
    """
    return _report(runs, _beginning)


def _report(runs: Sequence[Run], part: Callable[[Run], Iterator[RenderableType]]) -> RenderableType:
    if not runs:
        raise ValueError("a report needs at least one run")
    head = Text(plain(figures.title(runs)), style="bold")
    parts: list[RenderableType] = [head, Text(figures.subtitle(runs), style="dim")]
    if len(runs) > 1:
        parts += [_heading("How the turns came out"), _by_system(runs)]
    for run in runs:
        if len(runs) > 1:
            parts.append(Text(f"\n{plain(run.name)} · {plain(run.dataset)}", style="bold reverse"))
        parts += part(run)
    return Group(*parts)


def _beginning(run: Run) -> Iterator[RenderableType]:
    yield _heading("Scores", "means with 95 % confidence intervals")
    yield _scores(run)
    yield from _limits(run)
    yield _heading("Which stage is to blame", plain(figures.failures(run)))
    yield _causes(run)


def _whole(run: Run) -> Iterator[RenderableType]:
    yield from _beginning(run)
    errors = count_rewrite_errors(run.outcomes)
    if errors:
        yield _heading("Errors of rewriting", "against the human rewrites")
        yield Text(rewrite_errors_text(errors))
    groups = groupings(run)
    yield from _groups(run, groups)
    for table in phrasing_tables(run):
        yield from _phrasings(table)
    yield from _means(run, groups)
    found = similarities(run)
    if found:
        yield _heading("Do similar questions get similar answers")
    for one in found:
        yield Text(f"{one.name}, {one.answers}, by {one.questions}: {one.correlation}")
    if any(one.seconds for outcome in run.outcomes for one in outcome.results.values()):
        yield _heading("Time")
        yield _times(run)
    yield from _examples(run)


def plain(text: str) -> str:
    """Text from the data in one line, without control characters."""
    shown = "".join(
        " " if unicodedata.category(char) == "Cc" else char for char in figures.encodable(text)
    )
    return " ".join(shown.split())


def _heading(title: str, note: str = "") -> Text:
    text = Text(f"\n{title}", style="bold")
    return text.append(f"  {note}", style="not bold dim") if note else text


def _table(*columns: str) -> Table:
    """A table without lines; columns of figures are flush right."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if not place else "right", overflow="fold")
    return table


def _scores(run: Run) -> Table:
    tried = phrasings(run)
    table = _table("Metric", *(FORMS[form] for form in tried))
    found = estimates(
        {
            (metric, form): scores(run.outcomes, metric, form)
            for metric in run.metrics
            for form in tried
        }
    )
    for metric in run.metrics:
        cells = [found.get((metric, form)) for form in tried]
        figures = [
            Text("–")
            if one is None
            else Text(f"{one.mean:.3f}").append(f" {one.low:.3f}–{one.high:.3f}", style="dim")
            for one in cells
        ]
        table.add_row(plain(metric), *figures)
    return table


def _limits(run: Run) -> Iterator[Text]:
    if run.warnings:
        yield _heading("Before you read the figures")
    for warning in run.warnings:
        yield Text("! ", style="yellow").append(plain(warning), style="default")


def _causes(run: Run) -> Table:
    counts = verdicts(run, run.outcomes)
    total = sum(counts.values())
    failed = verdict_search_failures(run, run.outcomes)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, expand=True)
    table.add_column("Culprit")
    table.add_column("Turns", justify="right")
    table.add_column("Share", justify="right")
    table.add_column(f"No relevant passage\nin the first {NEAR}", justify="right")
    table.add_column(ratio=1)
    for name, count in counts.items():
        without = failed[name]
        letter, colour = _LOOKS[name]
        label = Text(f"{letter} ", style=colour).append(VERDICTS[name]["label"], style="default")
        bar = Bar([("█", colour, count), (" ", "", total - count)])
        shown = "–" if without is None else f"{without:,}"
        table.add_row(label, f"{count:,}", f"{count / total:.1%}", shown, bar)
    return table


@dataclass(frozen=True)
class Bar:
    """As wide as there is room: each part a letter, a colour and its weight."""

    parts: Sequence[tuple[str, str, float]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        widths = apportion([weight for _, _, weight in self.parts], options.max_width)
        for (letter, colour, _), width in zip(self.parts, widths, strict=True):
            yield Segment(letter * width, Style.parse(colour) if colour else None)
        yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(10, options.max_width)


def apportion(weights: Sequence[float], width: int) -> list[int]:
    """Whole numbers that sum to `width` in the proportion of the weights (largest remainders).

    >>> apportion([1, 1, 1], 10)
    [4, 3, 3]
    """
    total = sum(weights)
    if not total:
        return [0] * len(weights)
    exact = [width * weight / total for weight in weights]
    found = [int(part) for part in exact]
    order = sorted(range(len(exact)), key=lambda at: found[at] - exact[at])
    for at in order[: width - sum(found)]:
        found[at] += 1
    return found


def _stacked(what: str, rows: Sequence[tuple[str, int, Bar]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, expand=True)
    table.add_column(what, max_width=24)
    table.add_column("Turns", justify="right")
    table.add_column(ratio=1)
    for label, count, bar in rows:
        table.add_row(Text(plain(label)), f"{count:,}", bar)
    return table


def _verdict_bar(run: Run, outcomes: Sequence[Outcome]) -> Bar:
    return Bar([(*_LOOKS[name], count) for name, count in verdicts(run, outcomes).items()])


def _by_system(runs: Sequence[Run]) -> Table:
    rows = [(run.name, len(run.outcomes), _verdict_bar(run, run.outcomes)) for run in runs]
    return _stacked("System", rows)


def _groups(run: Run, groups: Mapping[str, Groups]) -> Iterator[RenderableType]:
    for name, found in groups.items():
        yield Text("")
        rows = [
            (label, len(outcomes), _verdict_bar(run, outcomes)) for label, outcomes in found.items()
        ]
        yield _stacked(GROUPED_BY[name], rows)


def _phrasings(found: PhrasingTable) -> Iterator[RenderableType]:
    yield _heading("A wrong answer or a wrong question", plain(found.metric))
    first = found.tables[0]
    if first.turns:
        table = _table("", *(threshold_name(str(limit)) for limit in found.thresholds))
        table.columns[0].header = "  ".join(FORMS[form] for form in found.forms)
        for rows in zip(*(each.rows for each in found.tables), strict=True):
            table.add_row(
                _marks(rows[0], found), *(_count(row.count, row.unchanged) for row in rows)
            )
        totals = (_count(each.turns, each.unchanged) for each in found.tables)
        table.add_row("Turns", *totals, style="bold")
        for label, rates in found.rates:
            table.add_row(label, *map(rate, rates))
        yield table
        yield from _sweep(found)
    for line in first.limits:
        yield Text(line, style="dim")


def _marks(row: Row, found: PhrasingTable) -> str:
    signs = {form: "✓" if getattr(row, form) else "✗" for form in found.forms}
    return "  ".join(sign.ljust(len(FORMS[form])) for form, sign in signs.items())


def _count(count: int, unchanged: int) -> str:
    return f"{count:,} ({unchanged:,})" if unchanged else f"{count:,}"


def _sweep(found: PhrasingTable) -> Iterator[RenderableType]:
    swept = sweep(found.turns)
    colours = ("blue", "yellow", "green", "bright_green")
    looks = list(zip("ABCD", colours, swept.regions, strict=False))
    legend = Text("\n")
    for letter, colour, name in looks:
        legend.append(f"{letter} ", style=colour).append(f"{REGIONS[name]}   ")
    yield legend
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, expand=True)
    table.add_column(f"{plain(found.metric)} from", justify="right")
    table.add_column(ratio=1)
    for at in range(0, len(swept.thresholds), 5):
        parts = [(letter, colour, swept.regions[name][at]) for letter, colour, name in looks]
        table.add_row(f"{swept.thresholds[at]:.1f}", Bar(parts))
    yield table


def _means(run: Run, groups: Mapping[str, Groups]) -> Iterator[RenderableType]:
    tried = phrasings(run)
    for metric in judged_metrics(run):
        for name in ("depth", "language"):
            found = groups.get(name, {})
            if not found:
                continue
            yield _heading(f"{plain(metric)} by {GROUPED_BY[name].lower()}")
            means = group_estimates(run, found, [metric])
            table = _table(GROUPED_BY[name], "Turns", *(FORMS[form] for form in tried))
            for label, outcomes in found.items():
                cells = [means.get((metric, label, form)) for form in tried]
                shown = ("–" if one is None else f"{one.mean:.3f}" for one in cells)
                table.add_row(Text(plain(label)), f"{len(outcomes):,}", *shown)
            yield table


def _times(run: Run) -> Table:
    table = _table("Stage", "Median", "90 % within", "All turns", "Turns")
    for one in timings(run):
        spent = (seconds(one.median), seconds(one.ninetieth), seconds(one.total))
        table.add_row(one.stage, *spent, f"{one.count:,}")
    return table


def _examples(run: Run) -> Iterator[RenderableType]:
    """The first failed turns of each cause."""
    found: dict[Verdict, list[Outcome]] = {}
    for outcome in run.outcomes:
        found.setdefault(verdict(run, outcome), []).append(outcome)
    shown = [name for name in VERDICTS if is_failure(name) and name in found]
    if shown:
        yield _heading("Failed turns", f"the first {_EXAMPLES} of each kind")
    for name in shown:
        yield Text(f"{VERDICTS[name]['label']}: ", style="bold").append(
            VERDICTS[name]["why"], style="not bold dim"
        )
        for outcome in found[name][:_EXAMPLES]:
            yield _example(outcome)


def _example(outcome: Outcome) -> Text:
    question = _short(outcome.example.question)
    text = Text(f"  {plain(outcome.example.id)}  ", style="dim").append(question, style="default")
    rewrite = _short(outcome.results["rewritten"].rewrite.text)
    return text if rewrite == question else text.append(f" → {rewrite}", style="italic")


def _short(text: str) -> str:
    shown = plain(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST].rstrip()}…"
