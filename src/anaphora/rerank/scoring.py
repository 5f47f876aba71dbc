"""Putting hits in the order of a scorer, within a budget of hits and of time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Protocol, TypeAlias

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.protocols import FloatArray
from anaphora.records import Hit, Passage, Query

Asked: TypeAlias = tuple[Query, Sequence[Passage]]
"""A question and the passages to judge by it."""

_FIRST = 4
"""Hits of ordinary length judged at first where the time that one takes is not known yet."""
_ORDINARY, _READ = 800, 8_000
"""Characters of a hit of ordinary length; and how many are read of the longest at the most."""
_SAFE = 0.8
"""Share of what seems to fit in the time left that is judged next."""
_BEST = 5
"""The order is settled when these stay as they are: what readers look at."""


class Scorer(Protocol):
    """Says how relevant passages are. Its scores stand in `Hit.sources` under its name."""

    @property
    def name(self) -> str: ...

    def score(self, asked: Sequence[Asked]) -> list[list[float] | None]:
        """For each question a score for each of its passages, higher for a better one; None where
        they could not be judged."""
        ...


@dataclass(frozen=True)
class ScoringReranker:
    """Orders the first `top` hits by a scorer.

    Hits are judged in the order in which they were found. Those that the budget does not reach, or
    that hold no letter or digit, follow those that were judged, in their old order; so do the ones
    beyond `top`. Where nothing was judged the hits stay as they are. Without a limit in time the
    same hits always get the same order.

    Args:
        load: makes the scorer, when it is first needed; the time this takes is not counted.
        top: how many hits of a question are judged at most.
        seconds: how long this may take, for each question; 0 for as long as it needs.
        patience: the order counts as settled, and judging ends, when so many hits in a row did not
            come among the five best; 0 judges all.
        weight: how much the scorer's score counts beside the first stage's, from 0 to 1. Below 1
            both are standardised over the hits that were judged, and added up.

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
        tasks = [
            _Task(query, found, _worth_judging(query, found[: self.top]))
            for query, found in zip(queries, hits, strict=True)
        ]
        if any(task.waiting for task in tasks):
            self._judge(tasks)
            name = self._scorer.name
        else:
            name = ""
        return [reordered(task.hits, task.scores, name, self.weight)[:k] for task in tasks]

    def _judge(self, tasks: Sequence[_Task]) -> None:
        scorer = self._scorer
        began = perf_counter()
        seconds = self.seconds * len(tasks)
        going = [task for task in tasks if task.waiting]
        size = math.inf
        if self.patience or (seconds and not self._pace.seconds):
            size = _FIRST
        elif seconds:
            size = max(1, int(_SAFE * self.seconds / self._pace.seconds))
        while going and size:
            parts = [task.part(size) for task in going]
            asked = [
                (task.query, [task.hits[at].passage for at in part])
                for task, part in zip(going, parts, strict=True)
            ]
            for task, part, scores in zip(going, parts, scorer.score(asked), strict=True):
                task.take(part, scores, scorer.name)
            going = [
                task
                for task in going
                if task.waiting and not task.settled(self.patience, self.weight)
            ]
            if not self.patience:
                size = math.inf
            spent = max(perf_counter() - began, 1e-9)
            pace = spent / max(1, sum(task.judged for task in tasks))
            self._pace.take(pace)
            if seconds and going:
                fit = (seconds - spent) / pace / len(going)
                size = min(size, max(int(_SAFE * fit), int(fit >= 1), 0))


@dataclass
class _Pace:
    """The seconds that a hit of ordinary length took lately; 0 before the first."""

    seconds: float = 0.0

    def take(self, seconds: float) -> None:
        # What the scorer remembers takes it no time.
        self.seconds = max(seconds, 0.9 * self.seconds)


@dataclass
class _Task:
    """A question's hits, the places of those that wait to be judged, and the scores so far."""

    query: Query
    hits: Sequence[Hit]
    waiting: list[int]
    scores: dict[int, float] = field(default_factory=dict)

    def part(self, size: float) -> list[int]:
        """The next places, as much work as `size` hits of ordinary length; at least one place."""
        for count, at in enumerate(self.waiting):
            size -= self._work(at)
            if size < 0:
                return self.waiting[: max(1, count)]
        return self.waiting

    @property
    def judged(self) -> int:
        """The work done so far."""
        return sum(map(self._work, self.scores))

    def _work(self, at: int) -> int:
        return max(1, min(_READ, len(self.hits[at].passage.text)) // _ORDINARY)

    def take(self, part: Sequence[int], scores: Sequence[float] | None, name: str) -> None:
        if scores is None:
            self.waiting = []
            return
        if not all(map(math.isfinite, scores)):
            raise ModelUnavailable(
                f"the reranker {name} gave a score that is no number; choose another model"
            )
        self.scores |= zip(part, scores, strict=True)
        self.waiting = self.waiting[len(part) :]

    def settled(self, patience: int, weight: float) -> bool:
        if not patience or len(self.scores) < _BEST + patience:
            return False
        best = ranked(self.hits, self.scores, weight)[:_BEST]
        late = sorted(self.scores)[-patience:]
        return not any(at in late for at, _ in best)


def _worth_judging(query: Query, hits: Sequence[Hit]) -> list[int]:
    if not any(map(str.isalnum, query.text)):
        return []
    return [at for at, hit in enumerate(hits) if any(map(str.isalnum, hit.passage.searched_text))]


def by_pair(
    asked: Sequence[Asked], score: Callable[[Sequence[tuple[Query, Passage]]], Sequence[float]]
) -> list[list[float] | None]:
    """What a `Scorer` gives, from a function that scores pairs."""
    scores = iter(score([(query, one) for query, passages in asked for one in passages]))
    return [[next(scores) for _ in passages] for _, passages in asked]


def reordered(
    hits: Sequence[Hit], scores: Mapping[int, float], name: str, weight: float
) -> list[Hit]:
    """The hits with a score first, best first, then the others; ranks and scores are made anew.

    Args:
        scores: by place among the hits.
        name: of the scorer, for `Hit.sources`.
        weight: see `ScoringReranker`.
    """
    if not scores:
        return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]
    order = ranked(hits, scores, weight)
    lowest = order[-1][1]
    rest = [at for at in range(len(hits)) if at not in scores]
    # The others' scores only keep them behind: rankings are also sorted by score.
    order += [(at, lowest - place) for place, at in enumerate(rest, 1)]
    return [
        Hit(hits[at].passage, score, rank, {**hits[at].sources, **_source(scores, at, name)})
        for rank, (at, score) in enumerate(order, 1)
    ]


def ranked(
    hits: Sequence[Hit], scores: Mapping[int, float], weight: float
) -> list[tuple[int, float]]:
    """Place and final score of each hit with a score, best first; ties in their old order."""
    places = sorted(scores)
    own = np.array([scores[at] for at in places])
    if weight < 1:
        first = np.array([hits[at].score for at in places])
        own = weight * _standardised(own) + (1 - weight) * _standardised(first)
    values = own.tolist()
    return sorted(zip(places, values, strict=True), key=lambda pair: -pair[1])


def _standardised(values: FloatArray) -> FloatArray:
    spread = values.std()
    return (values - values.mean()) / spread if spread else np.zeros_like(values)


def _source(scores: Mapping[int, float], at: int, name: str) -> dict[str, float]:
    return {name: scores[at]} if at in scores else {}
