"""nDCG@10 of questions as the configured retriever ranks them, with one adapter or another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from anaphora.adapt.questions import Asked
from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import Adapter, Dense, Index, SearchMode
from anaphora.index.adapter import AdaptedEncoder
from anaphora.records import Hit, Query

_K = 10
_AT_ONCE = 64


class Ranking:
    """Ranks questions over an index, whose own adapter is not used.

    Args:
        config: its retriever and, for questions of a conversation, its rewriter.
    """

    def __init__(self, index: Index, config: Config) -> None:
        self._view = _View(index)
        self.assistant = Assistant(cast(Index, self._view), config.without_time_limits())

    def ndcg(
        self,
        asked: Sequence[Asked],
        adapters: Sequence[Adapter | None],
        progress: Callable[[int], None] = lambda done: None,
    ) -> list[list[float]]:
        """For each adapter the nDCG@10 of each question.

        Args:
            progress: receives how many questions are done.
        """
        found: list[list[float]] = [[] for _ in adapters]
        for start in range(0, len(asked), _AT_ONCE):
            part = asked[start : start + _AT_ONCE]
            for scores, adapter in zip(found, adapters, strict=True):
                scores += self._scores(part, adapter)
            self._view.kept.clear()
            progress(start + len(part))
        return found

    def _scores(self, asked: Sequence[Asked], adapter: Adapter | None) -> list[float]:
        self._view.adapter = adapter
        self._view.without = {str(at): one.without for at, one in enumerate(asked)}
        queries = [replace(one.query, id=str(at)) for at, one in enumerate(asked)]
        ranked = self.assistant.retriever.retrieve(queries, _K)
        return [
            ndcg([one.gains.get(hit.passage.passage_id, 0.0) for hit in hits], one.gains)
            for one, hits in zip(asked, ranked, strict=True)
        ]


def ndcg(ranked: Sequence[float], gains: Mapping[str, float]) -> float:
    """Normalised discounted cumulative gain of the ten first hits, by their gains (Järvelin and
    Kekäläinen 2002, with the logarithm to base 2, as trec_eval has it).

    >>> ndcg([0.0, 1.0], {"one": 1.0}) == 1 / math.log2(3)
    True
    """
    ideal = sorted(gains.values(), reverse=True)[:_K]
    return _discounted(ranked[:_K]) / _discounted(ideal)


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class _View:
    """An index with another adapter, and without some passages for each query, by its id."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.adapter: Adapter | None = None
        self.without: dict[str, frozenset[str]] = {}
        self.kept: dict[Any, list[Hit]] = {}
        """Hits of searches without an adapter, which are the same for every adapter."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def search(self, queries: Sequence[Query], k: int, mode: SearchMode) -> list[list[Hit]]:
        if isinstance(mode, Dense) and isinstance(mode.encoder, AdaptedEncoder):
            return self._searched(queries, k, mode)
        kind = type(mode) if hasattr(mode, "encoder") else mode
        keys = [(query.id, query.text, k, kind) for query in queries]
        missing = [at for at, key in enumerate(keys) if key not in self.kept]
        found = self._searched([queries[at] for at in missing], k, mode)
        self.kept |= {keys[at]: hits for at, hits in zip(missing, found, strict=True)}
        return [self.kept[key] for key in keys]

    def _searched(self, queries: Sequence[Query], k: int, mode: SearchMode) -> list[list[Hit]]:
        if not queries:
            return []
        left_out = [self.without.get(query.id, frozenset()) for query in queries]
        found = self._index.search(queries, k + max(map(len, left_out)), mode)
        return [
            [hit for hit in hits if hit.passage.passage_id not in out][:k]
            for hits, out in zip(found, left_out, strict=True)
        ]
