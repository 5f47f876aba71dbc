"""Inverse document frequency of words, from the statistics of an index."""

from __future__ import annotations

import math
from collections.abc import Sequence

from anaphora.index import TermStatistics


def relative_idf(index: TermStatistics, words: Sequence[str]) -> list[float]:
    """Returns each surface word's BM25 IDF, divided by that of a word in one passage only.

    The values are in 0..1; a word that occurs in no passage has 1.
    """
    passages = index.collection.passages
    largest = _idf(passages, 1)
    return [
        min(_idf(passages, max(word.df, 1)) / largest, 1.0) if largest else 1.0
        for word in index.statistics(words)
    ]


def _idf(passages: int, df: int) -> float:
    return math.log1p(max(passages - df + 0.5, 0) / (df + 0.5))
