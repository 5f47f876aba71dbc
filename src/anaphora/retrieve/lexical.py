"""Lexical retrieval: BM25 and two language models, by Lucene's formulas.

Lucene rounds a passage's length to one byte before it scores; the index keeps that byte, so the
scores here equal Lucene's (bench/agreement.py holds them to 1e-4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anaphora.errors import UsageError
from anaphora.index import CollectionStatistics, Index, Similarity
from anaphora.protocols import FloatArray, IntArray
from anaphora.records import Hit, Query
from anaphora.retrieve.hits import to_hits


@dataclass(frozen=True, slots=True)
class BM25:
    """Robertson and Zaragoza 2009, in the form Lucene has had since version 8.

    Raises:
        UsageError: `k1` is negative or `b` is outside 0..1.
    """

    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise UsageError(f"BM25 needs k1 >= 0 and b in 0..1, not k1={self.k1}, b={self.b}")

    def scores(
        self,
        collection: CollectionStatistics,
        df: IntArray,
        ttf: IntArray,
        tf: IntArray,
        length: IntArray,
    ) -> FloatArray:
        idf = np.log1p((collection.passages - df + 0.5) / (df + 0.5))
        norm = self.k1 * (1 - self.b + self.b * length / (collection.average_length or 1.0))
        return np.asarray(idf * (tf / (tf + norm)))


@dataclass(frozen=True, slots=True)
class LMDirichlet:
    """Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2004), floored per term.

    Lucene's floor is 0. Here it is a billionth, so that a passage is found however common its
    words are, before those that hold none of them.

    Raises:
        UsageError: `mu` is not positive.
    """

    mu: float = 1000.0

    def __post_init__(self) -> None:
        if self.mu <= 0:
            raise UsageError(f"LM-Dirichlet needs mu > 0, not {self.mu}")

    def scores(
        self,
        collection: CollectionStatistics,
        df: IntArray,
        ttf: IntArray,
        tf: IntArray,
        length: IntArray,
    ) -> FloatArray:
        # Few frequencies among many pairs: a logarithm for each of them is enough.
        first = np.flatnonzero(np.diff(tf, prepend=-1))
        seen = np.log1p(tf[first] / (self.mu * _probability(collection, ttf)))
        seen = seen.repeat(np.diff(first, append=len(tf)), axis=1)
        return np.asarray(np.maximum(seen + np.log(self.mu / (length + self.mu)), 1e-9))


@dataclass(frozen=True, slots=True)
class LMJelinekMercer:
    """Query likelihood with linear smoothing (Zhai and Lafferty 2004).

    Raises:
        UsageError: `lam` is not strictly between 0 and 1.
    """

    lam: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.lam < 1:
            raise UsageError(f"LM-Jelinek-Mercer needs a lambda between 0 and 1, not {self.lam}")

    def scores(
        self,
        collection: CollectionStatistics,
        df: IntArray,
        ttf: IntArray,
        tf: IntArray,
        length: IntArray,
    ) -> FloatArray:
        background = self.lam * _probability(collection, ttf)
        return np.asarray(np.log1p((1 - self.lam) * tf / np.maximum(length, 1) / background))


def _probability(collection: CollectionStatistics, ttf: IntArray) -> FloatArray:
    return np.asarray((ttf + 1) / (collection.tokens + 1))


@dataclass(frozen=True, slots=True)
class LexicalRetriever:
    """Searches an engine's inverted lists. Looks at the query's text, not at its variants."""

    engine: Index
    model: Similarity
    name: str = "lexical"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return to_hits(self.engine, self.engine.lexical(queries, k, self.model), self.name)
