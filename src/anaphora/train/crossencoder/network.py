"""The judge as torch sees it: frozen lower layers, own upper ones, and heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.crossencoder.sequence import KINDS
from anaphora.models.weights import Weights
from anaphora.train.network import Layer

_FAR = -1e4
_FLATTENED = 2.0
"""What a teacher's scores are divided by."""


@dataclass
class Batch:
    """b windows of up to t tokens, padded, of whole groups: a group is one question's windows.

    `places` rows (window, first token, last token) are all places of the answer; one of `inside` is
    a statement that holds it somewhere; a window in `unread` has an answer at no known place.
    `taught` are a teacher's scores, NaN where there is none.
    """

    ids: Tensor  # [b, t]
    kinds: Tensor  # [b, t]
    mask: Tensor  # [b, t]
    told: Tensor  # [b, t] where an answer may be
    groups: Tensor  # [b] the group's number
    relevant: Tensor  # [b] 1, 0, or -1 where not known
    places: Tensor  # [r, 3]
    inside: Tensor  # [s, 3], at most one a window
    unread: Tensor  # [b]
    taught: Tensor  # [b]

    def to(self, device: torch.device) -> Batch:
        """The same where the model is."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))


class CrossEncoder(nn.Module):  # type: ignore[misc]
    """Layers `frozen` of the original network as they are, then those of `own`, trained on."""

    def __init__(self, weights: Weights, frozen: range, own: range) -> None:
        super().__init__()
        width = weights.sizes.hidden
        self.epsilon = weights.sizes.epsilon
        self._words = weights.words()
        self.base = nn.ModuleList([Layer(weights, number) for number in frozen])
        places = weights.matrix("emb.pos", width) + weights.matrix("emb.type", width)[0]
        for name, values in (
            ("places", places),
            ("norm_w", weights.tensor("emb.ln.w")),
            ("norm_b", weights.tensor("emb.ln.b")),
        ):
            self.register_buffer(name, torch.from_numpy(np.array(values)), persistent=False)
        for parameter in self.base.parameters():
            parameter.requires_grad = False
        self.layers = nn.ModuleList([Layer(weights, number) for number in own])
        self.marks = nn.Parameter(torch.zeros(KINDS, width))
        self.heads = nn.ParameterDict(
            {
                "span_w": nn.Parameter(torch.randn(2, width) * width**-0.5),
                "null_w": nn.Parameter(torch.randn(2, width) * width**-0.5),
                "span_b": nn.Parameter(torch.zeros(2)),
                "relevance_w": nn.Parameter(torch.randn(width) * width**-0.5),
                "relevance_b": nn.Parameter(torch.zeros(1)),
            }
        )

    def own(self) -> dict[str, Tensor]:
        """What is trained, by name."""
        return {
            name: value for name, value in self.state_dict().items() if not name.startswith("base.")
        }

    def encode(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """[b, t, d] float32."""
        ignored = (~mask[:, None, None]).to(torch.bfloat16) * _FAR
        with torch.no_grad():
            words = torch.from_numpy(self._words[ids.cpu().numpy()])
            x = words.to(ids.device) + self.places[: ids.shape[1]]
            x = functional.layer_norm(x, self.norm_w.shape, self.norm_w, self.norm_b, self.epsilon)
            x = x.to(torch.bfloat16)
            for layer in self.base:
                x = layer(x, ignored)
        x = x + self.marks[kinds].to(torch.bfloat16)
        for layer in self.layers:
            x = layer(x, ignored)
        return x.float()

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Relevance [b], and log-odds of where the answer begins and ends [b, 2, t]; place 0 stands
        for "no answer here"."""
        x = self.encode(batch.ids, batch.kinds, batch.mask)
        head = self.heads
        spans = (x @ head["span_w"].T + head["span_b"]).transpose(1, 2)
        spans = spans.masked_fill(~batch.told[:, None], _FAR)
        null = x[:, 0] @ head["null_w"].T
        spans = torch.cat([null[..., None], spans[..., 1:]], dim=-1)
        return x[:, 0] @ head["relevance_w"] + head["relevance_b"], spans

    def losses(self, batch: Batch, listwise: float, binary: float) -> dict[str, Tensor]:
        """The parts of the loss, each a mean over what it is about."""
        relevance, spans = self(batch)
        parts = {"span": _span_loss(spans, batch)}
        known = batch.relevant >= 0
        if binary:
            parts["binary"] = binary * functional.binary_cross_entropy_with_logits(
                relevance[known], batch.relevant[known].float()
            )
        if listwise:
            parts["list"] = listwise * _list_loss(relevance, batch)
            parts["taught"] = listwise * _taught_loss(relevance, batch)
        return parts


def _span_loss(spans: Tensor, batch: Batch) -> Tensor:
    """Minus the log of the chance of any right place of the answer, or of any that begins and ends
    inside the statement."""
    chances = functional.log_softmax(spans, dim=-1)
    null = chances[:, 0, 0] + chances[:, 1, 0]
    window, first, last = batch.places.unbind(1)
    each = chances[window, 0, first] + chances[window, 1, last]
    count = len(spans)
    # logsumexp by window
    most = each.new_full((count,), -1e9).scatter_reduce(0, window, each.detach(), "amax")
    sums = each.new_zeros(count).scatter_add(0, window, (each - most[window]).exp())
    held = torch.isin(torch.arange(count, device=window.device), window)
    right = torch.where(held, sums.clamp(min=1e-9).log() + most.clamp(min=-1e4), null)
    stating, first, last = batch.inside.unbind(1)
    token = torch.arange(spans.shape[-1], device=spans.device)
    outside = (token < first[:, None]) | (token > last[:, None])
    said = chances[stating].masked_fill(outside[:, None], _FAR).logsumexp(-1).sum(-1)
    right = right.scatter(0, stating, said)
    read = ~batch.unread
    return -(right[read]).sum() / read.sum().clamp(min=1)


def _list_loss(relevance: Tensor, batch: Batch) -> Tensor:
    """Softmax over the windows of a question; the paper's loss takes each by itself."""
    known = (batch.relevant >= 0) & batch.taught.isnan()
    chances = _chances(relevance[known], batch.groups[known])
    return -chances[batch.relevant[known] == 1].sum() / _count(batch.groups)


def _taught_loss(relevance: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the softmax over a question's windows to the teacher's, which is flattened:
    what it puts second is worth learning too (Hinton et al., "Distilling the Knowledge in a Neural
    Network", 2015)."""
    known = ~batch.taught.isnan()
    groups = batch.groups[known]
    told = _chances(batch.taught[known] / _FLATTENED, groups).exp()
    return -(told * _chances(relevance[known], groups)).sum() / _count(batch.groups)


def _chances(scores: Tensor, groups: Tensor) -> Tensor:
    """Logarithms of the softmax within each group."""
    if not len(scores):
        return scores
    count = _count(groups)
    most = scores.new_full((count,), -1e9).scatter_reduce(0, groups, scores.detach(), "amax")
    sums = scores.new_zeros(count).scatter_add(0, groups, (scores - most[groups]).exp())
    return scores - most[groups] - sums[groups].log()


def _count(groups: Tensor) -> int:
    return int(groups.max()) + 1


def stacked(sequences: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]) -> Tensor:
    """Rows of unlike length as one tensor, filled up with zeros."""
    out = np.zeros((len(sequences), max(map(len, sequences))), np.int64)
    for row, values in enumerate(sequences):
        out[row, : len(values)] = values
    return torch.from_numpy(out)
