"""Where scores rise and fall: turn depth, languages, similarity of the questions, time."""

from __future__ import annotations

from anaphora.evaluate.correlation import Coefficient, Correlation, correlate, density
from anaphora.evaluate.grouping import depth, group, language
from anaphora.evaluate.report import plots
from anaphora.evaluate.report.browser import turns_link
from anaphora.evaluate.report.figures import (
    Groups,
    Means,
    Similarity,
    forms,
    group_estimates,
    judged_metrics,
    similarities,
    timings,
)
from anaphora.evaluate.report.markup import Markup, element, from_data, join
from anaphora.evaluate.report.overview import figure, scrolling
from anaphora.evaluate.report.wording import FORMS, GROUPED_BY, signed
from anaphora.evaluate.results import Run


def by_depth(run: Run, number: int) -> Markup:
    """A line a phrasing over the conversation's turns (the abstractive paper's Figure 3)."""
    groups = group(run.outcomes, depth)
    if len(groups) < 2:
        return element("p", "All turns stand equally deep in their conversations.", class_="note")
    figures = []
    metrics = judged_metrics(run)
    means = group_estimates(run, groups, metrics)
    for metric in metrics:
        series = [
            plots.Line(
                form,
                FORMS[form],
                [
                    plots.Point(name, found.mean, found.low, found.high, found.count)
                    for name in groups
                    if (found := means.get((metric, name, form)))
                ],
            )
            for form in forms(run)
        ]
        series = [line for line in series if line.points]
        if not series:
            continue
        drawing = plots.lines(list(groups), series, f"{metric} by turn depth")
        keys = [element("li", plots.key(line.kind), " ", line.label) for line in series]
        legend = element("ul", *keys, class_="legend")
        figures.append(
            element(
                "figure",
                element("h4", metric),
                plots.plot(drawing, legend, "questions so far", f"mean {metric}"),
                element(
                    "details",
                    element("summary", "The figures"),
                    _table(run, number, "depth", groups, means, metric),
                ),
            )
        )
    return element("div", *figures, class_="figures")


def by_language(run: Run, number: int) -> Markup:
    """Scores of each language the questions are in."""
    groups = group(run.outcomes, language)
    if len(groups) < 2:
        only = next(iter(groups), "unknown")
        return element("p", "All questions are in one language: ", only, ".", class_="note")
    metrics = judged_metrics(run)
    means = group_estimates(run, groups, metrics)
    tables = [
        element(
            "figure",
            element("h4", metric),
            _table(run, number, "language", groups, means, metric),
        )
        for metric in metrics
    ]
    return element("div", *tables, class_="figures")


def _table(run: Run, number: int, name: str, groups: Groups, means: Means, metric: str) -> Markup:
    tried = forms(run)
    head = element(
        "tr",
        element("th", GROUPED_BY[name], scope="col"),
        element("th", "Turns", scope="col", class_="number"),
        *(element("th", FORMS[form], scope="col", class_="number") for form in tried),
    )
    rows = []
    for label, outcomes in groups.items():
        link = element("a", f"{len(outcomes):,}", href=turns_link(number, **{name: label}))
        cells = [figure(means.get((metric, label, form))) for form in tried]
        rows.append(
            element(
                "tr",
                element("th", from_data("span", label), scope="row"),
                element("td", link, class_="number"),
                *cells,
            )
        )
    table = element("table", element("thead", head), element("tbody", *rows), class_="groups")
    return scrolling(table, f"{metric} by {GROUPED_BY[name].lower()}")


def by_similarity(run: Run) -> Markup:
    """Whether rewrites like a person's fare alike (the paper's Figures 2 and 3)."""
    found = similarities(run)
    if not found:
        return element(
            "p",
            "This needs turns that were tried with a human rewrite too.",
            class_="note",
        )
    return element("div", *map(_similarity, found), class_="figures")


def _similarity(found: Similarity) -> Markup:
    x, y = zip(*found.points, strict=True)
    title = f"{found.name} by the questions’ {found.questions}"
    drawing = plots.discs(density(x, y), "question", "answer", title)
    return element(
        "figure",
        element("h3", found.name),
        plots.plot(drawing, Markup(""), found.questions, found.answers),
        element("figcaption", told(correlate(x, y)), " A disc’s area is the number of its turns."),
        class_="narrow",
    )


def told(found: Correlation) -> str:
    """The coefficients in a sentence."""
    if found.pearson is None or found.spearman is None:
        return f"{found.n:,} turns; one side never varies, so there is no correlation to tell."
    return (
        f"{found.n:,} turns; Pearson {_coefficient(found.pearson)}, "
        f"Spearman {_coefficient(found.spearman)}."
    )


def _coefficient(found: Coefficient) -> str:
    if found.low is None or found.high is None:
        return signed(found.value)
    return f"{signed(found.value)} [{signed(found.low)}, {signed(found.high)}]"


def by_time(run: Run) -> Markup:
    """What each stage takes."""
    found = timings(run)
    if not found:
        return element("p", "No stage was timed.", class_="note")
    total = sum(one.total for one in found) or 1.0
    rows = [
        element(
            "tr",
            element("th", one.stage, scope="row"),
            *(
                element("td", text, class_="number")
                for text in (
                    seconds(one.median),
                    seconds(one.ninetieth),
                    seconds(one.total),
                    f"{one.count:,}",
                )
            ),
            element("td", _time_bar(one.total / total)),
        )
        for one in found
    ]
    head = element(
        "tr",
        element("th", "Stage", scope="col"),
        *(
            element("th", name, scope="col", class_="number")
            for name in ("Median", "90 % within", "All turns", "Turns")
        ),
        element("th", "Share of the time", scope="col"),
    )
    table = element("table", element("thead", head), element("tbody", *rows), class_="times")
    return join(scrolling(table, f"Time of the stages of {run.name}"))


def _time_bar(share: float) -> Markup:
    rect = element("rect", width=plots.percent(share), height="100%", class_="fill-time")
    label = element("span", f"{share:.0%}", class_="share-label")
    return join(element("svg", rect, class_="bar thin", **{"aria-hidden": "true"}), label)


def seconds(value: float) -> str:
    """Three digits and a unit.

    >>> seconds(0.01234), seconds(75.0)
    ('12.3 ms', '75 s')
    """
    return f"{value:.3g} s" if value >= 1 else f"{1000 * value:.3g} ms"
