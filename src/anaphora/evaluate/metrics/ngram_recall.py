"""Character 3-gram recall: the part of the gold answer that a longer one contains.

Chirkova et al., "Retrieval-augmented generation in multilingual settings" (2024), section 3. Kind
to long answers and to names spelled otherwise, where words would not match at all.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from anaphora.evaluate.metrics.scores import best, several
from anaphora.evaluate.metrics.tokens import runs, tokenized, writes_unspaced

_N: Final = 3
CAP: Final = 500
"""Characters of a reference; docs/decisions/evaluation.md says why as many."""


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


def capped_ngram_recall(
    prediction: str, references: Sequence[str], lang: str, cap: int = CAP
) -> float | None:
    """`ngram_recall`, but of a reference longer than `cap` characters the 3-grams of `cap`
    characters are enough: its recall is multiplied by its length / `cap`, up to 1.

    So an answer of limited length can be right where the reference is long. Thakur et al. (2021),
    "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models",
    cap the recall of a ranking in this way.

    >>> gold = ["東京は首都です"]
    >>> [round(capped_ngram_recall("東京は首", gold, "ja", cap), 2) for cap in (7, 4, 2)]
    [0.4, 0.7, 1.0]
    """
    shares = (
        (ngram_recall(prediction, [text], lang), len(unicodedata.normalize("NFC", text)))
        for text in several(references)
    )
    return max(
        (min(1.0, share * max(1.0, length / cap)) for share, length in shares if share is not None),
        default=None,
    )


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
