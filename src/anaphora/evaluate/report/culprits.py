"""Blame: culprits as stacked bars, the table of the three phrasings, and its sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anaphora.evaluate.blame import Breakdown, Row, Threshold, TurnScores, breakdown
from anaphora.evaluate.grouping import GROUPINGS, group
from anaphora.evaluate.report import plots
from anaphora.evaluate.report.browser import turns_link
from anaphora.evaluate.report.figures import judged_metrics, thresholds, turn_scores, verdicts
from anaphora.evaluate.report.markup import Markup, element, from_data, join
from anaphora.evaluate.report.overview import scrolling
from anaphora.evaluate.report.wording import (
    FORMS,
    GROUPED_BY,
    REGIONS,
    VERDICTS,
    Verdict,
    failed,
    threshold_name,
)
from anaphora.evaluate.results import Outcome, Run
from anaphora.evaluate.sweep import Region, sweep
from anaphora.evaluate.wording import counted

_REGION_LOOKS: Mapping[Region, tuple[str, str | None]] = {
    "qa_errors": ("qa", "retrieval"),
    "errors": ("qa", "retrieval"),
    "rewriting_errors": ("rewriting", "rewriting"),
    "right_with_rewriting": ("gained", None),
    "right_without_rewriting": ("right", None),
    "right": ("right", None),
}
"""The class that colours a region, and its texture."""


def by_system(runs: Sequence[Run]) -> Markup:
    """A bar a system, to compare them."""
    groups = {str(number): run.outcomes for number, run in enumerate(runs)}
    rows = [
        _bar_row(run, number, from_data("span", run.name), groups[str(number)], {})
        for number, run in enumerate(runs)
    ]
    found = {one for run in runs for one in verdicts(run, run.outcomes)}
    return element("figure", _legend(found), _bars("System", rows))


def overall(run: Run, number: int) -> Markup:
    """How the run's turns came out: a bar, and what each part of it means."""
    counts = verdicts(run, run.outcomes)
    total = sum(counts.values())
    rows = [
        element(
            "tr",
            element("th", plots.swatch(name), " ", VERDICTS[name]["label"], scope="row"),
            element(
                "td",
                element("a", f"{count:,}", href=turns_link(number, verdict=name)),
                class_="number",
            ),
            element("td", f"{count / total:.1%}", class_="number"),
            element("td", VERDICTS[name]["why"], class_="why"),
        )
        for name, count in counts.items()
    ]
    head = element(
        "tr",
        element("th", "Culprit", scope="col"),
        element("th", "Turns", scope="col", class_="number"),
        element("th", "Share", scope="col", class_="number"),
        element("th", "What that means", scope="col"),
    )
    wrong = sum(count for name, count in counts.items() if failed(name))
    judged = total - counts.get("unjudged", 0)
    return join(
        element(
            "p",
            f"{counted(wrong, 'turn', 'turns')} of {judged:,} fail: {run.success[0]} is not "
            f"{threshold_name(run.success[1])}. Each is run again with one stage after another "
            "put right, and the first repair that mends it names the culprit.",
            class_="lead",
        ),
        plots.bar(_shares(run, number, run.outcomes, {})),
        scrolling(
            element("table", element("thead", head), element("tbody", *rows), class_="culprits"),
            f"Culprits of {run.name}",
        ),
    )


def by_group(run: Run, number: int) -> Markup:
    """The bars by depth, language, type of question and topic switch, where these differ."""
    figures = []
    for name, key in GROUPINGS.items():
        groups = group(run.outcomes, key)
        if len(groups) < 2:
            continue
        rows = [
            _bar_row(run, number, from_data("span", label), outcomes, {name: label})
            for label, outcomes in groups.items()
        ]
        heading = element("h4", f"By {GROUPED_BY[name].lower()}")
        figures.append(element("figure", heading, _bars(GROUPED_BY[name], rows)))
    if not figures:
        return element("p", "All turns are of one kind.", class_="note")
    found = set(verdicts(run, run.outcomes))
    return join(_legend(found), element("div", *figures, class_="figures"))


def _bars(what: str, rows: Sequence[Markup]) -> Markup:
    head = element(
        "tr",
        element("th", what, scope="col"),
        element("th", "How the turns came out", scope="col"),
        element("th", "Turns", scope="col", class_="number"),
    )
    return element("table", element("thead", head), element("tbody", *rows), class_="bars")


def _bar_row(
    run: Run, number: int, label: Markup, outcomes: Sequence[Outcome], filters: Mapping[str, str]
) -> Markup:
    link = element("a", f"{len(outcomes):,}", href=turns_link(number, **filters))
    return element(
        "tr",
        element("th", label, scope="row"),
        element("td", plots.bar(_shares(run, number, outcomes, filters))),
        element("td", link, class_="number"),
    )


def _shares(
    run: Run, number: int, outcomes: Sequence[Outcome], filters: Mapping[str, str]
) -> list[plots.Share]:
    counts = verdicts(run, outcomes)
    total = sum(counts.values())
    return [
        plots.Share(
            name,
            VERDICTS[name]["label"],
            count / total,
            count,
            turns_link(number, verdict=name, **filters),
        )
        for name, count in counts.items()
    ]


def _legend(found: set[Verdict]) -> Markup:
    items = [
        element("li", plots.swatch(name), " ", VERDICTS[name]["label"])
        for name in VERDICTS
        if name in found
    ]
    return element("ul", *items, class_="legend")


def phrasings(run: Run, number: int) -> Markup:
    """The eight-row tables (the paper's Tables 1-4) and their sweeps (its Figure 1)."""
    figures: list[Markup] = []
    for metric in judged_metrics(run):
        turns = turn_scores(run, metric)
        if not turns:
            continue
        limits = thresholds(run, metric, turns)
        tables = [breakdown(turns, threshold) for threshold in limits]
        own = limits.index(Threshold.parse(run.success[1])) if metric == run.success[0] else None
        content = [element("p", line, class_="note") for line in tables[0].limits]
        if tables[0].turns:
            content.insert(0, _table(metric, limits, tables, number, own))
            content.append(_sweep(run, f"sweep-{number}-{len(figures)}", metric, turns))
        figures.append(element("figure", element("h3", metric), *content))
    if not figures:
        return element("p", "No turn has a score, so phrasings cannot be compared.", class_="note")
    caption = element(
        "p",
        "Turns by which phrasings come out right (✓) or wrong (✗), a column a threshold. In "
        "parentheses: those that a person left as they were asked.",
        class_="note",
    )
    return join(caption, element("div", *figures, class_="figures"))


def _table(
    metric: str,
    limits: Sequence[Threshold],
    tables: Sequence[Breakdown],
    number: int,
    own: int | None,
) -> Markup:
    """A column a threshold; the counts of the run's own lead to their turns."""
    first = tables[0]
    shown = [form for form in FORMS if any(getattr(row, form) is not None for row in first.rows)]
    head = element(
        "tr",
        *(element("th", FORMS[form], scope="col", class_="tick") for form in shown),
        *(
            element("th", threshold_name(str(limit)), scope="col", class_="number")
            for limit in limits
        ),
    )
    rows = []
    for place, row in enumerate(first.rows):
        marks = [_mark(bool(getattr(row, form))) for form in shown]
        counts = [
            _count(table.rows[place], number if at == own else None)
            for at, table in enumerate(tables)
        ]
        rows.append(element("tr", *marks, *counts))
    total = element(
        "tr",
        element("th", "Turns", scope="row", colspan=len(shown)),
        *(
            element(
                "td", *_number(table.turns, sum(row.unchanged for row in table.rows)), **_NUMBER
            )
            for table in tables
        ),
    )
    derived = [
        element(
            "tr",
            element("th", name, scope="row", colspan=len(shown)),
            *(element("td", rate(getattr(table, field)), **_NUMBER) for table in tables),
        )
        for name, field in DERIVED.items()
        if any(getattr(table, field) is not None for table in tables)
    ]
    table = element(
        "table",
        element("thead", head),
        element("tbody", *rows),
        element("tfoot", total, *derived),
        class_="phrasings",
    )
    return scrolling(table, f"{metric} under the phrasings")


_NUMBER = {"class": "number"}

DERIVED = {
    "Fails even with the human rewrite": "qa_error_rate",
    "Fails with the pipeline’s rewrite alone": "rewriting_error_rate",
    "Answerable without rewriting": "answerable_without_rewriting",
    "… of the turns that need rewriting": "answerable_without_rewriting_changed_only",
}


def _mark(right: bool) -> Markup:
    sign, word = ("✓", "right") if right else ("✗", "wrong")
    labels = {"aria-label": word}
    return element("td", element("span", sign, role="img", **labels), class_=f"tick {word}")


def _count(row: Row, number: int | None) -> Markup:
    count, kept = _number(row.count, row.unchanged)
    if number is not None and row.count:
        right = (row.original, row.rewritten, row.human)
        signs = "".join("-" if one is None else str(int(one)) for one in right)
        count = element("a", count, href=turns_link(number, phrasings=signs))
    return element("td", count, kept, **_NUMBER)


def _number(count: int, unchanged: int) -> tuple[Markup, Markup | None]:
    kept = element("span", f" ({unchanged:,})", class_="muted") if unchanged else None
    return join(f"{count:,}"), kept


def rate(value: float | None) -> str:
    """A share as the paper's tables print it."""
    return "–" if value is None else f"{value:.2f}"


def _sweep(run: Run, id: str, metric: str, turns: Sequence[TurnScores]) -> Markup:
    swept = sweep(turns)
    regions = [
        plots.Region(kind, letter, REGIONS[name], texture, shares)
        for letter, (name, shares) in zip("ABCD", swept.regions.items(), strict=False)
        for kind, texture in (_REGION_LOOKS[name],)
    ]
    mark = Threshold.parse(run.success[1]).value if metric == run.success[0] else None
    drawing = plots.stacked_area(
        id,
        swept.thresholds,
        regions,
        mark,
        f"How the share of errors grows with the threshold of {metric}",
    )
    keys = [
        element("li", plots.swatch(region.kind, region.texture, region.letter), " ", region.label)
        for region in regions
    ]
    legend = element("ul", *keys, class_="legend")
    caption = element(
        "figcaption",
        f"Share of {counted(swept.turns, 'turn', 'turns')} at each threshold of {metric}"
        + (", the run’s own dashed." if mark is not None else "."),
    )
    return join(
        element("h4", "At every threshold"),
        plots.plot(drawing, legend, f"a turn is right from {metric} =", "share of turns"),
        caption,
    )
