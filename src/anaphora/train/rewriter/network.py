"""The linker in torch: upper layers over the stored output of the shared ones, and heads.

The heads compute the same as `anaphora.rewrite.linking.heads`, with the same names.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.models.weights import FloatArray, Weights
from anaphora.rewrite.linking import heads as shapes
from anaphora.rewrite.linking.sequence import DISTANCES, PLACES, ROLES
from anaphora.train.layers import Layer, training_precision


@dataclass
class Tokens:
    """The input of the upper layers: b examples of up to t tokens and n nodes, padded.

    `first` and `last` are the token ranges of the nodes.
    """

    hidden: Tensor  # [b, t, d]
    roles: Tensor  # [b, t]
    distances: Tensor  # [b, t]
    mask: Tensor  # [b, t]
    first: Tensor  # [b, n]
    last: Tensor  # [b, n]
    place: Tensor  # [b, n]


@dataclass
class Targets:
    """The targets of the heads: b examples of up to c context words and g gaps, padded.

    `gold` has the gaps that receive a span in a slot, as rows (example, gap, slot); `places`
    [r, k, 2] are the first and last nodes of these spans, 0 where there are fewer than k. The rows
    of `phrases` are (example, gap, slot, phrase, first node, last node).
    """

    context: Tensor  # [b, c1] mask of the nodes of the context
    reach: Tensor  # [b, c1] the last node of the longest span from here
    left: Tensor  # [b, g] node before the gap
    right: Tensor  # [b, g] node after the gap
    null: Tensor  # [r0, 3] (example, gap, slot) without a span
    gold: Tensor  # [r, 3]
    places: Tensor  # [r, k, 2]
    phrases: Tensor  # [p, 6]
    words: Tensor  # [w, 2] (example, node) of question words
    deleted: Tensor  # [w] 0 or 1


@dataclass
class Batch:
    tokens: Tokens
    targets: Targets


class Upper(nn.Module):  # type: ignore[misc]
    """Layers `layers` of the backbone, over the hidden states of the layers below."""

    def __init__(self, weights: Weights, layers: range, input_dropout: float = 0.0) -> None:
        super().__init__()
        width = weights.sizes.hidden
        self.input_dropout = input_dropout
        self.layers = nn.ModuleList([Layer(weights, number) for number in layers])
        self.marks = nn.ParameterDict(
            {
                "roles": nn.Parameter(torch.zeros(ROLES, width)),
                "distances": nn.Parameter(torch.zeros(DISTANCES, width)),
                "places": nn.Parameter(torch.zeros(PLACES, width)),
            }
        )

    def encode(
        self,
        hidden: Tensor,
        roles: Tensor,
        distances: Tensor,
        mask: Tensor,
        precision: torch.dtype = torch.float32,
    ) -> Tensor:
        """Hidden states [b, t, d] from those of the shared layers [b, t, d]."""
        x = hidden + self.marks["roles"][roles] + self.marks["distances"][distances]
        x = x.to(precision)
        ignored = (~mask[:, None, None]).to(x.dtype) * -1e4
        for layer in self.layers:
            x = layer(x, ignored)
        return x

    def nodes(self, x: Tensor, first: Tensor, last: Tensor, place: Tensor) -> Tensor:
        """Means over the tokens of each node, [b, n, d]."""
        return node_means(x, first, last) + self.marks["places"][place]

    def represent(self, tokens: Tokens) -> Tensor:
        """Vectors of the nodes, [b, n, d]."""
        hidden = functional.dropout(tokens.hidden, self.input_dropout, self.training)
        precision = training_precision(hidden.device)
        x = self.encode(hidden, tokens.roles, tokens.distances, tokens.mask, precision)
        return self.nodes(x, tokens.first, tokens.last, tokens.place)


def node_means(x: Tensor, first: Tensor, last: Tensor) -> Tensor:
    """Means of x [b, t, d] over the tokens from `first` to `last` (exclusive) [b, n]."""
    sums = functional.pad(x.float().cumsum(1), (0, 0, 1, 0))
    width = sums.shape[-1]
    total = _take(sums, last, width) - _take(sums, first, width)
    return total / (last - first).clamp(min=1)[..., None]


class LinkHeads(nn.ParameterDict):  # type: ignore[misc]
    """The heads over node vectors of any width, for `phrases` phrases."""

    def __init__(self, width: int, phrases: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout = dropout
        gap, edge, drop = shapes.GAP, shapes.EDGE, shapes.DELETION
        slots, parts = shapes.SLOTS, shapes.PHRASES
        for name, shape in {
            "left": (width, gap),
            "right": (width, gap),
            "first": (width, edge),
            "last": (width, edge),
            "drop": (width, drop),
            "start": (slots, gap, edge),
            "end": (slots, gap, edge),
            "span": (edge, edge),
            "start.w": (edge, slots),
            "end.w": (edge, slots),
            "null": (gap, slots),
            "drop.w": (drop,),
            "phrase.gap": (parts, gap, 1 + phrases),
            "phrase.first": (parts, edge, 1 + phrases),
            "phrase.last": (parts, edge, 1 + phrases),
        }.items():
            scale = shape[-2] ** -0.5 if len(shape) > 1 else shape[0] ** -0.5
            if name in ("start", "end", "span"):
                scale /= 4
            self[name.replace(".", "_")] = nn.Parameter(torch.randn(shape) * scale)
        for name, shape in {
            "gap.b": (gap,),
            "first.b": (edge,),
            "last.b": (edge,),
            "drop.b": (drop,),
            "drop.c": (1,),
            "phrase.b": (parts, 1 + phrases),
        }.items():
            self[name.replace(".", "_")] = nn.Parameter(torch.zeros(shape))

    def losses(
        self, nodes: Tensor, batch: Targets, links: Tensor | None = None
    ) -> dict[str, Tensor]:
        """The parts of the loss, each summed over the batch and divided by its examples.

        Args:
            nodes: vectors [b, n, d].
            links: [b, g, c1], added to the scores of all insertion links.
        """
        nodes = functional.dropout(nodes, self.dropout, self.training)
        width = nodes.shape[-1]
        gaps = functional.relu(
            _take(nodes, batch.left, width) @ self["left"]
            + _take(nodes, batch.right, width) @ self["right"]
            + self["gap_b"]
        )
        context = nodes[:, : batch.context.shape[1]]
        firsts = functional.relu(context @ self["first"] + self["first_b"])
        lasts = functional.relu(context @ self["last"] + self["last_b"])
        gaps, firsts, lasts = (
            functional.dropout(part, self.dropout, self.training).float()
            for part in (gaps, firsts, lasts)
        )
        starts = torch.einsum("bgx,sxy,bcy->bgsc", gaps, self["start"], firsts)
        starts = starts + (firsts @ self["start_w"]).transpose(1, 2)[:, None]
        starts[..., 0] = starts[..., 0] + gaps @ self["null"]
        if links is not None:
            starts = starts + links[:, :, None]
        starts = starts.masked_fill(~batch.context[:, None, None], -1e4)
        log_probabilities = functional.log_softmax(starts, dim=-1)
        count = len(nodes)
        null = log_probabilities[batch.null[:, 0], batch.null[:, 1], batch.null[:, 2], 0]
        parts = {"null": -null.sum() / count}
        if len(batch.gold):
            parts["span"] = self._spans(batch, gaps, firsts, lasts, log_probabilities).sum() / count
        at, gap, slot, phrase, first, last = batch.phrases.unbind(1)
        scores = torch.zeros(len(batch.phrases), self["phrase_b"].shape[1])
        for number in range(shapes.PHRASES):
            rows = slot == number
            scores[rows] = (
                gaps[at[rows], gap[rows]] @ self["phrase_gap"][number]
                + firsts[at[rows], first[rows]] @ self["phrase_first"][number]
                + lasts[at[rows], last[rows]] @ self["phrase_last"][number]
                + self["phrase_b"][number]
            )
        parts["phrase"] = functional.cross_entropy(scores, phrase, reduction="sum") / count
        dropped = functional.relu(
            nodes[batch.words[:, 0], batch.words[:, 1]] @ self["drop"] + self["drop_b"]
        )
        logits = dropped.float() @ self["drop_w"] + self["drop_c"]
        parts["deletion"] = (
            functional.binary_cross_entropy_with_logits(logits, batch.deleted, reduction="sum")
            / count
        )
        return parts

    def _spans(
        self, batch: Targets, gaps: Tensor, firsts: Tensor, lasts: Tensor, log_probabilities: Tensor
    ) -> Tensor:
        """-log of the probability that one of the places of a span is chosen, [r]."""
        at, gap, slot = batch.gold.unbind(1)
        start, end = batch.places.unbind(2)
        start_score = log_probabilities[at[:, None], gap[:, None], slot[:, None], start]
        wanted = torch.einsum("rx,rxy->ry", gaps[at, gap], self["end"][slot])
        ends = torch.einsum("ry,rcy->rc", wanted, lasts[at])
        ends = ends + (lasts @ self["end_w"])[at, :, slot]
        links = torch.einsum("rkx,xy,rcy->rkc", firsts[at[:, None], start], self["span"], lasts[at])
        ends = ends[:, None] + links
        nodes = torch.arange(ends.shape[-1])
        reach = batch.reach[at[:, None], start]
        allowed = (nodes >= start[..., None]) & (nodes <= reach[..., None])
        ends = functional.log_softmax(ends.masked_fill(~allowed, -1e4), dim=-1)
        end_score = ends.gather(2, end[..., None])[..., 0]
        both = (start_score + end_score).masked_fill(start == 0, -1e4)
        return -torch.logsumexp(both, dim=1)


class Linker(Upper):
    """The upper layers, and the heads for `phrases` phrases."""

    def __init__(
        self,
        weights: Weights,
        layers: range,
        phrases: int,
        dropout: float = 0.1,
        input_dropout: float = 0.0,
    ) -> None:
        super().__init__(weights, layers, input_dropout)
        self.heads = LinkHeads(weights.sizes.hidden, phrases, dropout)

    def losses(self, batch: Batch) -> dict[str, Tensor]:
        """The parts of the loss, each summed over the batch and divided by its examples."""
        return self.heads.losses(self.represent(batch.tokens), batch.targets)


def _take(x: Tensor, index: Tensor, width: int) -> Tensor:
    return x.gather(1, index[..., None].expand(-1, -1, width))


def head_arrays(model: nn.Module) -> dict[str, FloatArray]:
    """The heads by the names that `anaphora.rewrite.linking.heads.Heads` reads."""
    return {
        name: model.heads[name.replace(".", "_")].detach().float().numpy()
        for name in (
            "left", "right", "gap.b", "first", "first.b", "last", "last.b", "drop", "drop.b",
            "drop.w", "drop.c", "start", "start.w", "end", "end.w", "span", "null",
            "phrase.gap", "phrase.first", "phrase.last", "phrase.b",
        )
    }  # fmt: skip
