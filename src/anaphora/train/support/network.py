"""The checker in torch: the lower layers of the backbone, which are not trained, layers of its own,
and heads; its export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.check.model import CARD, LAYERS, MARKS
from anaphora.check.sequence import ELSEWHERE, MATCHED, REPEATED, ROLES, Window
from anaphora.crossencoder import model as crossencoder
from anaphora.crossencoder.sequence import QUESTION, SHARED, TEXT
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone
from anaphora.models.weights import FloatArray, Weights
from anaphora.train.crossencoder.network import padding_mask, stacked
from anaphora.train.export import read_layers, write_card, write_layers
from anaphora.train.layers import Layer, by_length, steps

_START = 0.3


@dataclass
class Batch:
    """b windows of up to t tokens, padded."""

    ids: Tensor  # [b, t]
    roles: Tensor  # [b, t]
    mask: Tensor  # [b, t]
    stated: Tensor  # [b, t] mask of the statement's tokens
    supported: Tensor  # [b] 1 or 0
    unsupported: Tensor  # [b, t] 1 for the statement's tokens that nothing supports

    def to(self, device: torch.device) -> Batch:
        """The batch on a device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))


def assemble(
    windows: Sequence[Window],
    supported: Sequence[bool] = (),
    unsupported: Sequence[Sequence[tuple[int, int]]] = (),
) -> Batch:
    """Windows as tensors, with labels where there are some.

    Args:
        unsupported: for each window, the character ranges of the statement that nothing supports.
    """
    ids = stacked([window.ids for window in windows])
    mask, stated = (
        torch.zeros(ids.shape, dtype=torch.bool),
        torch.zeros(ids.shape, dtype=torch.bool),
    )
    wrong = torch.zeros(ids.shape)
    for row, window in enumerate(windows):
        mask[row, : len(window.ids)] = True
        stated[row, window.first : window.first + len(window.ranges)] = True
        for start, end in unsupported[row] if unsupported else ():
            for token, (begin, stop) in enumerate(window.ranges, window.first):
                if begin < end and stop > start:
                    wrong[row, token] = 1
    return Batch(
        ids,
        stacked([window.roles for window in windows]),
        mask,
        stated,
        torch.tensor(list(supported), dtype=torch.float),
        wrong,
    )


class SupportNetwork(nn.Module):  # type: ignore[misc]
    """The layers of a cross-encoder, over the lowest ones of the backbone, and heads.

    Args:
        judge: the folder of the cross-encoder's weights.
    """

    def __init__(self, judge: Path, seed: int) -> None:
        super().__init__()
        tensors, (head, _) = read_layers(judge / crossencoder.LAYERS, "judge")
        count = 1 + max(int(name.split(".")[1]) for name in tensors)
        weights = Weights()
        self.layers = nn.ModuleList(
            [Layer(weights, JUDGED_LAYERS + number) for number in range(count)]
        )
        generator = torch.Generator().manual_seed(seed)
        self.layers.load_state_dict(
            {
                name.removeprefix("layers."): unrounded(value, generator)
                for name, value in tensors.items()
            }
        )
        for layer in self.layers:
            layer.rounded = True
        kinds = np.load(judge / crossencoder.MARKS).astype(np.float32)
        marks = np.repeat(kinds[[QUESTION]], ROLES, axis=0)
        marks[ELSEWHERE], marks[[REPEATED, MATCHED]] = kinds[TEXT], kinds[SHARED]
        self.marks = nn.Parameter(torch.from_numpy(marks))
        # Row 4 is the cross-encoder's relevance, whose log-odds are too far from 0 for a start.
        self.support_w = nn.Parameter(torch.from_numpy(_START * np.array(head[4], np.float32)))
        self.support_b = nn.Parameter(torch.zeros(1))
        self.token_w = nn.Parameter(torch.zeros(weights.sizes.hidden))
        self.token_b = nn.Parameter(torch.zeros(1))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Log-odds of support [b], and of each token that nothing supports it [b, t]."""
        ignored = padding_mask(batch.mask)
        tokens = batch.ids.cpu().numpy()
        lowest = by_length(
            batch.mask,
            self.marks.shape[1],
            lambda rows, length: shared_backbone().bottom(tokens[rows, :length].tolist()),
        )
        x = (lowest + self.marks[batch.roles]).to(ignored.dtype)
        for layer in self.layers:
            x = layer(x, ignored)
        x = x.float()
        return x[:, 0] @ self.support_w + self.support_b, x @ self.token_w + self.token_b

    def losses(self, batch: Batch, tokens: float) -> dict[str, Tensor]:
        """The parts of the loss; `tokens` is the weight of that of the tokens."""
        support, wrong = self(batch)
        stated = batch.stated
        return {
            "support": functional.binary_cross_entropy_with_logits(support, batch.supported),
            "tokens": tokens
            * functional.binary_cross_entropy_with_logits(wrong[stated], batch.unsupported[stated]),
        }


def unrounded(value: FloatArray, generator: torch.Generator) -> Tensor:
    """A rounded weight at a random place among those that are rounded to it; see
    `anaphora.train.crossencoder.network.continue_from`."""
    weight = torch.from_numpy(np.array(value))
    if weight.dim() < 2:
        return weight
    moved = weight + steps(weight) * (torch.rand(weight.shape, generator=generator) - 0.5)
    largest = weight.abs().amax(dim=1, keepdim=True)
    return torch.where(weight.abs() == largest, weight, moved)


def export(folder: Path, tensors: Mapping[str, FloatArray]) -> None:
    """Writes the files that `anaphora.check.model.SupportModel` reads, with a threshold of
    0 and regressions that count the network alone.

    The graph gives for each token the log-odds that nothing supports it, and those of support,
    which count at the first token.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = np.stack([tensors["token_w"], tensors["support_w"]])
    offsets = np.concatenate([tensors["token_b"], tensors["support_b"]])
    write_layers(folder / LAYERS, tensors, "support", (weights, offsets))
    np.save(folder / MARKS, tensors["marks"].astype(np.float16))
    write_card(
        folder / CARD,
        (LAYERS, MARKS),
        threshold=0.0,
        statements=[0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        across=[0.0, 1.0, 0.0],
        answers=[0.0, 1.0, 0.0, 0.0],
    )
