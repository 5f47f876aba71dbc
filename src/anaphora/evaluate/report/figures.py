"""The numbers that the report shows, from the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TypeVar

from anaphora.evaluate.blame import Threshold, TurnScores
from anaphora.evaluate.report.wording import VERDICTS, Verdict, verdict
from anaphora.evaluate.results import FORMS, Form, Outcome, Run
from anaphora.evaluate.significance import intervals

Key = TypeVar("Key", bound=Hashable)

_COMMON = (">0", ">=0.5", "=1")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` turns and its confidence interval."""

    mean: float
    low: float
    high: float
    count: int


def scores(outcomes: Iterable[Outcome], metric: str, form: Form) -> list[float]:
    """The scores of the turns that have one."""
    tried = (outcome.tried.get(form) for outcome in outcomes)
    return [one.scores[metric] for one in tried if one and metric in one.scores]


def estimates(columns: Mapping[Key, Sequence[float]]) -> dict[Key, Estimate]:
    """The mean of each column of scores; an empty one is left out.

    Equally long columns share the resamples of their intervals, which is much faster.
    """
    by_length: dict[int, list[Key]] = {}
    for key, values in columns.items():
        by_length.setdefault(len(values), []).append(key)
    found: dict[Key, Estimate] = {}
    for length, keys in by_length.items():
        if length:
            bounds = intervals([columns[key] for key in keys])
            for key, (low, high) in zip(keys, bounds, strict=True):
                found[key] = Estimate(sum(columns[key]) / length, low, high, length)
    return found


def forms(run: Run) -> tuple[Form, ...]:
    """The phrasings that at least one turn was tried with."""
    tried = {form for outcome in run.outcomes for form in outcome.tried}
    return tuple(form for form in FORMS if form in tried)


def judged_metrics(run: Run) -> tuple[str, ...]:
    """The metric of success, and beside it the first one of the other kind: answers or ranking."""
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
    """What the tables of blame are made from; turns whose rewrite has no score are left out."""

    def score(outcome: Outcome, form: Form) -> float | None:
        tried = outcome.tried.get(form)
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


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike the two phrasings' questions are (x), and what they were answered with (y)."""

    name: str
    questions: str
    answers: str
    points: tuple[tuple[float, float], ...]


def similarities(run: Run) -> list[Similarity]:
    """The pairs of the paper's Figures 2 and 3, of the turns that a person rewrote."""
    depth = max((len(outcome.tried["rewritten"].hits) for outcome in run.outcomes), default=0)
    questions = {"question": "words in common (ROUGE-1 R)", "meaning": "meanings (cosine)"}
    answers = {
        "hits": ("Passages found", f"passages in common (R@{depth})"),
        "answer": ("Answers", "words in common (Jaccard)"),
    }
    found = [
        Similarity(
            name,
            questions[x],
            measure,
            tuple(
                (one.likeness[x], one.likeness[y])
                for one in run.outcomes
                if x in one.likeness and y in one.likeness
            ),
        )
        for y, (name, measure) in answers.items()
        for x in questions
    ]
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
    """Of each stage that was timed, in the order they ran."""
    seconds: dict[str, list[float]] = {}
    for outcome in run.outcomes:
        for stage, took in outcome.tried["rewritten"].seconds.items():
            seconds.setdefault(stage, []).append(took)
    return [_timing(stage, values) for stage, values in seconds.items()]


def _timing(stage: str, values: Sequence[float]) -> Timing:
    ninetieth = quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return Timing(stage, len(values), sum(values), median(values), ninetieth)


@dataclass(frozen=True, slots=True)
class Holding:
    """How many turns have what it takes to tell something."""

    what: str
    count: int
    tells: str


def holdings(run: Run) -> list[Holding]:
    """What the data hold, and what can be told from it."""
    examples = [outcome.example for outcome in run.outcomes]

    def having(flags: Iterable[object]) -> int:
        return sum(bool(flag) for flag in flags)

    return [
        Holding(
            "human rewrites",
            having(one.rewrites for one in examples),
            "whether rewriting is to blame or what follows it",
        ),
        Holding(
            "passages judged right",
            having(any(g > 0 for g in one.relevant.values()) for one in examples),
            "how well the search does, and whether retrieval, reranking or reading is to blame",
        ),
        Holding(
            "gold answers",
            having(one.answers for one in examples),
            "whether answers are right",
        ),
        Holding(
            "a word on whether the documents hold an answer",
            having(one.answerable is not None for one in examples),
            "whether the pipeline abstains where it should",
        ),
        Holding(
            "the question’s language",
            having(one.conversation.question.lang for one in examples),
            "whether a language was taken for another",
        ),
        Holding(
            "a mark where the topic changes",
            having(one.tags.get("topic_switch") for one in examples),
            "what a change of topic costs",
        ),
    ]


Groups = Mapping[str, Sequence[Outcome]]


Means = Mapping[tuple[str, str, Form], Estimate]
"""By metric, group and phrasing."""


def group_estimates(run: Run, groups: Groups, metrics: Sequence[str]) -> Means:
    """The mean score of each group under each phrasing."""
    return estimates(
        {
            (metric, name, form): scores(outcomes, metric, form)
            for metric in metrics
            for name, outcomes in groups.items()
            for form in forms(run)
        }
    )
