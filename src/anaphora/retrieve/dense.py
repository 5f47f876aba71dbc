"""Dense retrieval: the passages whose vectors are most similar to the query's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from anaphora.index import Adapted, Dense, Index
from anaphora.index.adapter import AdaptedEncoder
from anaphora.models.similarity import comparable
from anaphora.records import Hit, Query
from anaphora.retrieve.encoders import DEFAULT

if TYPE_CHECKING:
    from anaphora.protocols import Encoder


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """Searches the vectors of an index for a query's text, without its variants.

    If the index has an adapter, it shifts the query's vector. With the default encoder a hit has
    its `cosine`, which is the score without a shift on another scale.
    """

    name: ClassVar[str] = "dense"
    index: Index
    encoder: Encoder

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        # An encoder maps even a text without a letter or a digit close to some passages.
        searched = [query for query in queries if has_content(query)]
        results = iter(self._found(searched, k) if searched else [])
        return [next(results) if has_content(query) else [] for query in queries]

    def _found(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        adapter = self.index.adapter if isinstance(self.index, Adapted) else None
        if adapter and adapter.encoder != self.encoder.name:
            adapter = None  # an upgrade ends
        has_cosines = self.encoder.name == DEFAULT
        plain: list[list[Hit]] = []
        if adapter is None or has_cosines:
            plain = self.index.search(queries, k, Dense(self.encoder))
        if has_cosines:
            plain = [[replace(hit, cosine=comparable(hit.score)) for hit in hits] for hits in plain]
        if adapter is None:
            return plain
        found = self.index.search(queries, k, Dense(AdaptedEncoder(self.encoder, adapter)))
        cosines = [{hit.passage.passage_id: hit.cosine for hit in hits} for hits in plain]
        return [
            [replace(hit, adapted=True, cosine=known.get(hit.passage.passage_id)) for hit in hits]
            for hits, known in zip(found, cosines or [{}] * len(found), strict=True)
        ]


def has_content(query: Query) -> bool:
    """Whether a query has a letter or a digit."""
    return any(map(str.isalnum, query.text))
