"""Pre-trained Transformers whose bottom layers are frozen and whose top four are trained."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
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
from anaphora.records import Conversation
from anaphora.rewrite.linking.sequence import DISTANCES, PLACES, ROLES, Layout, lay_out
from anaphora.train.batches import tokens
from anaphora.train.linking.encoders import Tell
from anaphora.train.linking.tokens import SPECIAL, Characters, Subwords
from anaphora.train.network import Upper, node_means

TRAINED_LAYERS = 4


class BackboneEncoder(Upper):
    """The default: multilingual-e5-small above its shared layers, which run once an example."""

    rate = 2e-4
    dropout = 0.1

    def __init__(self) -> None:
        weights = Weights()
        super().__init__(weights, range(SHARED_LAYERS, weights.sizes.layers))
        self.width = weights.sizes.hidden
        self._backbone = Backbone()
        self._tokenizer = Characters(self._backbone.tokenizer)
        self._kept: dict[bytes, npt.NDArray[np.float16]] = {}

    def lay_out(self, talk: Conversation) -> Layout:
        return lay_out(talk, self._tokenizer)

    def remember(self, layouts: Sequence[Layout], folder: Path, tell: Tell) -> None:
        path, mark = folder / "hidden.f16", folder / "hidden.sha256"
        keys = list(dict.fromkeys(layout.ids.tobytes() for layout in layouts))
        ids = [np.frombuffer(key, np.int64) for key in keys]
        offsets = np.cumsum([0, *(len(one) for one in ids)]).tolist()
        shape = (offsets[-1], self.width)
        digest = sha256(b"".join(keys)).hexdigest()
        if not (mark.exists() and mark.read_text() == digest):
            hidden = np.memmap(path, np.float16, "w+", shape=shape)
            by_length = sorted(range(len(ids)), key=lambda number: len(ids[number]))
            for done, number in enumerate(by_length, 1):
                hidden[offsets[number] : offsets[number + 1]] = self._hidden(ids[number])
                tell(done, len(ids))
            hidden.flush()
            mark.write_text(digest)
        hidden = np.memmap(path, np.float16, "r", shape=shape)
        self._kept = {key: hidden[a:b] for key, (a, b) in zip(keys, pairwise(offsets), strict=True)}

    def forward(self, layouts: Sequence[Layout]) -> Tensor:
        hidden = [self._kept.get(layout.ids.tobytes()) for layout in layouts]
        return self.represent(
            tokens(
                layouts,
                [
                    self._hidden(layout.ids) if kept is None else kept
                    for layout, kept in zip(layouts, hidden, strict=True)
                ],
            )
        )

    def _hidden(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float16]:
        hidden: npt.NDArray[np.float16] = self._backbone.hidden([ids.tolist()])[0].astype(
            np.float16
        )
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

    def lay_out(self, talk: Conversation) -> Layout:
        return lay_out(talk, self._tokenizer)

    def remember(self, layouts: Sequence[Layout], folder: Path, tell: Tell) -> None:
        """Nothing: models differ in what their layers are called with, so that the frozen ones run
        each time, without gradients."""

    def forward(self, layouts: Sequence[Layout]) -> Tensor:
        nothing = [np.zeros((len(layout.ids), 1), np.float16) for layout in layouts]
        given = tokens(layouts, nothing)
        ids = torch.zeros(given.mask.shape, dtype=torch.long)
        for row, layout in zip(ids, layouts, strict=True):
            row[: len(layout.ids)] = torch.from_numpy(self._numbers(layout.ids))
        with torch.autocast("cpu", torch.bfloat16):
            x = self.network(input_ids=ids, attention_mask=given.mask.long()).last_hidden_state
        x = x.float() + self.marks["roles"][given.roles]
        x = x + self.marks["distances"][given.distances]
        return node_means(x, given.first, given.last) + self.marks["places"][given.place]

    def _numbers(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The ids that the model knows."""
        numbers = np.maximum(ids - SPECIAL, 0)
        numbers[ids == BEGIN] = self._begin
        numbers[ids == END] = self._end
        return numbers


def freeze(network: Any, trained: int, name: str) -> None:
    """Only the last layers of the longest list of layers keep their gradients.

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
            f"the tokenizer of {name!r} does not tell where its tokens stand: choose a model with "
            "a fast one"
        )
    return tokenizer, network


def _first(*numbers: int | None) -> int:
    return next((number for number in numbers if number is not None), 0)
