"""One ranking out of several: of different retrievers, and of different phrasings of a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np

from anaphora.errors import UsageError
from anaphora.records import Hit, Query
from anaphora.retrieve.changes import lowering_changes
from anaphora.retrieve.copies import without_copies
from anaphora.retrieve.last_turn import last_turn, preferring

Method = Literal["rrf", "weighted"]
IN_CONTEXT = "dense"
"""The retriever that also searches a question behind the earlier ones."""
_Rankings = list[tuple[float, Sequence[Hit]]]

_AS_MANY = 8
"""Times the hits that are asked for: a manual may be there in so many copies."""


class Named(Protocol):
    """A retriever whose scores are in `Hit.sources` under its name."""

    @property
    def name(self) -> str: ...

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...


@dataclass(frozen=True, slots=True)
class Fusion:
    """Runs every retriever on every phrasing of a query and fuses their rankings.

    "rrf" adds weight / (`rank_constant` + rank) (Cormack, Clarke and Büttcher 2009). "weighted"
    adds the weight times the number of standard deviations of its ranking that a score is above the
    lowest. For this a ranking shorter than the query's longest is padded with zeros, so that
    passages with a rare word stand out. A variant counts `variant_weight` times the query's own
    text. The retriever `IN_CONTEXT` also searches `Query.in_context`, which counts
    `in_context_weight` times the query's own text and is a source of its own. Each ranking holds
    `depth` hits, or as many as requested if those are more. A single ranking is not fused, and its
    hits keep their scores. `trust` says by how much the weight of a retriever's ranking is
    multiplied for a phrasing.
    Near-identical passages of several documents count once; see `without_copies`. Lists of changes
    lose half of a fused score; see `lowering_changes`.

    In a conversation, passages of documents that the turn before is about gain up to
    `context_weight` times the range of the scores; see `preferring`. With "rrf" they gain nothing,
    as its scores are too close to each other.

    Raises:
        UsageError: there is no retriever, a weight is negative, or a weight's name is unknown.
    """

    retrievers: Sequence[Named]
    method: Method = "rrf"
    weights: Mapping[str, float] = field(default_factory=dict)
    variant_weight: float = 0.5
    rank_constant: float = 60.0
    depth: int = 100
    context_weight: float = 0.0
    in_context_weight: float = 0.0
    trust: Mapping[str, Callable[[Query], float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [retriever.name for retriever in self.retrievers]
        if not names:
            raise UsageError("fusion needs at least one retriever")
        for name, weight in self.weights.items():
            if name not in names:
                raise UsageError(f"no retriever is called {name!r}; there are {', '.join(names)}")
            if weight < 0:
                raise UsageError(f"the weight of {name!r} is negative")

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        rankings = self._rankings(queries, k)
        before = self._before(queries, k)
        found = []
        for query, parts in zip(queries, rankings, strict=True):
            hits = self._fused(parts, k, before.get(last_turn(query), ()))
            if len(parts) > 1:
                hits = lowering_changes(query, hits)
            found.append(without_copies(hits, k))
        return found

    def _rankings(self, queries: Sequence[Query], k: int) -> list[_Rankings]:
        """The rankings of each query, by every retriever and for every phrasing, weighted."""
        searches = [
            (number, replace(query, text=text, variants=()), self._weight(place))
            for number, query in enumerate(queries)
            for place, text in enumerate(query.phrasings)
        ]
        in_context = [
            (number, replace(query, text=query.in_context, variants=()), self.in_context_weight)
            for number, query in enumerate(queries)
            if query.in_context and self.in_context_weight
        ]
        rankings: list[_Rankings] = [[] for _ in queries]
        for retriever in self.retrievers:
            weight = self.weights.get(retriever.name, 1.0)
            trust = self.trust.get(retriever.name, _always)
            searched = searches + (in_context if retriever.name == IN_CONTEXT else [])
            found = retriever.retrieve([query for _, query, _ in searched], max(k, self.depth))
            found = [*found[: len(searches)], *map(_in_context, found[len(searches) :])]
            for (number, query, factor), hits in zip(searched, found, strict=True):
                rankings[number].append((weight * factor * trust(query), hits))
        return rankings

    def _before(self, queries: Sequence[Query], k: int) -> dict[str, Sequence[Hit]]:
        """The hits of the turn before each query, by its text."""
        if not self.context_weight or self.method == "rrf":
            return {}
        turns = {text: query for query in queries if (text := last_turn(query))}
        searched = [
            replace(one, text=text, variants=(), in_context="") for text, one in turns.items()
        ]
        rankings = self._rankings(searched, k) if searched else []
        return {text: self._fused(parts, k) for text, parts in zip(turns, rankings, strict=True)}

    def _fused(self, parts: _Rankings, k: int, before: Sequence[Hit] = ()) -> Sequence[Hit]:
        hits = parts[0][1]
        if len(parts) > 1:
            most = sum(len(one) for _, one in parts) if before else _AS_MANY * k
            hits = fuse(parts, most, self.method, self.rank_constant)
        return preferring(hits, before, self.context_weight)[: _AS_MANY * k] if before else hits

    def _weight(self, place: int) -> float:
        return self.variant_weight if place else 1.0


def fuse(
    rankings: Sequence[tuple[float, Sequence[Hit]]],
    k: int,
    method: Method = "rrf",
    rank_constant: float = 60.0,
) -> list[Hit]:
    """The k best of weighted rankings; of equal scores the passage met first precedes.

    A hit keeps, of each retriever, the best score that it gave the passage, and the best cosine.
    """
    scores: dict[str, float] = {}
    best: dict[str, Hit] = {}
    sources: dict[str, dict[str, float]] = {}
    longest = max((len(hits) for _, hits in rankings), default=0)
    for weight, hits in rankings:
        if method == "rrf":
            gains = [1 / (rank_constant + hit.rank) for hit in hits]
        else:
            gains = _standardised([hit.score for hit in hits], longest)
        for hit, gain in zip(hits, gains, strict=True):
            key = hit.passage.passage_id
            scores[key] = scores.get(key, 0.0) + weight * gain
            first = best.setdefault(key, hit)
            if hit.adapted and not first.adapted:
                best[key] = first = replace(first, adapted=True)
            if hit.cosine is not None and (first.cosine is None or hit.cosine > first.cosine):
                best[key] = replace(first, cosine=hit.cosine)
            seen = sources.setdefault(key, {})
            for name, score in hit.sources.items():
                seen[name] = max(score, seen.get(name, score))
    order = sorted(scores, key=scores.__getitem__, reverse=True)[:k]
    return [
        replace(best[key], score=scores[key], rank=rank, sources=sources[key])
        for rank, key in enumerate(order, 1)
    ]


def _in_context(hits: Sequence[Hit]) -> list[Hit]:
    """Hits of a search in context, which say so and have no cosine with the question itself."""
    return [
        replace(
            hit,
            sources={f"{name} in context": score for name, score in hit.sources.items()},
            cosine=None,
        )
        for hit in hits
    ]


def _always(query: Query) -> float:
    return 1.0


def _standardised(scores: Sequence[float], count: int) -> list[float]:
    """Standard deviations above the lowest of `count` scores; missing ones are 0."""
    if not scores:
        return []
    every = np.zeros(count)
    every[: len(scores)] = scores
    above = every - every.min()
    if not above.any():
        return [1.0] * len(scores)
    gains: list[float] = (above[: len(scores)] / every.std()).tolist()
    return gains
