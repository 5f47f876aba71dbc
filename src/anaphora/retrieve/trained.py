"""Encoders that `anaphora train retriever` trained: layers of their own on the shared backbone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

import numpy as np

from anaphora.models.backbone import JUDGED_LAYERS, SHARED_LAYERS, Backbone, Graph
from anaphora.models.weights import FloatArray, Weights

LAYERS: Final = "encoder.onnx"
CARD: Final = "encoder.json"
PREFIX: Final = "encoder"
"""What the names of the graph's constants begin with."""

Pooling = Literal["mean", "cls"]
Ids = Sequence[Sequence[int]]

_COUNT: Final = 12
OWN_LAYERS: Final = (_COUNT - SHARED_LAYERS, _COUNT - JUDGED_LAYERS, _COUNT)
"""How many upper layers can be an encoder's own; the backbone's graphs compute those below."""


class TrainedLayers:
    """The vectors of tokens by the backbone's lower layers and layers of one's own.

    Args:
        folder: has the graph of `count` layers.
        count: one of `OWN_LAYERS`.
    """

    def __init__(self, backbone: Backbone, folder: Path, count: int, pooling: Pooling) -> None:
        self._lower = lower_layers(backbone, count)
        self._layers = Graph(folder / LAYERS)
        self._pooling = pooling

    def embed(self, ids: Ids) -> FloatArray:
        """Unit vectors of n texts with equal numbers of tokens: float32 [n, d]."""
        hidden = self._layers(self._lower(ids))
        pooled = hidden[:, 0] if self._pooling == "cls" else hidden.mean(axis=1)
        vectors: FloatArray = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors


def is_trained(folder: Path) -> bool:
    """Whether `anaphora train retriever` wrote this folder from the backbone."""
    return (folder / CARD).is_file()


def lower_layers(backbone: Backbone, own: int) -> Callable[[Ids], FloatArray]:
    """What `own` upper layers read of n texts of t tokens each: float32 [n, t, d]."""
    if own == OWN_LAYERS[0]:
        return backbone.hidden
    return backbone.bottom if own == OWN_LAYERS[1] else _embeddings(backbone)


def _embeddings(backbone: Backbone) -> Callable[[Ids], FloatArray]:
    weights = Weights()
    width, epsilon = weights.sizes.hidden, weights.sizes.epsilon
    places = weights.matrix("emb.pos", width) + weights.matrix("emb.type", width)[0]
    weight, bias = weights.tensor("emb.ln.w"), weights.tensor("emb.ln.b")

    def embeddings(ids: Ids) -> FloatArray:
        x = backbone.words[np.array(ids, dtype=np.int64)]
        x = x + places[: x.shape[1]]
        x = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(epsilon))
        normal: FloatArray = x / scale * weight + bias
        return normal

    return embeddings
