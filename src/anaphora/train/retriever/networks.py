"""The two kinds of networks that become retrievers: layers of the backbone, and models of Hugging
Face."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.models.backbone import NAME, shared_backbone, workers
from anaphora.models.card import read_card
from anaphora.models.huggingface import HuggingFaceEncoder, pool
from anaphora.models.weights import FloatArray, Weights
from anaphora.retrieve.encoders import PASSAGE_PREFIX, QUERY_PREFIX
from anaphora.retrieve.trained import CARD, LAYERS, PREFIX, Pooling, is_trained, lower_layers
from anaphora.train.crossencoder.network import padding_mask
from anaphora.train.export import read_tensors, write_card, write_layers
from anaphora.train.layers import Layer

_MODULES = "sentence_transformers.models"


class Network(Protocol):
    """A bi-encoder in training.

    Attributes:
        module: what is trained.
    """

    module: nn.Module
    query_prefix: str
    passage_prefix: str

    def prepared(self, texts: Sequence[str]) -> list[Any]:
        """What `embed` reads of each text; its length is the number of tokens."""
        ...

    def embed(self, inputs: Sequence[Any]) -> Tensor:
        """Unit vectors [n, d] of n texts."""
        ...

    def export(self, folder: Path) -> None:
        """Writes files that make the folder an encoder."""
        ...


class BackboneNetwork:
    """The upper layers of the backbone, or those of an encoder that was trained before.

    Args:
        start: the name of the backbone, or the folder of an encoder.
        count: how many layers are trained; those below stay as they are.
        longest: tokens of a text in training; more is cut off.

    Raises:
        UsageError: the encoder in `start` has another number of layers of its own.
    """

    def __init__(self, start: str, count: int, longest: int, pooling: Pooling | None) -> None:
        backbone = shared_backbone()
        weights = Weights()
        self._backbone, self._longest = backbone, min(longest, backbone.max_tokens)
        self.query_prefix, self.passage_prefix = QUERY_PREFIX, PASSAGE_PREFIX
        self._pooling: Pooling = pooling or "mean"
        tensors: dict[str, FloatArray] = {}
        if start != NAME:
            folder = Path(start).expanduser()
            card = read_card(folder / CARD, "retriever")
            count = card["layers"]
            self.query_prefix, self.passage_prefix = card["query_prefix"], card["passage_prefix"]
            self._pooling = pooling or card["pooling"]
            tensors = read_tensors(folder / LAYERS, PREFIX)
        self.count = count
        self._lower = lower_layers(backbone, count)
        first = weights.sizes.layers - count
        self.layers = nn.ModuleList([Layer(weights, first + at) for at in range(count)])
        if tensors:
            state = {
                name.removeprefix("layers."): torch.tensor(one) for name, one in tensors.items()
            }
            self.layers.load_state_dict(state)
        for layer in self.layers:
            layer.rounded = True
        self.module = nn.ModuleDict({"layers": self.layers}).to(
            "cuda" if torch.cuda.is_available() else "cpu"
        )

    def prepared(self, texts: Sequence[str]) -> list[FloatArray]:
        """The output of the lower layers for each text: float32 [t, d]."""
        cut = [self._backbone.tokens(text) for text in texts]
        ids = [[*one[: self._longest - 1], one[-1]] for one in cut]
        by_length: dict[int, list[int]] = defaultdict(list)
        for row, one in enumerate(ids):
            by_length[len(one)].append(row)
        found: dict[int, FloatArray] = {}

        def run(rows: Sequence[int]) -> None:
            found.update(zip(rows, self._lower([ids[row] for row in rows]), strict=True))

        list(workers().map(run, by_length.values()))
        return [found[row] for row in range(len(ids))]

    def embed(self, inputs: Sequence[FloatArray]) -> Tensor:
        return functional.normalize(self.pooled(inputs), dim=-1)

    def pooled(self, inputs: Sequence[FloatArray]) -> Tensor:
        """Vectors [n, d] of any length."""
        longest = max(map(len, inputs))
        device = next(self.module.parameters()).device
        x = torch.zeros(len(inputs), longest, inputs[0].shape[1])
        mask = torch.zeros(len(inputs), longest, dtype=torch.bool)
        for row, one in enumerate(inputs):
            x[row, : len(one)] = torch.from_numpy(one)
            mask[row, : len(one)] = True
        x, mask = x.to(device), mask.to(device)
        ignored = padding_mask(mask)
        x = x.to(ignored.dtype)
        for layer in self.layers:
            x = layer(x, ignored)
        return pool(x.float(), mask, self._pooling)

    def head(self) -> tuple[FloatArray, FloatArray] | None:
        """Weights [d, d] and offsets [d] of a linear layer on top, in the exported graph."""
        return None

    def export(self, folder: Path) -> None:
        tensors = {
            f"layers.{name}": one.detach().float().cpu().numpy()
            for name, one in self.layers.state_dict().items()
        }
        write_layers(folder / LAYERS, tensors, PREFIX, self.head())
        write_card(
            folder / CARD,
            (LAYERS,),
            backbone=NAME,
            layers=self.count,
            pooling=self._pooling,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
        )


class HuggingFaceNetwork:
    """A bi-encoder or plain encoder of Hugging Face, of which all is trained."""

    def __init__(self, name: str, longest: int, pooling: Pooling | None) -> None:
        encoder = self._encoder = HuggingFaceEncoder(name)
        self._limit = encoder.max_tokens
        encoder.max_tokens = min(longest, encoder.max_tokens)
        encoder.pooling = pooling or encoder.pooling
        self.query_prefix, self.passage_prefix = encoder.query_prefix, encoder.passage_prefix
        self.module = nn.ModuleDict(
            {"network": encoder.model.network, "dense": nn.ModuleList(encoder.dense)}
        )

    def prepared(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text."""
        return self._encoder.token_ids(texts)

    def embed(self, inputs: Sequence[Sequence[int]]) -> Tensor:
        vectors: Tensor = self._encoder.embed(inputs)
        return vectors

    def export(self, folder: Path) -> None:
        """The files of sentence-transformers."""
        from safetensors.torch import save_file

        encoder = self._encoder
        encoder.model.network.save_pretrained(folder)
        encoder.model.tokenizer.save_pretrained(folder)
        width = encoder.model.network.config.hidden_size
        modules = [("Transformer", ""), ("Pooling", "1_Pooling")]
        pooling = {
            "word_embedding_dimension": width,
            "pooling_mode_cls_token": encoder.pooling == "cls",
            "pooling_mode_mean_tokens": encoder.pooling == "mean",
            "pooling_mode_max_tokens": encoder.pooling == "max",
            "pooling_mode_lasttoken": encoder.pooling == "lasttoken",
        }
        _write(folder / "1_Pooling/config.json", pooling)
        for number, (linear, activation) in enumerate(encoder.dense, 2):
            place = f"{number}_Dense"
            settings = {
                "in_features": linear.in_features,
                "out_features": linear.out_features,
                "bias": linear.bias is not None,
                "activation_function": f"torch.nn.modules.{type(activation).__name__}",
            }
            _write(folder / place / "config.json", settings)
            tensors = {f"linear.{name}": one for name, one in linear.state_dict().items()}
            save_file(tensors, folder / place / "model.safetensors")
            modules.append(("Dense", place))
        listed = [
            {
                "idx": at,
                "name": str(at),
                "path": path,
                "type": f"sentence_transformers.models.{kind}",
            }
            for at, (kind, path) in enumerate([*modules, ("Normalize", "")])
        ]
        _write(folder / "modules.json", listed)
        _write(folder / "sentence_bert_config.json", {"max_seq_length": self._limit})
        prompts = {"query": self.query_prefix, "passage": self.passage_prefix}
        _write(folder / "config_sentence_transformers.json", {"prompts": prompts})


def network(start: str, count: int, longest: int, pooling: Pooling | None) -> Network:
    """The network that training starts from.

    Args:
        start: the backbone's name, a folder that a training has written, or a model of Hugging
            Face by name or folder.

    Raises:
        ModelUnavailable: it cannot be loaded.
    """
    if start == NAME or is_trained(Path(start).expanduser()):
        return BackboneNetwork(start, count, longest, pooling)
    return HuggingFaceNetwork(start, longest, pooling)


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")
