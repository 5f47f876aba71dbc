"""Dense retrieval: the passages whose vectors lie nearest to the query's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anaphora.index import Index
from anaphora.records import Hit, Query
from anaphora.retrieve.hits import to_hits

if TYPE_CHECKING:
    from anaphora.protocols import Encoder


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """Searches an engine's vectors. Looks at the query's text, not at its variants."""

    engine: Index
    encoder: Encoder
    name: str = "dense"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        # A text without a letter or a digit means nothing to the encoder, but is near to something.
        asked = [query for query in queries if any(map(str.isalnum, query.text))]
        if not asked:
            return [[] for _ in queries]
        vectors = self.encoder.encode_queries([query.text for query in asked])
        found = iter(to_hits(self.engine, self.engine.dense(vectors, k), self.name))
        return [next(found) if any(map(str.isalnum, query.text)) else [] for query in queries]
