"""Reordering hits by a scorer, within a budget of hits and of time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.protocols import FloatArray
from anaphora.records import Cut, Evidence, Hit, Passage, Query

Candidates: TypeAlias = tuple[Query, Sequence[Passage]]
"""A query and the passages to score for it."""

_FIRST = 4
"""Hits of average length in the first batch, while the time that one takes is unknown."""
_AVERAGE, _MOST = 800, 8_000
"""Characters of a hit of average length, and the most that are read of a long one."""
_SAFE = 0.8
"""Fraction of the hits that seem to fit into the remaining time that is scored next."""
_BEST = 5
"""The order is settled when this many best hits do not change: readers look at no more."""


class Score(NamedTuple):
    """A passage's score, higher for a better one, and the evidence that a scorer has for it."""

    value: float
    evidence: Evidence | None = None


class Scorer(Protocol):
    """Scores passages. `Hit.sources` holds its scores under its name."""

    @property
    def name(self) -> str: ...

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        """For each query a score for each of its passages; None where scoring failed."""
        ...


@dataclass(frozen=True)
class ScoringReranker:
    """Reorders the first `top` hits by a scorer.

    Hits are scored in the order in which they were found. Hits without a score follow those with
    one in their old order: those beyond `top`, those that the budget does not reach, and those
    without a letter or digit. Where nothing was scored the hits stay as they are. Without a time
    limit the same hits always get the same order.

    Args:
        load: makes the scorer when it is first needed; the time that this takes does not count.
        top: how many hits of a query are scored at most.
        seconds: the time limit for each query; 0 for none.
        patience: scoring ends when so many hits in a row did not reach the five best; 0 scores all.
        weight: of the scorer's score against the first stage's, from 0 to 1. Below 1 both are
            standardised over the scored hits, and added.

    Raises:
        ModelUnavailable: on use, where the scorer cannot be loaded or gives no finite scores.
    """

    load: Callable[[], Scorer]
    top: int = 20
    seconds: float = 0.0
    patience: int = 0
    weight: float = 1.0

    _pace: _Pace = field(default_factory=lambda: _Pace(), init=False, compare=False)

    @cached_property
    def _scorer(self) -> Scorer:
        return self.load()

    def rerank(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
    ) -> list[list[Hit]]:
        return [found for found, _ in self.rerank_in_time(queries, hits, k)]

    def rerank_in_time(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
    ) -> list[tuple[list[Hit], Cut | None]]:
        """What `rerank` returns, for each query with where the time limit ended the scoring."""
        tasks = [
            _Task(query, found, _scorable(query, found[: self.top]))
            for query, found in zip(queries, hits, strict=True)
        ]
        name = ""
        cut: Sequence[_Task] = ()
        if any(task.waiting for task in tasks):
            cut = self._score(tasks)
            name = self._scorer.name
        return [
            (
                reordered(task.hits, task.scores, name, self.weight)[:k],
                task.cut(self.seconds) if task in cut else None,
            )
            for task in tasks
        ]

    def _score(self, tasks: Sequence[_Task]) -> list[_Task]:
        """Scores the hits of the tasks, and returns the tasks that the time limit ended."""
        scorer = self._scorer
        began = perf_counter()
        seconds = self.seconds * len(tasks)
        open_tasks = [task for task in tasks if task.waiting]
        size = math.inf
        if self.patience or (seconds and not self._pace.seconds):
            size = _FIRST
        elif seconds:
            size = max(1, int(_SAFE * self.seconds / self._pace.seconds))
        while open_tasks and size:
            batches = [task.batch(size) for task in open_tasks]
            candidates = [
                (task.query, [task.hits[at].passage for at in batch])
                for task, batch in zip(open_tasks, batches, strict=True)
            ]
            results = scorer.score(candidates)
            for task, batch, scores in zip(open_tasks, batches, results, strict=True):
                task.take(batch, scores, scorer.name)
            open_tasks = [
                task
                for task in open_tasks
                if task.waiting and not task.is_settled(self.patience, self.weight)
            ]
            if not self.patience:
                size = math.inf
            spent = max(perf_counter() - began, 1e-9)
            pace = spent / max(1, sum(task.work_done for task in tasks))
            self._pace.take(pace)
            if seconds and open_tasks:
                fit = (seconds - spent) / pace / len(open_tasks)
                size = min(size, max(int(_SAFE * fit), int(fit >= 1), 0))
        return open_tasks


@dataclass
class _Pace:
    """The seconds that a hit of average length took in the latest batches; 0 before the first."""

    seconds: float = 0.0

    def take(self, seconds: float) -> None:
        self.seconds = max(seconds, 0.9 * self.seconds)


@dataclass(eq=False)
class _Task:
    """A query's hits, the indices of those that wait for a score, and the scores so far."""

    query: Query
    hits: Sequence[Hit]
    waiting: list[int]
    scores: dict[int, Score] = field(default_factory=dict)

    def batch(self, size: float) -> list[int]:
        """The next indices, as much work as `size` hits of average length; at least one."""
        for count, at in enumerate(self.waiting):
            size -= self._work(at)
            if size < 0:
                return self.waiting[: max(1, count)]
        return self.waiting

    @property
    def work_done(self) -> int:
        return sum(map(self._work, self.scores))

    def _work(self, at: int) -> int:
        return max(1, min(_MOST, len(self.hits[at].passage.text)) // _AVERAGE)

    def cut(self, seconds: float) -> Cut:
        done = len(self.scores)
        return Cut(done, done + len(self.waiting), seconds)

    def take(self, batch: Sequence[int], scores: Sequence[Score] | None, name: str) -> None:
        if scores is None:
            self.waiting = []
            return
        if not all(math.isfinite(score.value) for score in scores):
            raise ModelUnavailable(
                f"the reranker {name} gave a score that is not a number; choose another model"
            )
        self.scores |= zip(batch, scores, strict=True)
        self.waiting = self.waiting[len(batch) :]

    def is_settled(self, patience: int, weight: float) -> bool:
        if not patience or len(self.scores) < _BEST + patience:
            return False
        best = ranked(self.hits, self.scores, weight)[:_BEST]
        latest = sorted(self.scores)[-patience:]
        return not any(at in latest for at, _ in best)


def _scorable(query: Query, hits: Sequence[Hit]) -> list[int]:
    if not any(map(str.isalnum, query.text)):
        return []
    return [at for at, hit in enumerate(hits) if any(map(str.isalnum, hit.passage.searched_text))]


def by_pair(
    candidates: Sequence[Candidates],
    score: Callable[[Sequence[tuple[Query, Passage]]], Sequence[float]],
) -> list[list[Score] | None]:
    """What a `Scorer` returns, from a function that scores pairs."""
    values = iter(score([(query, one) for query, passages in candidates for one in passages]))
    return [[Score(next(values)) for _ in passages] for _, passages in candidates]


def reordered(
    hits: Sequence[Hit], scores: Mapping[int, Score], name: str, weight: float
) -> list[Hit]:
    """The hits with a score, best first, then the others, with new ranks and scores.

    Args:
        scores: by index into the hits.
        name: of the scorer, for `Hit.sources`.
        weight: see `ScoringReranker`.
    """
    if not scores:
        return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]
    order = ranked(hits, scores, weight)
    lowest = order[-1][1]
    rest = [at for at in range(len(hits)) if at not in scores]
    # Rankings are also sorted by score: these scores keep the rest behind.
    order += [(at, lowest - place) for place, at in enumerate(rest, 1)]
    return [
        _scored(hits[at], value, rank, name, scores.get(at))
        for rank, (at, value) in enumerate(order, 1)
    ]


def _scored(hit: Hit, value: float, rank: int, name: str, score: Score | None) -> Hit:
    if score is None:
        return replace(hit, score=value, rank=rank)
    sources = {**hit.sources, name: score.value}
    evidence = score.evidence or hit.evidence
    return replace(hit, score=value, rank=rank, sources=sources, evidence=evidence)


def ranked(
    hits: Sequence[Hit], scores: Mapping[int, Score], weight: float
) -> list[tuple[int, float]]:
    """Index and final score of each hit with a score, best first; ties in their old order."""
    places = sorted(scores)
    own = np.array([scores[at].value for at in places])
    if weight < 1:
        first = np.array([hits[at].score for at in places])
        own = weight * _standardised(own) + (1 - weight) * _standardised(first)
    values = own.tolist()
    return sorted(zip(places, values, strict=True), key=lambda pair: -pair[1])


def _standardised(values: FloatArray) -> FloatArray:
    spread = values.std()
    return (values - values.mean()) / spread if spread else np.zeros_like(values)
