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

from anaphora.evaluate.blame import breakdown
from anaphora.evaluate.correlation import correlate
from anaphora.evaluate.grouping import GROUPINGS, depth, group, language, means
from anaphora.evaluate.report import overview
from anaphora.evaluate.report.breakdowns import seconds, told
from anaphora.evaluate.report.culprits import DERIVED, rate
from anaphora.evaluate.report.figures import (
    estimates,
    forms,
    judged_metrics,
    scores,
    similarities,
    thresholds,
    timings,
    turn_scores,
    verdicts,
)
from anaphora.evaluate.report.markup import encodable
from anaphora.evaluate.report.wording import (
    FORMS,
    GROUPED_BY,
    REGIONS,
    VERDICTS,
    Verdict,
    failed,
    threshold_name,
    verdict,
)
from anaphora.evaluate.results import Outcome, Run
from anaphora.evaluate.sweep import sweep
from anaphora.evaluate.wording import counted

_LOOKS: Mapping[Verdict, tuple[str, str]] = {
    "right": ("·", "green"),
    "rewriting": ("W", "yellow"),
    "retrieval": ("S", "blue"),
    "reranking": ("K", "cyan"),
    "reading": ("R", "magenta"),
    "language": ("L", "bright_yellow"),
    "data": ("D", "bright_black"),
    "unexplained": ("?", "white"),
    "unjudged": (" ", "white"),
}
"""The letter that stands for a verdict in a bar, and its colour."""

_EXAMPLES = 3
"""Failed turns shown of each culprit."""

_LONGEST = 160
"""Characters shown of a question."""


def text_report(runs: Sequence[Run]) -> RenderableType:
    """The report on one run, or on several one after the other, for a rich console.

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
    head = Text(plain(overview.title(runs)), style="bold")
    parts: list[RenderableType] = [head, Text(overview.subtitle(runs), style="dim")]
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
    yield _heading("Which stage is to blame", _failures(run))
    yield _culprits(run)


def _whole(run: Run) -> Iterator[RenderableType]:
    yield from _beginning(run)
    yield from _groups(run)
    for metric in judged_metrics(run):
        yield from _phrasings(run, metric)
    for metric in judged_metrics(run):
        yield from _means(run, metric)
    found = similarities(run)
    if found:
        yield _heading("Do similar questions get similar answers")
    for one in found:
        x, y = zip(*one.points, strict=True)
        yield Text(f"{one.name}, {one.answers}, by {one.questions}: {told(correlate(x, y))}")
    if any(one.seconds for outcome in run.outcomes for one in outcome.tried.values()):
        yield _heading("Time")
        yield _times(run)
    yield from _examples(run)


def plain(text: str) -> str:
    """Text from the data in one line, without the characters that steer a terminal."""
    shown = "".join(" " if unicodedata.category(char) == "Cc" else char for char in encodable(text))
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
    tried = forms(run)
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


def _failures(run: Run) -> str:
    counts = verdicts(run, run.outcomes)
    wrong = sum(count for name, count in counts.items() if failed(name))
    judged = sum(counts.values()) - counts.get("unjudged", 0)
    metric, threshold = run.success
    limit = threshold_name(threshold)
    return f"{counted(wrong, 'turn', 'turns')} of {judged:,} fail: {plain(metric)} is not {limit}"


def _culprits(run: Run) -> Table:
    counts = verdicts(run, run.outcomes)
    total = sum(counts.values())
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, pad_edge=False, expand=True)
    for justify in ("left", "right", "right"):
        table.add_column(justify=justify)
    table.add_column(ratio=1)
    for name, count in counts.items():
        letter, colour = _LOOKS[name]
        label = Text(f"{letter} ", style=colour).append(VERDICTS[name]["label"], style="default")
        bar = Bar([("█", colour, count), (" ", "", total - count)])
        table.add_row(label, f"{count:,}", f"{count / total:.1%}", bar)
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


def _groups(run: Run) -> Iterator[RenderableType]:
    for name, key in GROUPINGS.items():
        groups = group(run.outcomes, key)
        if len(groups) > 1:
            yield Text("")
            rows = [
                (label, len(outcomes), _verdict_bar(run, outcomes))
                for label, outcomes in groups.items()
            ]
            yield _stacked(GROUPED_BY[name], rows)


def _phrasings(run: Run, metric: str) -> Iterator[RenderableType]:
    turns = turn_scores(run, metric)
    if not turns:
        return
    limits = thresholds(run, metric, turns)
    tables = [breakdown(turns, limit) for limit in limits]
    yield _heading("A wrong answer or a wrong question", plain(metric))
    if tables[0].turns:
        shown = [form for form in FORMS if getattr(tables[0].rows[0], form) is not None]
        table = _table("", *(threshold_name(str(limit)) for limit in limits))
        table.columns[0].header = "  ".join(FORMS[form] for form in shown)
        for place, row in enumerate(tables[0].rows):
            signs = ("✓" if getattr(row, form) else "✗" for form in shown)
            marks = "  ".join(
                sign.ljust(len(FORMS[form])) for sign, form in zip(signs, shown, strict=True)
            )
            cells = (_count(each.rows[place].count, each.rows[place].unchanged) for each in tables)
            table.add_row(marks, *cells)
        kept = [sum(row.unchanged for row in each.rows) for each in tables]
        totals = (_count(each.turns, one) for each, one in zip(tables, kept, strict=True))
        table.add_row("Turns", *totals, style="bold")
        for name, field in DERIVED.items():
            rates = [getattr(each, field) for each in tables]
            if any(one is not None for one in rates):
                table.add_row(name, *map(rate, rates))
        yield table
        yield from _sweep(metric, run)
    for line in tables[0].limits:
        yield Text(line, style="dim")


def _count(count: int, unchanged: int) -> str:
    return f"{count:,} ({unchanged:,})" if unchanged else f"{count:,}"


def _sweep(metric: str, run: Run) -> Iterator[RenderableType]:
    swept = sweep(turn_scores(run, metric))
    colours = ("blue", "yellow", "green", "bright_green")
    looks = list(zip("ABCD", colours, swept.regions, strict=False))
    legend = Text("\n")
    for letter, colour, name in looks:
        legend.append(f"{letter} ", style=colour).append(f"{REGIONS[name]}   ")
    yield legend
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, expand=True)
    table.add_column(f"{plain(metric)} from", justify="right")
    table.add_column(ratio=1)
    for at in range(0, len(swept.thresholds), 5):
        parts = [(letter, colour, swept.regions[name][at]) for letter, colour, name in looks]
        table.add_row(f"{swept.thresholds[at]:.1f}", Bar(parts))
    yield table


def _means(run: Run, metric: str) -> Iterator[RenderableType]:
    tried = forms(run)
    for name, key in (("Turn depth", depth), ("Language", language)):
        groups = group(run.outcomes, key)
        if len(groups) < 2:
            continue
        yield _heading(f"{plain(metric)} by {name.lower()}")
        columns = [means(groups, metric, form) for form in tried]
        table = _table(name, "Turns", *(FORMS[form] for form in tried))
        for label, outcomes in groups.items():
            found = (column[label].value for column in columns)
            cells = ("–" if value is None else f"{value:.3f}" for value in found)
            table.add_row(Text(plain(label)), f"{len(outcomes):,}", *cells)
        yield table


def _times(run: Run) -> Table:
    table = _table("Stage", "Median", "90 % within", "All turns", "Turns")
    for one in timings(run):
        spent = (seconds(one.median), seconds(one.ninetieth), seconds(one.total))
        table.add_row(one.stage, *spent, f"{one.count:,}")
    return table


def _examples(run: Run) -> Iterator[RenderableType]:
    """The first failed turns of each culprit."""
    found: dict[Verdict, list[Outcome]] = {}
    for outcome in run.outcomes:
        found.setdefault(verdict(run, outcome), []).append(outcome)
    shown = [name for name in VERDICTS if failed(name) and name in found]
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
    rewrite = _short(outcome.tried["rewritten"].rewrite.text)
    return text if rewrite == question else text.append(f" → {rewrite}", style="italic")


def _short(text: str) -> str:
    shown = plain(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST].rstrip()}…"
