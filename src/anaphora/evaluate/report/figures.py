"""The figures that the report shows, computed from the runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median, quantiles
from typing import Final, TypeVar
from urllib.parse import urlencode

from anaphora.datasets.example import Example
from anaphora.evaluate.breakdown import Breakdown, Threshold, TurnScores, breakdown
from anaphora.evaluate.correlation import Density, correlate, correlation_text, density
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.grouping import GROUPINGS, group
from anaphora.evaluate.report.labels import (
    RATES,
    VERDICTS,
    Verdict,
    is_failure,
    threshold_name,
    verdict,
)
from anaphora.evaluate.results import PHRASINGS, Outcome, Phrasing, Run, search_failures
from anaphora.evaluate.significance import intervals

Key = TypeVar("Key", bound=Hashable)

_COMMON = (">0", ">=0.5", "=1")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` turns and its confidence interval."""

    mean: float
    low: float
    high: float
    count: int


def scores(outcomes: Iterable[Outcome], metric: str, form: Phrasing) -> list[float]:
    """The scores of the turns that have one."""
    tried = (outcome.results.get(form) for outcome in outcomes)
    return [one.scores[metric] for one in tried if one and metric in one.scores]


def estimates(columns: Mapping[Key, Sequence[float]]) -> dict[Key, Estimate]:
    """The mean of each column of scores; an empty column is left out."""
    columns = {key: values for key, values in columns.items() if values}
    return {
        key: Estimate(sum(columns[key]) / len(columns[key]), low, high, len(columns[key]))
        for key, (low, high) in intervals(columns).items()
    }


def phrasings(run: Run) -> tuple[Phrasing, ...]:
    """The phrasings that at least one turn was tried with."""
    tried = {form for outcome in run.outcomes for form in outcome.results}
    return tuple(form for form in PHRASINGS if form in tried)


def judged_metrics(run: Run) -> tuple[str, ...]:
    """The success metric, and the first metric of the other kind: of answers or of rankings."""
    metric = run.success[0]
    others = (
        name
        for name in run.metrics
        if not name.startswith("rewrite ") and _ranks(name) != _ranks(metric)
        if name not in ("language", "abstention")
    )
    other = next(others, None)
    return (metric,) if other is None else (metric, other)


def _ranks(metric: str) -> bool:
    return "@" in metric or metric in ("MAP", "MRR")


def turn_scores(run: Run, metric: str) -> list[TurnScores]:
    """The scores of each turn under each phrasing; a turn whose rewrite has none is left out."""

    def score(outcome: Outcome, form: Phrasing) -> float | None:
        tried = outcome.results.get(form)
        return tried.scores.get(metric) if tried else None

    return [
        TurnScores(
            outcome.example.id,
            score(outcome, "original"),
            rewritten,
            score(outcome, "human"),
            bool(outcome.unchanged),
        )
        for outcome in run.outcomes
        if (rewritten := score(outcome, "rewritten")) is not None
    ]


def thresholds(run: Run, metric: str, turns: Sequence[TurnScores]) -> list[Threshold]:
    """Those that the paper's tables use, with the run's own; one where scores are 0 or 1 alone."""
    values = {
        score
        for turn in turns
        for score in (turn.original, turn.rewritten, turn.human)
        if score is not None
    }
    texts = [run.success[1]] if metric == run.success[0] else []
    if values <= {0.0, 1.0}:
        return [Threshold.parse(text) for text in texts[:1] or ["=1"]]
    return list(dict.fromkeys(map(Threshold.parse, [*texts, *_COMMON])))


def verdicts(run: Run, outcomes: Iterable[Outcome]) -> dict[Verdict, int]:
    """How many turns got each verdict, in the pipeline's order."""
    counts = Counter(verdict(run, outcome) for outcome in outcomes)
    return {found: counts[found] for found in VERDICTS if counts[found]}


def verdict_search_failures(run: Run, outcomes: Sequence[Outcome]) -> dict[Verdict, int | None]:
    """In how many turns of each verdict the search failed; None where that is unknown."""
    return {
        name: search_failures(one.search_failed for one in outcomes if verdict(run, one) == name)
        for name in verdicts(run, outcomes)
    }


@dataclass(frozen=True, slots=True)
class Share:
    """The turns of one verdict as a part of a bar: `start` and `share` in 0..1.

    `search_failed` counts those without a relevant passage among the first hits.
    """

    kind: Verdict
    count: int
    search_failed: int | None
    share: float
    start: float
    href: str

    @property
    def label(self) -> str:
        return VERDICTS[self.kind]["label"]


def shares(
    run: Run, number: int, outcomes: Sequence[Outcome], filters: Mapping[str, str]
) -> list[Share]:
    """The verdicts of a group of turns; each part links to its turns in the list of the report."""
    counts = verdicts(run, outcomes)
    failed = verdict_search_failures(run, outcomes)
    total = sum(counts.values())
    found, passed = [], 0
    for name, count in counts.items():
        href = turns_link(number, verdict=name, **filters)
        found.append(Share(name, count, failed[name], count / total, passed / total, href))
        passed += count
    return found


def turns_link(number: int, **filters: str) -> str:
    """The address, within the page, of a run's turns that pass the filters.

    >>> turns_link(1, verdict="reading", depth="10+")
    '#turns?run=1&verdict=reading&depth=10%2B'
    """
    run = {"run": str(number)} if number else {}
    return f"#turns?{urlencode(run | {name: encodable(text) for name, text in filters.items()})}"


def encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can name and UTF-8 cannot encode."""
    return _SURROGATE.sub("\ufffd", text)


def failures(run: Run) -> str:
    """How many turns fail, in a sentence without its full stop."""
    counts = verdicts(run, run.outcomes)
    wrong = sum(count for name, count in counts.items() if is_failure(name))
    judged = sum(counts.values()) - counts.get("unjudged", 0)
    metric, threshold = run.success
    return (
        f"{counted(wrong, 'turn', 'turns')} of {judged:,} fail: {metric} is not "
        f"{threshold_name(threshold)}"
    )


@dataclass(frozen=True, slots=True)
class Headline:
    """Scores of every run under every phrasing, and how many turns they are means of.

    Attributes:
        systems: each run with its rows: a phrasing, and the estimate for each metric.
        counts: the numbers of turns in a sentence, by the names of the runs they hold for.
    """

    metrics: tuple[str, ...]
    systems: Sequence[tuple[Run, Sequence[tuple[Phrasing, Sequence[Estimate | None]]]]]
    counts: Mapping[str, Sequence[str]]


def headline(runs: Sequence[Run]) -> Headline:
    """The table that comes first."""
    metrics = tuple(dict.fromkeys(name for run in runs for name in run.metrics))
    cells = estimates(
        {
            (number, form, metric): scores(run.outcomes, metric, form)
            for number, run in enumerate(runs)
            for form in phrasings(run)
            for metric in metrics
        }
    )
    counts: dict[str, list[str]] = {}
    for run in runs:
        turns = (
            f"{form.capitalize()} {sum(form in one.results for one in run.outcomes):,}"
            for form in phrasings(run)
        )
        right = f"{run.success[0]} {threshold_name(run.success[1])}"
        sentence = f"{', '.join(turns)}. A turn is right where {right}."
        counts.setdefault(sentence, []).append(run.name)
    systems = [
        (
            run,
            [(form, [cells.get((number, form, name)) for name in metrics])
             for form in phrasings(run)],
        )
        for number, run in enumerate(runs)
    ]  # fmt: skip
    return Headline(metrics, systems, counts)


@dataclass(frozen=True, slots=True)
class PhrasingTable:
    """The error breakdown of a run by one metric.

    Attributes:
        forms: the phrasings that were tried.
        tables: one for each of `thresholds`.
        own: the index of the run's own threshold; None where it is for another metric.
    """

    metric: str
    forms: Sequence[Phrasing]
    thresholds: Sequence[Threshold]
    tables: Sequence[Breakdown]
    own: int | None
    turns: Sequence[TurnScores]

    @property
    def rates(self) -> list[tuple[str, list[float | None]]]:
        """The rates that follow from each table, by label."""
        rates = [(label, [getattr(t, name) for t in self.tables]) for name, label in RATES.items()]
        return [(label, row) for label, row in rates if any(rate is not None for rate in row)]


def phrasing_tables(run: Run) -> list[PhrasingTable]:
    """The error breakdown for each judged metric that some turn has a score for."""
    found = []
    for metric in judged_metrics(run):
        turns = turn_scores(run, metric)
        if turns:
            limits = thresholds(run, metric, turns)
            tables = [breakdown(turns, limit) for limit in limits]
            own = (
                limits.index(Threshold.parse(run.success[1])) if metric == run.success[0] else None
            )
            row = tables[0].rows[0]
            forms = [form for form in PHRASINGS if getattr(row, form) is not None]
            found.append(PhrasingTable(metric, forms, limits, tables, own, turns))
    return found


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar the two phrasings' questions are (x), and what they were answered with (y)."""

    name: str
    questions: str
    answers: str
    points: tuple[tuple[float, float], ...]

    @property
    def density(self) -> Density:
        x, y = zip(*self.points, strict=True)
        return density(x, y)

    @property
    def correlation(self) -> str:
        """The coefficients in a sentence."""
        x, y = zip(*self.points, strict=True)
        return correlation_text(correlate(x, y))


def similarities(run: Run) -> list[Similarity]:
    """The pairs of Figures 2 and 3 of Vakulenko et al. (2020), over turns with a human rewrite."""
    depth = max((len(outcome.results["rewritten"].hits) for outcome in run.outcomes), default=0)
    questions = {"question": "words in common (ROUGE-1 R)", "meaning": "meanings (cosine)"}
    answers = {
        "hits": ("Passages found", f"passages in common (R@{depth})"),
        "answer": ("Answers", "words in common (Jaccard)"),
    }
    found = []
    for y, (name, measure) in answers.items():
        for x, label in questions.items():
            values = [one.similarity for one in run.outcomes]
            points = tuple((one[x], one[y]) for one in values if x in one and y in one)
            found.append(Similarity(name, label, measure, points))
    return [one for one in found if len(one.points) > 1]


@dataclass(frozen=True, slots=True)
class Timing:
    """One stage's seconds over `count` turns."""

    stage: str
    count: int
    total: float
    median: float
    ninetieth: float


def timings(run: Run) -> list[Timing]:
    """The time of each stage that was timed, in the order they ran."""
    seconds: dict[str, list[float]] = {}
    for outcome in run.outcomes:
        for stage, took in outcome.results["rewritten"].seconds.items():
            seconds.setdefault(stage, []).append(took)
    return [_timing(stage, values) for stage, values in seconds.items()]


def _timing(stage: str, values: Sequence[float]) -> Timing:
    ninetieth = quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return Timing(stage, len(values), sum(values), median(values), ninetieth)


@dataclass(frozen=True, slots=True)
class Content:
    """How many turns have a kind of annotation, and what it shows."""

    what: str
    count: int
    shows: str


_CONTENTS: Final[Sequence[tuple[str, Callable[[Example], object], str]]] = (
    (
        "Human rewrites",
        lambda one: one.rewrites,
        "whether rewriting is to blame or what follows it",
    ),
    (
        "Passages judged right",
        lambda one: any(grade > 0 for grade in one.relevant.values()),
        "how well the search does, and whether retrieval, reranking or reading is to blame",
    ),
    ("Gold answers", lambda one: one.answers, "whether answers are right"),
    (
        "A word on whether the documents hold an answer",
        lambda one: one.answerable is not None,
        "whether the pipeline abstains where it should",
    ),
    (
        "The question’s language",
        lambda one: one.conversation.question.lang,
        "whether a language was taken for another",
    ),
    (
        "A mark where the topic changes",
        lambda one: one.tags.get("topic_switch"),
        "what a change of topic costs",
    ),
)


def contents(run: Run) -> list[Content]:
    """What the data contain, and what can be measured with it."""
    return [
        Content(what, sum(bool(has(one.example)) for one in run.outcomes), shows)
        for what, has, shows in _CONTENTS
    ]


Groups = Mapping[str, Sequence[Outcome]]

Means = Mapping[tuple[str, str, Phrasing], Estimate]
"""By metric, group and phrasing."""


def groupings(run: Run) -> dict[str, Groups]:
    """The turns by each property, where the turns differ in it."""
    found = {name: group(run.outcomes, key) for name, key in GROUPINGS.items()}
    return {name: groups for name, groups in found.items() if len(groups) > 1}


def group_estimates(run: Run, groups: Groups, metrics: Sequence[str]) -> Means:
    """The mean score of each group under each phrasing."""
    return estimates(
        {
            (metric, name, form): scores(outcomes, metric, form)
            for metric in metrics
            for name, outcomes in groups.items()
            for form in phrasings(run)
        }
    )


def title(runs: Sequence[Run]) -> str:
    return ", ".join(dict.fromkeys(run.dataset for run in runs))


def subtitle(runs: Sequence[Run]) -> str:
    """How many turns and systems, and when the first run began."""
    turns = max((len(run.outcomes) for run in runs), default=0)
    parts = [counted(turns, "turn", "turns"), counted(len(runs), "system", "systems")]
    started = next((run.about["started"] for run in runs if "started" in run.about), None)
    if started is not None:
        parts.append(_date(str(started)))
    return " · ".join(parts)


def _date(text: str) -> str:
    """A point in time as people write it; any other text unchanged.

    >>> _date("2025-01-31T09:05:00+00:00")
    '31 January 2025, 09:05 UTC'
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{when.day} {when:%B %Y, %H:%M %Z}".rstrip()
