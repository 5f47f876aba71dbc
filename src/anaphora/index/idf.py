"""How much a word says: its weight by the index's own term statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from anaphora.index import Index


def relative_idf(engine: Index, words: Sequence[str]) -> list[float]:
    """Each surface word's BM25 weight, as a share of that of a word in one passage only.

    In 0..1; a word that no passage holds has 1.
    """
    passages = engine.collection.passages
    most = _weight(passages, 1)
    return [
        min(_weight(passages, max(term.df, 1)) / most, 1.0) if most else 1.0
        for term in engine.statistics(words)
    ]


def _weight(passages: int, df: int) -> float:
    return math.log1p(max(passages - df + 0.5, 0) / (df + 0.5))
