"""Character 3-gram recall: the part of the gold answer that a longer one contains.

Chirkova et al., "Retrieval-augmented generation in multilingual settings" (2024), section 3. Kind
to long answers and to names spelled otherwise, where words would not match at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from anaphora.evaluate.metrics.scores import best
from anaphora.evaluate.metrics.tokens import runs, tokenized, writes_unspaced

_N: Final = 3


def ngram_recall(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """The fraction of a reference's character 3-grams that the prediction has, the best of them.

    3-grams do not reach over words. A word shorter than three characters is one n-gram, to be
    found as a whole word; in writing without spaces it may be anywhere.
    None where no reference says anything.

    >>> ngram_recall("日本的首都是东京。", ["东京"], "zh")
    1.0
    >>> round(ngram_recall("sofia kovalevskaia", ["Sofya Kovalevskaya"], "en"), 3)
    0.692
    """
    there = Counter(gram for run in runs(prediction, lang) for gram in _held(run))

    def share(gold: Sequence[str]) -> float | None:
        asked = Counter(gram for run in gold for gram in _asked(run))
        return (there & asked).total() / asked.total()

    return best(share, tokenized(references, lang, runs))


def _asked(run: str) -> list[str]:
    return [run[start : start + _N] for start in range(max(1, len(run) - _N + 1))]


def _held(run: str) -> list[str]:
    if not writes_unspaced(run):
        return _asked(run)
    return [
        run[start : start + size]
        for size in range(1, _N + 1)
        for start in range(len(run) - size + 1)
    ]
