"""What comes first: the scores of every system, and what to know before believing them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from anaphora.evaluate.report import plots
from anaphora.evaluate.report.figures import Estimate, estimates, forms, holdings, scores
from anaphora.evaluate.report.markup import Markup, element, from_data, join
from anaphora.evaluate.report.wording import FORMS, threshold_name
from anaphora.evaluate.results import Form, Run
from anaphora.evaluate.wording import counted


def results(runs: Sequence[Run]) -> Markup:
    """The headline table: systems and phrasings × metrics, with confidence intervals."""
    metrics = tuple(dict.fromkeys(name for run in runs for name in run.metrics))
    cells = estimates(
        {
            (number, form, metric): scores(run.outcomes, metric, form)
            for number, run in enumerate(runs)
            for form in forms(run)
            for metric in metrics
        }
    )
    head = element(
        "tr",
        element("th", "Question", scope="col"),
        *(element("th", name, scope="col", class_="number") for name in metrics),
    )
    bodies = [_system(runs, number, metrics, cells) for number in range(len(runs))]
    table = element("table", element("thead", head), *bodies, class_="results")
    return join(
        element(
            "p",
            "Means over the turns that each metric can judge, with 95 % confidence intervals; "
            "every score runs from 0 to 1. Rewritten is the pipeline’s own way. Original searches "
            "the question as it was asked, Human the way a person rewrote it: the two show what "
            "rewriting gains, and what better rewriting could.",
            class_="lead",
        ),
        scrolling(table, "Scores of every system"),
        *_counts(runs),
    )


Cells = dict[tuple[int, Form, str], Estimate]


def _system(runs: Sequence[Run], number: int, metrics: Sequence[str], cells: Cells) -> Markup:
    run = runs[number]
    rows = []
    if len(runs) > 1:
        several = len({run.dataset for run in runs}) > 1
        where = from_data("span", run.dataset, class_="dataset") if several else None
        name = element(
            "th",
            from_data("span", run.name),
            where,
            scope="rowgroup",
            colspan=len(metrics) + 1,
        )
        rows.append(element("tr", name, class_="system"))
    for form in forms(run):
        figures = (figure(cells.get((number, form, metric))) for metric in metrics)
        label = element("th", FORMS[form], scope="row")
        rows.append(element("tr", label, *figures, class_=f"form-{form}"))
    return element("tbody", *rows)


def figure(found: Estimate | None) -> Markup:
    """A cell with a mean, its interval, and both on a line from 0 to 1."""
    if found is None:
        return element("td", element("span", "–", title="not measured"), class_="number")
    return element(
        "td",
        element("span", f"{found.mean:.3f}", class_="mean"),
        element("span", f"{found.low:.3f}–{found.high:.3f}", class_="ci"),
        plots.interval(found.mean, found.low, found.high),
        class_="number",
        title=f"n = {found.count:,}",
    )


def _counts(runs: Sequence[Run]) -> list[Markup]:
    """How many turns stand behind the rows; once, where it is the same for all systems."""
    told: dict[str, list[str]] = {}
    for run in runs:
        parts = (
            f"{FORMS[form]} {sum(form in outcome.tried for outcome in run.outcomes):,}"
            for form in forms(run)
        )
        right = f"{run.success[0]} {threshold_name(run.success[1])}"
        told.setdefault(f"{', '.join(parts)}. A turn is right where {right}.", []).append(run.name)
    if len(told) == 1:
        return [element("p", "Turns: ", *told, class_="note")]
    return [
        element("p", from_data("span", ", ".join(names)), ": ", counts, class_="note")
        for counts, names in told.items()
    ]


def scrolling(table: Markup, label: str) -> Markup:
    """A wide table in a box of its own, which the keyboard can scroll."""
    attributes = {"aria-label": label}
    return element("div", table, class_="scroll", tabindex=0, role="region", **attributes)


def limits(runs: Sequence[Run]) -> Markup:
    """The runs' warnings, each once, and what each data set allows to tell."""
    warned: dict[str, list[str]] = {}
    for run in runs:
        for warning in run.warnings:
            warned.setdefault(warning, []).append(run.name)
    items = [
        element(
            "li",
            from_data("span", warning),
            None if len(names) == len(runs) else _only(names),
        )
        for warning, names in warned.items()
    ]
    warnings = element("ul", *items, class_="warnings") if items else None
    sets = {run.dataset: run for run in runs}
    tables = [_holdings(run, named=len(sets) > 1) for run in sets.values()]
    return join(warnings, *tables)


def _only(names: Sequence[str]) -> Markup:
    return join(" (", from_data("span", ", ".join(names)), ")")


def _holdings(run: Run, named: bool) -> Markup:
    total = len(run.outcomes)
    rows = [
        element(
            "tr",
            element("th", one.what[0].upper() + one.what[1:], scope="row"),
            element("td", f"{one.count:,} of {total:,}", class_="number"),
            element("td", one.tells if one.count else f"cannot tell: {one.tells}"),
            class_=None if one.count else "lacking",
        )
        for one in holdings(run)
    ]
    head = element(
        "tr",
        element("th", "The data hold", scope="col"),
        element("th", "Turns", scope="col", class_="number"),
        element("th", "From which can be told", scope="col"),
    )
    table = element("table", element("thead", head), element("tbody", *rows), class_="holdings")
    heading = from_data("h3", run.dataset) if named else None
    return join(heading, scrolling(table, f"What the data of {run.dataset} hold"))


def title(runs: Sequence[Run]) -> str:
    return ", ".join(dict.fromkeys(run.dataset for run in runs))


def subtitle(runs: Sequence[Run]) -> str:
    turns = max((len(run.outcomes) for run in runs), default=0)
    parts = [counted(turns, "turn", "turns"), counted(len(runs), "system", "systems")]
    started = next((run.about["started"] for run in runs if "started" in run.about), None)
    if started is not None:
        parts.append(_date(str(started)))
    return " · ".join(parts)


def _date(text: str) -> str:
    """A point in time as people write it; whatever is none, as it is.

    >>> _date("2025-01-31T09:05:00+00:00")
    '31 January 2025, 09:05 UTC'
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{when.day} {when:%B %Y, %H:%M %Z}".rstrip()
