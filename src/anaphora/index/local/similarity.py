"""The formulas of lexical search, as Lucene computes them.

Lucene rounds a passage's length to one byte before it scores. The index keeps that byte, so the
scores equal Lucene's (bench/agreement.py compares them to 1e-4).
"""

from __future__ import annotations

import numpy as np

from anaphora.index import BM25, CollectionStatistics, LexicalMode, LMDirichlet
from anaphora.protocols import FloatArray, IntArray


def term_scores(
    mode: LexicalMode,
    collection: CollectionStatistics,
    df: IntArray,
    ttf: IntArray,
    tf: IntArray,
    length: IntArray,
) -> FloatArray:
    """Returns what each of w words adds to a passage's score: [w, n], never negative.

    Every formula grows with the term frequency and falls with the length.

    Args:
        df: number of passages that hold each word, [w, 1].
        ttf: number of occurrences of each word in all passages, [w, 1].
        tf: occurrences of the word in the passage, [n], ascending.
        length: the passage's length in tokens, [n].
    """
    if isinstance(mode, BM25):
        idf = np.log1p((collection.passages - df + 0.5) / (df + 0.5))
        norm = mode.k1 * (1 - mode.b + mode.b * length / (collection.average_length or 1.0))
        return np.asarray(idf * (tf / (tf + norm)))
    probability = (ttf + 1) / (collection.tokens + 1)
    if isinstance(mode, LMDirichlet):
        # Few frequencies among many pairs: one logarithm for each frequency is enough.
        first = np.flatnonzero(np.diff(tf, prepend=-1))
        seen = np.log1p(tf[first] / (mode.mu * probability))
        seen = seen.repeat(np.diff(first, append=len(tf)), axis=1)
        # Lucene's floor is 0. A billionth keeps passages whose words are all common in the results.
        return np.asarray(np.maximum(seen + np.log(mode.mu / (length + mode.mu)), 1e-9))
    background = mode.lam * probability
    return np.asarray(np.log1p((1 - mode.lam) * tf / np.maximum(length, 1) / background))
