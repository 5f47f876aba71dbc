"""Figures of the cross-encoder on held-out questions during training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.crossencoder.spans import best_spans
from anaphora.evaluate.metrics import exact_match, f1
from anaphora.protocols import FloatArray
from anaphora.records import Span
from anaphora.train.crossencoder.batches import Row, assemble
from anaphora.train.crossencoder.network import CrossEncoder
from anaphora.train.crossencoder.questions import Pool, Question

_AT_ONCE = 32


@dataclass(frozen=True)
class Scores:
    """Means in 0..100; `first` is how often the answering passage precedes its negatives."""

    em: float
    f1: float
    first: float


def evaluate(
    model: CrossEncoder, sequencer: Sequencer, pool: Pool, questions: Sequence[Question]
) -> Scores:
    """Reads the answering passage of each question, and ranks it among its negatives."""
    pairs = [
        (one.text, pool.passages[number])
        for one in questions
        for number in (one.passages[0], *one.negatives[:2])
    ]
    windows = [
        (pair, window)
        for pair, (question, passage) in enumerate(pairs)
        for window in sequencer.windows(question, passage.full_heading, passage.text)
    ]
    best: list[Span | None] = [None] * len(pairs)
    relevance = np.full(len(pairs), -np.inf)
    order = sorted(range(len(windows)), key=lambda n: len(windows[n][1].ids))
    for start in range(0, len(order), _AT_ONCE):
        part = [windows[n] for n in order[start : start + _AT_ONCE]]
        scores, spans = _run(model, [window for _, window in part])
        for row, (pair, window) in enumerate(part):
            relevance[pair] = max(relevance[pair], scores[row])
            found = best_spans(window, spans[row], pairs[pair][1].text)
            known = best[pair]
            if found and (known is None or found[0].score > known.score):
                best[pair] = found[0]
    at = 0
    em: list[float] = []
    overlap: list[float] = []
    first: list[bool] = []
    for one in questions:
        count = 1 + len(one.negatives[:2])
        first.append(relevance[at] >= relevance[at : at + count].max())
        span = best[at]
        text = pool.passages[one.passages[0]].text[span.start : span.end] if span else ""
        if one.answers and not one.is_statement:
            em.append(exact_match(text, one.answers, one.lang) or 0.0)
            overlap.append(f1(text, one.answers, one.lang) or 0.0)
        at += count
    return Scores(*(round(100 * float(np.mean(values)), 1) for values in (em, overlap, first)))


def _run(model: CrossEncoder, windows: Sequence[Window]) -> tuple[FloatArray, FloatArray]:
    with torch.inference_mode():
        batch = assemble([[Row(window, -1)] for window in windows])
        relevance, spans, _ = model(batch.to(model.marks.device))
    return relevance.cpu().numpy(), spans.cpu().numpy()
