"""The two kinds of networks that become rerankers: our own cross-encoder, and those of Hugging
Face."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from anaphora.crossencoder.model import CARD, SHIPPED
from anaphora.crossencoder.sequence import Sequencer
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone
from anaphora.models.card import read_card
from anaphora.models.weights import Weights
from anaphora.records import Passage, Query
from anaphora.rerank.huggingface import encoded, load_classifier, log_odds, longest
from anaphora.train.crossencoder.network import CrossEncoder, continue_from, export, stacked
from anaphora.train.crossencoder.trainer import LAYERS
from anaphora.train.export import update_card

JUDGE = "judge"
"""The name of the cross-encoder that comes with Anaphora."""

Pairs = Sequence[tuple[Query, Passage]]


class Network(Protocol):
    """A cross-encoder in training.

    Attributes:
        module: what is trained.
    """

    module: nn.Module

    def scores(self, pairs: Pairs) -> Tensor:
        """Log-odds [n] that n passages are relevant."""
        ...

    def export(self, folder: Path) -> None:
        """Writes files that make the folder a reranker."""
        ...


class JudgeNetwork:
    """The upper layers of our own cross-encoder and its relevance; its spans are not trained.

    Args:
        folder: with weights as `anaphora train judge` and `anaphora train reranker` write them.
        count: how many layers are trained.

    Raises:
        ModelUnavailable: the folder has no weights, or altered ones.
    """

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self._folder = folder
        self._sequencer = Sequencer(shared_backbone().tokenizer)
        own = range(JUDGED_LAYERS, LAYERS)
        model = CrossEncoder(Weights(), range(JUDGED_LAYERS), own)
        continue_from(model, folder, len(own) - count, seed)
        for name, head in model.heads.items():
            head.requires_grad = name.startswith("relevance")
        self.module = self._model = model.to("cuda" if torch.cuda.is_available() else "cpu")

    def scores(self, pairs: Pairs) -> Tensor:
        read = [
            self._sequencer.windows(query.text, passage.heading, passage.text)
            for query, passage in pairs
        ]
        windows = [window for found in read for window in found]
        ids, kinds = (
            stacked(values)
            for values in ([one.ids for one in windows], [one.kinds for one in windows])
        )
        lengths = torch.tensor([len(one.ids) for one in windows])
        mask = torch.arange(ids.shape[1]) < lengths[:, None]
        heads = self._model.heads
        device = heads["relevance_w"].device
        first = self._model.encode(ids.to(device), kinds.to(device), mask.to(device))[:, 0]
        relevance = first @ heads["relevance_w"] + heads["relevance_b"]
        # Of a passage that is read in several windows, the best one counts.
        return torch.stack([part.amax() for part in relevance.split([len(one) for one in read])])

    def export(self, folder: Path) -> None:
        tensors = {
            name: one.detach().float().cpu().numpy() for name, one in self._model.own().items()
        }
        export(folder, tensors)
        update_card(folder / CARD, support=read_card(self._folder / CARD, "judge")["support"])


class HuggingFaceNetwork:
    """A sequence classifier of Hugging Face, of which all is trained."""

    def __init__(self, name: str) -> None:
        self._model = load_classifier(name)
        self.module = self._model.network

    def scores(self, pairs: Pairs) -> Tensor:
        model = self._model
        inputs: dict[str, Any] = encoded(model.tokenizer, pairs, longest(model))
        padded = model.tokenizer.pad(inputs, return_tensors="pt").to(model.device)
        found: Tensor = log_odds(model.network(**padded).logits.float())
        return found

    def export(self, folder: Path) -> None:
        self._model.network.save_pretrained(folder)
        self._model.tokenizer.save_pretrained(folder)


def network(start: str, count: int, seed: int) -> Network:
    """The network that training starts from.

    Args:
        start: "judge" for the cross-encoder that comes with Anaphora, or a folder with weights of
            it; or a model of Hugging Face by name or folder.
        count: how many upper layers of our own cross-encoder are trained.

    Raises:
        ModelUnavailable: it cannot be loaded.
    """
    folder = SHIPPED if start == JUDGE else Path(start).expanduser()
    if (folder / CARD).is_file():
        return JudgeNetwork(folder, count, seed)
    return HuggingFaceNetwork(start)
