"""The browsable list of turns: what list.js fills, and the links that lead into it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from anaphora.evaluate.grouping import GROUPINGS
from anaphora.evaluate.report.markup import Markup, element, encodable, join
from anaphora.evaluate.report.wording import GROUPED_BY
from anaphora.evaluate.results import Run


def turns_link(number: int, **filters: str) -> str:
    """The address, within the page, of a run's turns that pass the filters.

    >>> turns_link(1, verdict="reading", depth="10+")
    '#turns?run=1&verdict=reading&depth=10%2B'
    """
    run = {"run": str(number)} if number else {}
    shown = {name: encodable(value) for name, value in filters.items()}
    return f"#turns?{urlencode({**run, **shown})}"


def browser(runs: Sequence[Run]) -> Markup:
    fields: list[Markup] = []
    if len(runs) > 1:
        several = len({run.dataset for run in runs}) > 1
        options = [
            element("option", f"{run.name} ({run.dataset})" if several else run.name, value=number)
            for number, run in enumerate(runs)
        ]
        fields.append(_labelled("System", element("select", *options, name="run")))
    search = element("input", type="search", name="q", dir="auto", autocomplete="off")
    fields.append(_labelled("Question or id contains", search, class_="wide"))
    names = {"verdict": "Culprit", **{name: GROUPED_BY[name] for name in GROUPINGS}}
    names["phrasings"] = "Right and wrong as"
    fields += [_labelled(label, element("select", name=name)) for name, label in names.items()]
    only = element("input", type="checkbox", name="failed")
    fields.append(element("label", only, element("span", "Failed turns only"), class_="check"))
    fields.append(element("button", "Clear", type="reset"))
    head = element(
        "tr",
        element("th", "Depth", scope="col", class_="depth"),
        element("th", "Question, and its rewrite", scope="col"),
        element("th", "Lang.", scope="col", class_="lang"),
        element("th", "Score", scope="col", class_="number", id="score-name"),
        element("th", "Culprit", scope="col", class_="verdict"),
    )
    live = {"aria-live": "polite"}
    return join(
        element("noscript", element("p", "The list of turns needs JavaScript.", class_="note")),
        element("form", *fields, id="filters", **{"aria-label": "Filter the turns"}),
        element("p", "", id="found", class_="found", **live),
        element(
            "table", element("thead", head), element("tbody", "", id="turn-list"), class_="turns"
        ),
        element("nav", "", id="pages", class_="pages", **{"aria-label": "Pages of turns"}),
    )


def dialog() -> Markup:
    return element("dialog", "", id="turn", **{"aria-labelledby": "turn-title"})


def _labelled(label: str, control: Markup, class_: str | None = None) -> Markup:
    return element("label", element("span", label), control, class_=class_)
