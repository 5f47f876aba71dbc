"""The layers of the backbone in torch, as trainers continue to train them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.models.backbone import workers
from anaphora.models.graph import WEIGHT_MAX
from anaphora.models.weights import FloatArray, Weights

_PARTS = ("q", "k", "v", "ao", "fi", "fo")


def training_precision(device: torch.device) -> torch.dtype:
    """bfloat16, but float32 on a processor without instructions for it, where it is slower and
    torch has no LSTM in it."""
    fast = device.type != "cpu" or torch.cpu.get_capabilities().get("avx512_bf16")
    return torch.bfloat16 if fast else torch.float32


class Layer(nn.Module):  # type: ignore[misc]
    """One BERT layer that starts from the weights of layer `number` of the backbone.

    Attributes:
        rounded: it multiplies by weights that are rounded as in the exported graph, and is trained
            as if they were not (Bengio et al., "Estimating or Propagating Gradients Through
            Stochastic Neurons for Conditional Computation", 2013).
    """

    rounded = False

    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        sizes = weights.sizes
        self.heads, self.epsilon = sizes.heads, sizes.epsilon
        self.tensors = nn.ParameterDict()
        for part in _PARTS:
            columns = sizes.inner if part == "fo" else sizes.hidden
            self.tensors[f"{part}_w"] = _copy(weights.matrix(f"l{number}.{part}.w", columns))
            self.tensors[f"{part}_b"] = _copy(weights.tensor(f"l{number}.{part}.b"))
        for part in ("aln", "oln"):
            self.tensors[f"{part}_w"] = _copy(weights.tensor(f"l{number}.{part}.w"))
            self.tensors[f"{part}_b"] = _copy(weights.tensor(f"l{number}.{part}.b"))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x [b, t, d] and mask [b, 1, 1, t]: 0 for tokens, a large negative number for padding."""
        batch, tokens, width = x.shape

        def heads(part: str) -> Tensor:
            split = self._linear(x, part).view(batch, tokens, self.heads, -1)
            return split.transpose(1, 2).contiguous()

        q, k, v = heads("q"), heads("k"), heads("v")
        # On a CPU, torch's fused attention is three times as fast as its parts, but its backward
        # pass is several times slower.
        if torch.is_grad_enabled():
            scores = (q * (self.heads / width) ** 0.5) @ k.transpose(2, 3)
            attended = (scores + mask).softmax(dim=-1) @ v
        else:
            whole = mask.to(x.dtype).expand(batch, 1, tokens, tokens)
            attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=whole)
        attended = attended.transpose(1, 2).reshape(batch, tokens, width)
        x = self._residual(self._linear(attended, "ao"), x, "aln")
        widened = functional.gelu(self._linear(x, "fi"))
        return self._residual(self._linear(widened, "fo"), x, "oln")

    def _linear(self, x: Tensor, part: str) -> Tensor:
        weight, bias = self.tensors[f"{part}_w"], self.tensors[f"{part}_b"]
        if self.rounded:
            weight = _Rounded.apply(weight)
        return functional.linear(x, weight.to(x.dtype), bias.to(x.dtype))

    def _residual(self, moved: Tensor, x: Tensor, norm: str) -> Tensor:
        moved = moved + x
        weight, bias = self.tensors[f"{norm}_w"], self.tensors[f"{norm}_b"]
        return functional.layer_norm(
            moved, weight.shape, weight.to(x.dtype), bias.to(x.dtype), self.epsilon
        )


def by_length(mask: Tensor, width: int, compute: Callable[[list[int], int], FloatArray]) -> Tensor:
    """Hidden states [b, t, width] float32 with zeros for padding, computed for all rows of one
    length at a time: exported graphs know no padding, and on a processor they take a fraction of
    the time of torch.

    Args:
        mask: [b, t].
        compute: gives [r, length, width] for the numbers of r rows and their length.
    """
    rows: dict[int, list[int]] = defaultdict(list)
    for row, length in enumerate(mask.sum(1).tolist()):
        rows[length].append(row)
    out = np.zeros((*mask.shape, width), np.float32)

    def run(part: tuple[int, list[int]]) -> None:
        length, some = part
        out[some, :length] = compute(some, length)

    list(workers().map(run, rows.items()))
    return torch.from_numpy(out).to(mask.device)


def steps(weight: Tensor) -> Tensor:
    """The steps [o, 1] to which the exported graph rounds the rows of a weight [o, i]."""
    smallest, largest = weight.aminmax(dim=1, keepdim=True)
    return torch.maximum(largest, -smallest).clamp(min=1e-12) / WEIGHT_MAX


class _Rounded(torch.autograd.Function):  # type: ignore[misc]
    """The weight that the exported graph multiplies by; its gradient is that of the weight."""

    @staticmethod
    def forward(_: object, weight: Tensor) -> Tensor:
        step = steps(weight)
        return (weight / step).round_().mul_(step)

    @staticmethod
    def backward(_: object, gradient: Tensor) -> Tensor:
        return gradient


def _copy(values: object) -> nn.Parameter:
    return nn.Parameter(torch.from_numpy(np.array(values, dtype=np.float32)))
