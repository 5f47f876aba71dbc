"""BLEU by sacrebleu, on our tokens.

Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation" (2002). BLEU-n is
cumulative: the geometric mean of the precisions of orders 1 to n, times the brevity penalty.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from anaphora.errors import AnaphoraError
from anaphora.evaluate.metrics.tokens import Split, tokenized, tokens

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def bleu(
    prediction: str, references: Sequence[str], lang: str, order: int = 4, split: Split = tokens
) -> float | None:
    """BLEU of one text, for scores turn by turn: those of a corpus come from `corpus_bleu`.

    An order without a match counts as 0.1 matches (Chen and Cherry, "A Systematic Comparison of
    Smoothing Techniques for Sentence-Level BLEU", 2014, method 1); orders that a short prediction
    does not have are left out. None where no reference says anything.

    >>> round(bleu("the cat sat there", ["the cat sat here"], "en", 2), 4)
    0.7071
    """
    golds = [" ".join(gold) for gold in tokenized(references, lang, split)]
    if not golds:
        return None
    mine = " ".join(split(prediction, lang))
    return _share(_scorer(order, "floor").sentence_score(mine, golds).score)


def corpus_bleu(
    predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]], order: int = 4
) -> float | None:
    """BLEU of n tokenised texts against one tokenised reference each, unsmoothed.

    Texts without a reference are left out; None where all are. Orders that no prediction is long
    enough for are left out too.

    Raises:
        ValueError: there is not one reference for each prediction.
        AnaphoraError: sacrebleu is not installed.
    """
    pairs = [(mine, gold) for mine, gold in zip(predictions, references, strict=True) if gold]
    if not pairs:
        return None
    mine = [" ".join(text) for text, _ in pairs]
    golds = [" ".join(text) for _, text in pairs]
    return _share(_scorer(order, "none").corpus_score(mine, [golds]).score)


def _share(percent: float) -> float:
    return min(percent / 100, 1.0)


@lru_cache(maxsize=8)
def _scorer(order: int, smooth: str) -> BLEU:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise AnaphoraError(
            'BLEU needs sacrebleu, which is not installed: `pip install "anaphora[eval]"`'
        ) from error
    return BLEU(
        tokenize="none",
        force=True,
        smooth_method=smooth,
        max_ngram_order=order,
        effective_order=True,
    )
