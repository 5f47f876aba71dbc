"""Lexical retrieval: BM25 and query likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anaphora.index import Index, LexicalMode
from anaphora.records import Hit, Query


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """Searches an index for the words of a query's text, without its variants."""

    name: ClassVar[str] = "lexical"
    index: Index
    mode: LexicalMode

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return self.index.search(queries, k, self.mode)
