"""Writes the trained judge as the files that are shipped: int8 layers and heads, marks, a card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from anaphora.crossencoder.model import CARD, LAYERS, MARKS
from anaphora.models.card import checksum
from anaphora.models.graph import GraphWriter, add_layer
from anaphora.models.weights import FloatArray, Weights
from anaphora.train.judge.calibrate import BEGUN


def export(folder: Path, tensors: Mapping[str, FloatArray]) -> None:
    """Writes into `folder` what `crossencoder.model.CrossEncoder` reads, its support not yet calibrated.

    The graph gives, for each token, log-odds: that the answer begins or ends there; of the first
    token, those two for "no answer here", and relevance.

    Args:
        tensors: what `anaphora.train.judge.network.CrossEncoder.own` names.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Weights().sizes
    graph = GraphWriter()
    x = "hidden"
    count = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    for number in range(count):

        def tensor(name: str, number: int = number) -> FloatArray:
            return tensors[f"layers.{number}.tensors.{name.replace('.', '_')}"].reshape(-1)

        x = add_layer(graph, sizes, tensor, f"judge{number}", x)
    head = {name.removeprefix("heads."): value for name, value in tensors.items()}
    weights = np.concatenate([head["span_w"], head["null_w"], head["relevance_w"][None]])
    offsets = np.zeros(len(weights), np.float32)
    offsets[:2], offsets[-1] = head["span_b"], head["relevance_b"][0]
    x = graph.add("MatMul", x, graph.constant("heads.w", weights.T.astype(np.float32)))
    x = graph.add("Add", x, graph.constant("heads.b", offsets))
    graph.save(folder / LAYERS, ("hidden", sizes.hidden), x, ["texts", "tokens", len(weights)])
    np.save(folder / MARKS, tensors["marks"].astype(np.float16))
    digests = {name: checksum(folder / name) for name in (LAYERS, MARKS)}
    card = {"support": BEGUN, "sha256": digests}
    text = json.dumps(card, indent=1, sort_keys=True)
    (folder / CARD).write_text(text + "\n", "utf-8")
