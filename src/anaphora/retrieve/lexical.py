"""Lexical retrieval: BM25 and query likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anaphora.index import Index, LexicalMode, TermStatistics
from anaphora.language import analyzer, tokenize
from anaphora.records import Hit, Query

_ENOUGH = 0.5
"""Where the documents hold this share of a question's words, lexical retrieval counts in full."""


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """Searches an index for the words of a query's text, without its variants."""

    name: ClassVar[str] = "lexical"
    index: Index
    mode: LexicalMode

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return self.index.search(queries, k, self.mode)


def familiarity(index: TermStatistics, query: Query) -> float:
    """How much lexical retrieval says about a query, from 0 to 1: less where the documents hold
    hardly any of its words.

    Such a question is mostly in a language that the documents are not in, and what it has in common
    with them is chance. Stop words do not count.
    """
    own = analyzer(query.lang).term
    words = [token for token in tokenize(query.text) if own(token)]
    if not words:
        return 1.0
    known = sum(word.df > 0 for word in index.statistics(words))
    return min(1.0, known / len(words) / _ENOUGH)
