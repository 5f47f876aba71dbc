"""Dense retrieval: the passages whose vectors are most similar to the query's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from anaphora.index import Dense, Index
from anaphora.records import Hit, Query
from anaphora.retrieve.encoders import DEFAULT

if TYPE_CHECKING:
    from anaphora.protocols import Encoder


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """Searches the vectors of an index for a query's text, without its variants.

    With the default encoder the score is also the hit's `cosine`.
    """

    name: ClassVar[str] = "dense"
    index: Index
    encoder: Encoder

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        # An encoder maps even a text without a letter or a digit close to some passages.
        searched = [query for query in queries if has_content(query)]
        found = self.index.search(searched, k, Dense(self.encoder)) if searched else []
        if self.encoder.name == DEFAULT:
            found = [
                [Hit(one.passage, one.score, one.rank, one.sources, one.score) for one in hits]
                for hits in found
            ]
        results = iter(found)
        return [next(results) if has_content(query) else [] for query in queries]


def has_content(query: Query) -> bool:
    """Whether a query has a letter or a digit."""
    return any(map(str.isalnum, query.text))
