"""The losses of a bi-encoder, and gradients of batches that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn import functional

from anaphora.train.retriever.batches import Batch

Distillation = Literal["kl", "margin"]


def contrastive(similar: Tensor, batch: Batch, temperature: float) -> Tensor:
    """InfoNCE over all passages of a batch (van den Oord et al., "Representation Learning with
    Contrastive Predictive Coding", 2018), from the cosines [q, p]."""
    logits = similar / temperature
    logits = logits.masked_fill(batch.blocked.to(logits.device), float("-inf"))
    return functional.cross_entropy(logits, batch.own[:, 0].to(logits.device))


def distilled(similar: Tensor, batch: Batch, temperature: float, way: Distillation) -> Tensor:
    """How far a student is from its teacher on each question's own passages.

    "kl" is the divergence of the softmax of both scores. "margin" is the squared error of the
    differences between positive and negative (Hofstätter et al., "Improving Efficient Neural
    Ranking Models with Cross-Architecture Knowledge Distillation", 2020).
    """
    assert batch.teacher is not None
    own = batch.own.to(similar.device)
    student = similar.gather(1, own.clamp(min=0)) / temperature
    teacher, there = batch.teacher.to(similar.device), own >= 0
    if way == "margin":
        pairs = there[:, 1:]
        error = (student[:, :1] - student[:, 1:]) - (teacher[:, :1] - teacher[:, 1:])
        return (error**2 * pairs).sum() / pairs.sum().clamp(min=1)
    lowest = torch.finfo(student.dtype).min
    mine = student.masked_fill(~there, lowest).log_softmax(-1)
    theirs = teacher.masked_fill(~there, lowest).softmax(-1)
    return functional.kl_div(mine, theirs, reduction="batchmean")


def in_chunks(
    embed: Callable[[Sequence[Any]], Tensor],
    inputs: Sequence[Any],
    chunk: int,
    loss: Callable[[Tensor], dict[str, Tensor]],
) -> Iterator[dict[str, Tensor]]:
    """The parts of a loss over the vectors of all inputs, whose backward passes each need the
    activations of `chunk` inputs only.

    The vectors are computed first without activations; the gradients of the loss by them are then
    given to the vectors of each chunk (Gao et al., "Scaling Deep Contrastive Learning Batch Size
    under Memory Limited Setup", 2021).

    Args:
        embed: the vectors [n, d] of n inputs.
        loss: the named parts of the loss of all vectors.
    """
    order = sorted(range(len(inputs)), key=lambda row: len(inputs[row]))
    parts = [order[start : start + chunk] for start in range(0, len(order), chunk)]
    back = torch.tensor([at for at, _ in sorted(enumerate(order), key=lambda one: one[1])])

    def vectors(part: Sequence[int]) -> Tensor:
        return embed([inputs[row] for row in part])

    if len(parts) == 1:
        found = vectors(order)
        yield loss(found[back.to(found.device)])
        return
    # Both passes of a chunk drop out the same.
    seeds = torch.randint(2**31, (len(parts),)).tolist()
    with torch.no_grad():
        whole = torch.cat(
            [_seeded(seed, vectors, part) for seed, part in zip(seeds, parts, strict=True)]
        )
    whole.requires_grad_()
    losses = loss(whole[back.to(whole.device)])
    (gradient,) = torch.autograd.grad(torch.stack(list(losses.values())).sum(), whole)
    start = 0
    for seed, part in zip(seeds, parts, strict=True):
        found = _seeded(seed, vectors, part)
        pull = (found * gradient[start : start + len(part)]).sum()
        start += len(part)
        # Each part shows its share of the loss, and has the gradient of its chunk.
        shares = {name: one.detach() / len(parts) for name, one in losses.items()}
        first = next(iter(shares))
        yield {**shares, first: shares[first] + pull - pull.detach()}


def _seeded(seed: int, work: Callable[[Sequence[int]], Tensor], part: Sequence[int]) -> Tensor:
    torch.manual_seed(seed)
    return work(part)
