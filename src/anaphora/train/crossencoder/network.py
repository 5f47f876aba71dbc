"""The cross-encoder in torch: frozen lower layers, trained upper layers, and heads; its export."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.crossencoder.model import CARD, LAYERS, MARKS
from anaphora.crossencoder.sequence import KINDS
from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import Graph, shared_backbone
from anaphora.models.card import read_card
from anaphora.models.weights import FloatArray, Weights
from anaphora.train.crossencoder.calibration import UNCALIBRATED
from anaphora.train.crossencoder.questions import PARTLY
from anaphora.train.export import read_layers, write_card, write_layers
from anaphora.train.layers import Layer, by_length, steps, training_precision

_MASKED = -1e4
_TEMPERATURE = 2.0
"""Of the teacher's softmax."""
_RELEVANT = (0.0, 0.12, 0.75, 1.0)
"""For each grade, the probability that a passage is relevant."""
_SHARES = (0.0, 0.03, 0.35, 1.0)
"""For each grade, the share that a passage has, in proportion, in the softmax over those of a
question. Where all together have less than that of grade 2, none answers."""
_PRESERVED = 2.0
"""Weight of the spans of earlier weights."""
_EXTENT = 0.3
"""Weight of the extents."""


@dataclass
class Batch:
    """b windows of up to t tokens, padded; a group is all windows of one question.

    Attributes:
        places: all places of the answer, as rows (window, first token, last token).
        statements: the same rows for statements that contain the answer, at most one a window.
        extents: the same rows for all that answers, where it is known.
        unread: the window has an answer at an unknown place.
        teacher_scores: NaN where there is none.
    """

    ids: Tensor  # [b, t]
    kinds: Tensor  # [b, t]
    mask: Tensor  # [b, t]
    text: Tensor  # [b, t] mask of the tokens that may be in an answer
    groups: Tensor  # [b] the group's number
    grades: Tensor  # [b] from 0 to 3, or -1 where not known
    places: Tensor  # [r, 3]
    statements: Tensor  # [s, 3]
    extents: Tensor  # [e, 3]
    unread: Tensor  # [b]
    teacher_scores: Tensor  # [b]

    def to(self, device: torch.device) -> Batch:
        """The batch on a device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))


class LowerLayers:
    """The layers of the backbone and the first `count` of the layers in `folder`, as their exported
    graphs compute them; on a processor that takes a fraction of the time of torch."""

    def __init__(self, folder: Path, count: int) -> None:
        tensors, _ = read_layers(folder / LAYERS, "judge")
        self.count = count
        lower = {name: one for name, one in tensors.items() if int(name.split(".")[1]) < count}
        with TemporaryDirectory() as temporary:
            path = Path(temporary) / LAYERS
            write_layers(path, lower, "judge")
            self._graph = Graph(path.read_bytes())
        self._marks = np.load(folder / MARKS).astype(np.float32)

    def __call__(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """[b, t, d] float32, with zeros for padding."""
        tokens, marked = ids.cpu().numpy(), self._marks[kinds.cpu().numpy()]

        def compute(rows: list[int], length: int) -> FloatArray:
            hidden = shared_backbone().bottom(tokens[rows, :length].tolist())
            return self._graph(hidden + marked[rows, :length])

        return by_length(mask, marked.shape[2], compute)


class SpanReader:
    """The span scores of upper layers as they are now, whatever training makes of them."""

    def __init__(self, layers: Sequence[nn.Module], weight: Tensor) -> None:
        self._layers = [copy.deepcopy(layer).requires_grad_(False) for layer in layers]
        self._weight = weight.detach().clone()

    def __call__(self, x: Tensor, ignored: Tensor) -> Tensor:
        """[b, 2, t] from what the layers below gave, [b, t, d]."""
        with torch.no_grad():
            for layer in self._layers:
                x = layer(x, ignored)
            return (x.float() @ self._weight.T).transpose(1, 2)


class CrossEncoder(nn.Module):  # type: ignore[misc]
    """Layers `frozen` of the backbone, then its layers `own`, which are trained, and heads.

    Attributes:
        lower: computes the lowest layers, which are then not trained.
        earlier: gives the spans that a continued training must preserve.
    """

    lower: LowerLayers | None = None
    earlier: SpanReader | None = None

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
                "extent_w": nn.Parameter(torch.zeros(2, width)),
            }
        )

    def own(self) -> dict[str, Tensor]:
        """The trained tensors by name."""
        return {
            name: value for name, value in self.state_dict().items() if not name.startswith("base.")
        }

    def encode(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """[b, t, d] float32."""
        ignored = padding_mask(mask)
        return self._upper(self._lowest(ids, kinds, mask, ignored), ignored)

    def _lowest(self, ids: Tensor, kinds: Tensor, mask: Tensor, ignored: Tensor) -> Tensor:
        """What the layers give that are not trained."""
        precision = ignored.dtype
        if self.lower:
            return self.lower(ids, kinds, mask).to(precision)
        with torch.no_grad():
            words = torch.from_numpy(self._words[ids.cpu().numpy()])
            x = words.to(ids.device) + self.places[: ids.shape[1]]
            x = functional.layer_norm(x, self.norm_w.shape, self.norm_w, self.norm_b, self.epsilon)
            x = x.to(precision)
            for layer in self.base:
                x = layer(x, ignored)
        return x + self.marks[kinds].to(precision)

    def _upper(self, x: Tensor, ignored: Tensor) -> Tensor:
        for layer in self.layers[self.lower.count if self.lower else 0 :]:
            x = layer(x, ignored)
        return x.float()

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Relevance [b]; scores [b, 2, t] of the tokens where the shortest answer begins and ends;
        and of those where all that answers does.

        Token 0 of the first scores represents "no answer in this window".
        """
        return self.scores(self.encode(batch.ids, batch.kinds, batch.mask), batch)

    def scores(self, x: Tensor, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """What `forward` gives, from the output [b, t, d] of the layers."""
        head = self.heads
        spans = (x @ head["span_w"].T + head["span_b"]).transpose(1, 2)
        spans = spans.masked_fill(~batch.text[:, None], _MASKED)
        null = x[:, 0] @ head["null_w"].T
        spans = torch.cat([null[..., None], spans[..., 1:]], dim=-1)
        extents = (x @ head["extent_w"].T).transpose(1, 2)
        extents = extents.masked_fill(~batch.text[:, None], _MASKED)
        return x[:, 0] @ head["relevance_w"] + head["relevance_b"], spans, extents

    def losses(
        self, batch: Batch, listwise: float, binary: float, preserved: float = 1.0
    ) -> dict[str, Tensor]:
        """The parts of the loss with their weights; that of the span loss is 1.

        Args:
            preserved: a factor of the weight of the spans of earlier weights, if there are any.
        """
        ignored = padding_mask(batch.mask)
        lowest = self._lowest(batch.ids, batch.kinds, batch.mask, ignored)
        relevance, spans, extents = self.scores(self._upper(lowest, ignored), batch)
        if not self.earlier:
            parts = {"span": span_loss(spans, batch)}
        else:
            parts = {"answerable": _answerable_loss(spans, batch)}
            if preserved:
                change = _preservation_loss(spans, self.earlier(lowest, ignored), batch)
                parts["preserved"] = preserved * _PRESERVED * change
        if len(batch.extents):
            parts["extent"] = _EXTENT * _extent_loss(extents, batch)
        known = batch.grades >= 0
        if binary:
            parts["binary"] = binary * functional.binary_cross_entropy_with_logits(
                relevance[known], relevance.new_tensor(_RELEVANT)[batch.grades[known]]
            )
        if listwise:
            parts["list"] = listwise * _list_loss(relevance, batch)
            parts["teacher"] = listwise * _distillation_loss(relevance, batch)
        return parts


def padding_mask(mask: Tensor) -> Tensor:
    """What is added to the attention to each token [b, 1, 1, t], in the precision of the layers."""
    return (~mask[:, None, None]).to(training_precision(mask.device)) * _MASKED


def span_loss(spans: Tensor, batch: Batch) -> Tensor:
    """-log of the probability of any right place of the answer, or of any span inside the
    statement."""
    log_probabilities = functional.log_softmax(spans, dim=-1)
    null = log_probabilities[:, 0, 0] + log_probabilities[:, 1, 0]
    window, first, last = batch.places.unbind(1)
    each = log_probabilities[window, 0, first] + log_probabilities[window, 1, last]
    count = len(spans)
    # logsumexp by window
    most = each.new_full((count,), -1e9).scatter_reduce(0, window, each.detach(), "amax")
    sums = each.new_zeros(count).scatter_add(0, window, (each - most[window]).exp())
    answering = torch.isin(torch.arange(count, device=window.device), window)
    right = torch.where(answering, sums.clamp(min=1e-9).log() + most.clamp(min=-1e4), null)
    window = batch.statements[:, 0]
    outside = _outside(batch)[:, None]
    inside = log_probabilities[window].masked_fill(outside, _MASKED).logsumexp(-1).sum(-1)
    right = right.scatter(0, window, inside)
    read = ~batch.unread
    return -(right[read]).sum() / read.sum().clamp(min=1)


def _answerable_loss(spans: Tensor, batch: Batch) -> Tensor:
    """-log of the probability that a window has an answer, inside its statement if it has one, or
    that it has none."""
    log_probabilities = functional.log_softmax(spans, dim=-1)
    null = log_probabilities[:, :, 0]
    answered = log_probabilities[:, :, 1:].logsumexp(-1)
    window = batch.statements[:, 0]
    inside = log_probabilities[window].masked_fill(_outside(batch)[:, None], _MASKED).logsumexp(-1)
    answered = answered.index_put((window,), inside)
    rows = torch.cat([batch.places[:, 0], window])
    answering = torch.isin(torch.arange(len(spans), device=rows.device), rows)
    right = torch.where(answering[:, None], answered, null).sum(-1)
    read = ~batch.unread
    return -(right[read]).sum() / read.sum().clamp(min=1)


def _extent_loss(extents: Tensor, batch: Batch) -> Tensor:
    """-log of the probability of the first and last token of all that answers."""
    log_probabilities = functional.log_softmax(extents, dim=-1)
    window, first, last = batch.extents.unbind(1)
    right = log_probabilities[window, 0, first] + log_probabilities[window, 1, last]
    return -right.mean()


def _outside(batch: Batch) -> Tensor:
    """[s, t] whether a token is outside of a statement of its window."""
    token = torch.arange(batch.text.shape[1], device=batch.text.device)
    _, first, last = batch.statements.unbind(1)
    return (token < first[:, None]) | (token > last[:, None])


def _preservation_loss(spans: Tensor, earlier: Tensor, batch: Batch) -> Tensor:
    """Kullback-Leibler divergence of the places where an answer would begin and end from those of
    the weights before, given that the window has one (Li and Hoiem, "Learning without Forgetting",
    2016); without the windows in which all that answers is known."""
    outside = ~batch.text[:, None]
    now = functional.log_softmax(spans.masked_fill(outside, _MASKED), dim=-1)
    before = functional.log_softmax(earlier.masked_fill(outside, _MASKED), dim=-1)
    kept = torch.ones(len(spans), dtype=torch.bool, device=spans.device)
    kept[batch.extents[:, 0]] = False
    change = (before.exp() * (before - now)).sum((1, 2))
    return change[kept].sum() / kept.sum().clamp(min=1)


def _list_loss(relevance: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the softmax over the windows of a question to the shares of their grades."""
    known = (batch.grades >= 0) & batch.teacher_scores.isnan()
    groups = batch.groups[known]
    log_probabilities = _log_softmax(relevance[known], groups)
    shares = relevance.new_tensor(_SHARES)[batch.grades[known]]
    count = _count(batch.groups)
    sums = shares.new_zeros(count).scatter_add(0, groups, shares)[groups]
    answered = sums >= _SHARES[PARTLY]
    targets = shares[answered] / sums[answered]
    return -(targets * log_probabilities[answered]).sum() / count


def _distillation_loss(relevance: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy to the teacher's softmax with temperature over a question's windows (Hinton et
    al., "Distilling the Knowledge in a Neural Network", 2015)."""
    known = ~batch.teacher_scores.isnan()
    groups = batch.groups[known]
    target = _log_softmax(batch.teacher_scores[known] / _TEMPERATURE, groups).exp()
    return -(target * _log_softmax(relevance[known], groups)).sum() / _count(batch.groups)


def _log_softmax(scores: Tensor, groups: Tensor) -> Tensor:
    """The logarithm of the softmax within each group."""
    if not len(scores):
        return scores
    count = _count(groups)
    most = scores.new_full((count,), -1e9).scatter_reduce(0, groups, scores.detach(), "amax")
    sums = scores.new_zeros(count).scatter_add(0, groups, (scores - most[groups]).exp())
    return scores - most[groups] - sums[groups].log()


def _count(groups: Tensor) -> int:
    return int(groups.max()) + 1


def stacked(sequences: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]) -> Tensor:
    """Rows of different lengths as one tensor, padded with zeros."""
    out = np.zeros((len(sequences), max(map(len, sequences))), np.int64)
    for row, values in enumerate(sequences):
        out[row, : len(values)] = values
    return torch.from_numpy(out)


def export(folder: Path, tensors: Mapping[str, FloatArray]) -> None:
    """Writes the files that `anaphora.crossencoder.model.CrossEncoder` reads, not yet calibrated.

    The graph gives log-odds for each token: that the answer begins or ends there; for the first
    token, those two of "no answer in this window", and relevance; and that all that answers begins
    or ends there.

    Args:
        tensors: the trained tensors: see `CrossEncoder.own`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    head = {name.removeprefix("heads."): value for name, value in tensors.items()}
    weights = np.concatenate(
        [head["span_w"], head["null_w"], head["relevance_w"][None], head["extent_w"]]
    )
    offsets = np.zeros(len(weights), np.float32)
    offsets[:2], offsets[4] = head["span_b"], head["relevance_b"][0]
    write_layers(folder / LAYERS, tensors, "judge", (weights, offsets))
    np.save(folder / MARKS, tensors["marks"].astype(np.float16))
    write_card(folder / CARD, (LAYERS, MARKS), support=UNCALIBRATED)


def exported(folder: Path) -> dict[str, Tensor]:
    """The tensors that `export` wrote to a folder, by their names in `CrossEncoder.own`. Weights
    from before there were extents begin with those of the spans.

    Raises:
        ModelUnavailable: the folder has no weights, or altered ones.
    """
    read_card(folder / CARD, "judge")
    tensors, (weights, offsets) = read_layers(folder / LAYERS, "judge")
    found = {name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}
    found["marks"] = torch.from_numpy(np.load(folder / MARKS).astype(np.float32))
    head = torch.from_numpy(np.array(weights))
    found |= {"heads.span_w": head[:2], "heads.null_w": head[2:4], "heads.relevance_w": head[4]}
    found["heads.extent_w"] = head[5:] if len(head) > 5 else head[:2].clone()
    bias = torch.from_numpy(np.array(offsets))
    return found | {"heads.span_b": bias[:2], "heads.relevance_b": bias[4:5]}


def continue_from(model: CrossEncoder, folder: Path, frozen: int, seed: int) -> None:
    """Gives the model the weights in a folder that `export` wrote, to train them further.

    A small change of a rounded weight would be lost in the next rounding. So the model computes
    with rounded weights, and each weight starts at a random place among those that are rounded to
    it.

    Args:
        frozen: the number of own layers, the lowest ones, that are not trained further.

    Raises:
        ModelUnavailable: the folder has no weights, altered ones, or another number of layers.
    """
    generator = torch.Generator().manual_seed(seed)
    state = exported(folder)
    for name, weight in state.items():
        number = name.split(".")[1] if name.startswith("layers.") else ""
        if weight.dim() == 2 and number and int(number) >= frozen:
            moved = weight + steps(weight) * (torch.rand(weight.shape, generator=generator) - 0.5)
            largest = weight.abs().amax(dim=1, keepdim=True)
            state[name] = torch.where(weight.abs() == largest, weight, moved)
    if state.keys() != model.own().keys():
        raise ModelUnavailable(
            f"the cross-encoder in {folder} has other layers than the one that is trained"
        )
    model.load_state_dict(state, strict=False)
    for layer in model.layers[frozen:]:
        layer.rounded = True
    if frozen:
        model.lower = LowerLayers(folder, frozen)
    model.earlier = SpanReader(model.layers[frozen:], model.heads["span_w"])
    kept = (model.marks, model.heads["span_w"], model.heads["span_b"])
    for parameter in (*kept, *model.layers[:frozen].parameters()):
        parameter.requires_grad = False
