"""The reference-based metric of MTRAG that needs no judge.

Katsis et al. (2025), "MTRAG: A Multi-Turn Conversational Benchmark for Evaluating
Retrieval-Augmented Generation Systems", section 5: RB_alg, the harmonic mean of BERTScore's recall
of the reference, ROUGE-L, and BERTScore's precision against the passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import harmonic_mean

from anaphora.evaluate.metrics.bertscore import (
    BertScore,
    TokenEncoder,
    bertscore,
    default_encoder,
)
from anaphora.evaluate.metrics.rouge import rouge


def rb_alg(
    prediction: str,
    references: Sequence[str],
    passages: Sequence[str],
    lang: str,
    encoder: TokenEncoder,
) -> float | None:
    """One answer against its references and the passages that it was written from, in 0..1.

    The best reference counts, and of the passages the one with the highest precision. None where
    there is no reference or no passage.
    """
    golds = [one for one in references if one.strip()]
    sources = [one for one in passages if one.strip()]
    if not golds or not sources:
        return None
    if not prediction.strip():
        return 0.0
    scores = bertscore([prediction] * (len(golds) + len(sources)), [*golds, *sources], encoder)
    complete = max(_known(one).recall for one in scores[: len(golds)])
    faithful = max(_known(one).precision for one in scores[len(golds) :])
    overlap = rouge(prediction, golds, lang, kind="L") or 0.0
    return harmonic_mean([complete, faithful, overlap])


def default_rb_alg(
    prediction: str, references: Sequence[str], passages: Sequence[str], lang: str
) -> float | None:
    """`rb_alg` by the encoder of `bertscore_f1`.

    Raises:
        ModelUnavailable: the encoder's weights are not installed.
    """
    return rb_alg(prediction, references, passages, lang, default_encoder())


def _known(score: BertScore | None) -> BertScore:
    return score or BertScore(0.0, 0.0)
