"""Pre-trained Transformers whose lower layers are frozen and whose top four are trained."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import SHARED_LAYERS, Backbone
from anaphora.models.tokenizer import BEGIN, END
from anaphora.models.weights import Weights
from anaphora.protocols import Progress
from anaphora.records import Conversation
from anaphora.rewrite.linking.sequence import DISTANCES, PLACES, ROLES, Layout, lay_out
from anaphora.train.cache import Array, cached_arrays
from anaphora.train.rewriter.batches import tokens
from anaphora.train.rewriter.network import Upper, node_means
from research.node_linking.tokens import SPECIAL, Characters, Subwords

TRAINED_LAYERS = 4


class BackboneEncoder(Upper):
    """The default: multilingual-e5-small, whose lower layers run once for each example."""

    rate = 2e-4
    dropout = 0.1

    def __init__(self) -> None:
        weights = Weights()
        super().__init__(weights, range(SHARED_LAYERS, weights.sizes.layers))
        self.width = weights.sizes.hidden
        self._backbone = Backbone()
        self._tokenizer = Characters(self._backbone.tokenizer)
        self._cached: dict[bytes, Array] = {}

    def lay_out(self, conversation: Conversation) -> Layout:
        return lay_out(conversation, self._tokenizer)

    def cache(self, layouts: Sequence[Layout], folder: Path, progress: Progress) -> None:
        keys = list(dict.fromkeys(layout.ids.tobytes() for layout in layouts))
        ids = [np.frombuffer(key, np.int64) for key in keys]

        def fill(states: Sequence[Array]) -> None:
            by_length = sorted(range(len(ids)), key=lambda number: len(ids[number]))
            for done, number in enumerate(by_length, 1):
                states[number][:] = self._hidden(ids[number])
                progress("frozen layers", done, len(ids))

        digest = sha256(b"".join(keys)).hexdigest()
        shapes = [(len(one), self.width) for one in ids]
        states = cached_arrays(folder / "hidden.f16", digest, shapes, fill)
        self._cached = dict(zip(keys, states, strict=True))

    def forward(self, layouts: Sequence[Layout]) -> Tensor:
        cached = [self._cached.get(layout.ids.tobytes()) for layout in layouts]
        hidden = [
            self._hidden(layout.ids) if states is None else states
            for layout, states in zip(layouts, cached, strict=True)
        ]
        return self.represent(tokens(layouts, hidden))

    def _hidden(self, ids: npt.NDArray[np.int64]) -> Array:
        hidden: Array = self._backbone.hidden([ids.tolist()])[0].astype(np.float16)
        return hidden


class HubEncoder(nn.Module):  # type: ignore[misc]
    """Any Hugging Face encoder with a fast tokenizer.

    Args:
        name: on the hub, or a folder.

    Raises:
        ModelUnavailable: it cannot be loaded, or has no list of layers to freeze.
    """

    rate = 5e-5
    dropout = 0.1

    def __init__(self, name: str) -> None:
        super().__init__()
        tokenizer, self.network = _loaded(name)
        self._tokenizer = Subwords(tokenizer)
        self._begin = _first(tokenizer.cls_token_id, tokenizer.bos_token_id)
        self._end = _first(tokenizer.sep_token_id, tokenizer.eos_token_id)
        self.width = int(self.network.config.hidden_size)
        freeze(self.network, TRAINED_LAYERS, name)
        self.marks = nn.ParameterDict(
            {
                "roles": nn.Parameter(torch.zeros(ROLES, self.width)),
                "distances": nn.Parameter(torch.zeros(DISTANCES, self.width)),
                "places": nn.Parameter(torch.zeros(PLACES, self.width)),
            }
        )

    def lay_out(self, conversation: Conversation) -> Layout:
        return lay_out(conversation, self._tokenizer)

    def cache(self, layouts: Sequence[Layout], folder: Path, progress: Progress) -> None:
        """Does nothing: the frozen layers run each time, without gradients, because the arguments
        of layers differ between models."""

    def forward(self, layouts: Sequence[Layout]) -> Tensor:
        unused = [np.zeros((len(layout.ids), 1), np.float16) for layout in layouts]
        batch = tokens(layouts, unused)
        ids = torch.zeros(batch.mask.shape, dtype=torch.long)
        for row, layout in zip(ids, layouts, strict=True):
            row[: len(layout.ids)] = torch.from_numpy(self._own_ids(layout.ids))
        with torch.autocast("cpu", torch.bfloat16):
            x = self.network(input_ids=ids, attention_mask=batch.mask.long()).last_hidden_state
        x = x.float() + self.marks["roles"][batch.roles]
        x = x + self.marks["distances"][batch.distances]
        return node_means(x, batch.first, batch.last) + self.marks["places"][batch.place]

    def _own_ids(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The ids in the vocabulary of the model."""
        numbers = np.maximum(ids - SPECIAL, 0)
        numbers[ids == BEGIN] = self._begin
        numbers[ids == END] = self._end
        return numbers


def freeze(network: Any, trained: int, name: str) -> None:
    """Freezes all parameters but those of the last layers of the longest list of layers.

    Raises:
        ModelUnavailable: there is no list of layers.
    """
    lists = [part for part in network.modules() if isinstance(part, nn.ModuleList)]
    if not lists:
        raise ModelUnavailable(
            f"{name} has no list of layers, so that its lower ones cannot be frozen: choose a "
            "Transformer encoder"
        )
    network.requires_grad_(False)
    for layer in max(lists, key=len)[-trained:]:
        layer.requires_grad_(True)


def _loaded(name: str) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True)
        network = AutoModel.from_pretrained(name, dtype=torch.float32)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"the encoder {name!r} cannot be loaded: give a folder with a Hugging Face model, or "
            f"a name on the hub that can be reached ({str(error).splitlines()[0]})"
        ) from error
    if not tokenizer.is_fast:
        raise ModelUnavailable(
            f"the tokenizer of {name!r} does not give the character ranges of its tokens: choose a "
            "model with a fast tokenizer"
        )
    return tokenizer, network


def _first(*numbers: int | None) -> int:
    return next((number for number in numbers if number is not None), 0)
