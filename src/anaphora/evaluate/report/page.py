"""The report as one HTML file that needs nothing else: no network, no fonts, no other file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.resources import files

from anaphora.evaluate.report import breakdowns, culprits, overview, plots
from anaphora.evaluate.report.browser import browser, dialog
from anaphora.evaluate.report.markup import Markup, element, encodable, from_data, join
from anaphora.evaluate.report.turns import turns_data
from anaphora.evaluate.results import Run


def html_report(runs: Sequence[Run]) -> str:
    """The report on one run, or on several side by side, as an HTML document.

    It can be encoded as UTF-8 whatever the data hold.

    Raises:
        ValueError: there is no run.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    title = overview.title(runs)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} – Anaphora"),
        element("style", _asset("style.css")),
    )
    body = element(
        "body",
        element("a", "Skip to the results", href="#results", class_="skip"),
        plots.textures(),
        _header(runs, title),
        element("main", *_sections(runs)),
        _footer(runs),
        dialog(),
        turns_data(runs),
        element("script", *map(_asset, _SCRIPTS)),
    )
    page = "<!doctype html>\n" + element("html", head, body, lang="en")
    return encodable(page)


_SCRIPTS = ("base.js", "list.js", "turn.js", "start.js")
"""They are one script in this order: each uses what stands before it."""


def _asset(name: str) -> Markup:
    return Markup(files("anaphora.evaluate.report").joinpath(name).read_text("utf-8"))


_TOPICS = {
    "results": "Results",
    "limits": "Limits",
    "blame": "Blame",
    "phrasings": "Phrasings",
    "depth": "Depth and language",
    "similarity": "Similarity",
    "time": "Time",
    "turns": "Turns",
}


def _header(runs: Sequence[Run], title: str) -> Markup:
    links = [element("li", element("a", name, href=f"#{id}")) for id, name in _TOPICS.items()]
    return element(
        "header",
        element("p", "Anaphora · evaluation and blame", class_="brand"),
        from_data("h1", title),
        element("p", overview.subtitle(runs), class_="subtitle"),
        element("nav", element("ul", *links), **{"aria-label": "Sections"}),
        class_="page-head",
    )


def _sections(runs: Sequence[Run]) -> list[Markup]:
    several = len(runs) > 1
    results = [overview.results(runs)]
    if several:
        results += [element("h3", "How the turns came out"), culprits.by_system(runs)]
    return [
        _section("results", "Results", *results),
        _section(
            "limits",
            "Before you read the figures",
            overview.limits(runs),
        ),
        *([_system_choice(runs)] if several else []),
        _section(
            "blame",
            "Which stage is to blame",
            *_each(
                runs,
                lambda run, number: join(
                    culprits.overall(run, number),
                    element("h3", "Where it goes wrong"),
                    culprits.by_group(run, number),
                ),
            ),
        ),
        _section(
            "phrasings",
            "A wrong answer or a wrong question",
            element("p", _PHRASINGS, class_="lead"),
            *_each(runs, culprits.phrasings),
        ),
        _section(
            "depth",
            "Scores by turn depth and language",
            *_each(
                runs,
                lambda run, number: join(
                    element("h3", "By turn depth"),
                    breakdowns.by_depth(run, number),
                    element("h3", "By language"),
                    breakdowns.by_language(run, number),
                ),
            ),
        ),
        _section(
            "similarity",
            "Do similar questions get similar answers",
            element("p", _SIMILARITY, class_="lead"),
            *_each(runs, lambda run, _: breakdowns.by_similarity(run)),
        ),
        _section("time", "Time", *_each(runs, lambda run, _: breakdowns.by_time(run))),
        _section("turns", "Every turn", browser(runs)),
    ]


_PHRASINGS = (
    "Each turn was tried with the question as it was asked, as the pipeline rewrote it and, where "
    "the data have it, as a person did. Where the person’s rewrite fails too, what follows "
    "rewriting is at fault; where the pipeline’s alone fails, rewriting is."
)
_SIMILARITY = (
    "Each turn by how much of the person’s rewrite the pipeline’s holds, and by how much of what "
    "the one was answered with the other got too. Few turns at the lower right: a search that "
    "does not mind the wording."
)


def _section(id: str, title: str, *content: Markup | None) -> Markup:
    heading = element("h2", title, id=f"{id}-heading")
    return element("section", heading, *content, id=id, **{"aria-labelledby": f"{id}-heading"})


def _each(runs: Sequence[Run], part: Callable[[Run, int], Markup]) -> list[Markup]:
    """A part for each run; with several, each under its name, and start.js shows one of them."""
    if len(runs) == 1:
        return [part(runs[0], 0)]
    return [
        element(
            "div",
            element("p", from_data("span", run.name), class_="system-name"),
            part(run, number),
            data_run_section=number,
        )
        for number, run in enumerate(runs)
    ]


def _system_choice(runs: Sequence[Run]) -> Markup:
    several = len({run.dataset for run in runs}) > 1
    options = [
        element("option", f"{run.name} ({run.dataset})" if several else run.name, value=number)
        for number, run in enumerate(runs)
    ]
    choice = element("label", "What follows is about ", element("select", *options, id="system"))
    return element("p", choice, class_="system-choice")


def _footer(runs: Sequence[Run]) -> Markup:
    """What was run: configuration, versions and counts as the run recorded them."""
    parts = [
        element(
            "details",
            element("summary", "How ", from_data("span", run.name), " was run"),
            from_data("pre", json.dumps(run.about, ensure_ascii=False, indent=2, default=str)),
        )
        for run in runs
    ]
    return element("footer", *parts)
