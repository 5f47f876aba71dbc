"""The heads of the spans, fitted again to layers that were trained for something else."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch

from anaphora.crossencoder.sequence import Sequencer
from anaphora.models.backbone import shared_backbone
from anaphora.train.crossencoder.batches import Sampler, batches
from anaphora.train.crossencoder.network import CrossEncoder, span_loss
from anaphora.train.crossencoder.questions import Pool, Question

_TOKENS = 6_000
"""Of a batch, about."""
_EPOCHS = 8
_LEARNING_RATE = 2e-3


def fit_span_heads(
    model: CrossEncoder, asked: Sequence[tuple[Pool, Sequence[Question]]], seed: int
) -> None:
    """Trains only the linear heads of the spans, on what the layers give for questions, each part
    of which has its own pool. The layers are computed once."""
    rng = random.Random(seed)
    sequencer = Sequencer(shared_backbone().tokenizer)
    with torch.no_grad():
        read = [
            (model.encode(batch.ids, batch.kinds, batch.mask), batch)
            for pool, questions in asked
            for batch in batches(questions, Sampler(pool, sequencer, 1), _TOKENS, rng)
        ]
    heads = [model.heads[name] for name in ("span_w", "span_b", "null_w")]
    model.requires_grad_(False)
    for head in heads:
        head.requires_grad = True
    optimizer = torch.optim.AdamW(heads, lr=_LEARNING_RATE, weight_decay=0.0)
    steps = [one for _ in range(_EPOCHS) for one in rng.sample(read, len(read))]
    for step, (hidden, batch) in enumerate(steps):
        optimizer.param_groups[0]["lr"] = _LEARNING_RATE * (1 - step / len(steps))
        optimizer.zero_grad()
        span_loss(model.scores(hidden, batch)[1], batch).backward()
        optimizer.step()


def with_short_answers(questions: Sequence[Question], most: int, seed: int) -> list[Question]:
    """A sample of the questions whose answer is a short part of a passage."""
    found = [one for one in questions if one.answers and one.passages and not one.is_statement]
    return random.Random(seed).sample(found, min(most, len(found)))
