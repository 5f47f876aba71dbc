"""Writes the trained judge as the files that are shipped: int8 layers, float16 heads, a card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from anaphora.judge.model import CARD, HEADS, LAYERS, checksum
from anaphora.models.graph import GraphWriter, add_layer
from anaphora.models.weights import FloatArray, Weights


def export(
    folder: Path, tensors: Mapping[str, FloatArray], support: tuple[float, float, float]
) -> None:
    """Writes into `folder` what `anaphora.judge.model.Judge` reads.

    Args:
        tensors: what `anaphora.train.judge.network.Judge.own` names.
        support: offset and weights of `anaphora.judge.model.Judge.support`.
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
    graph.save(folder / LAYERS, ("hidden", sizes.hidden), x, ["texts", "tokens", sizes.hidden])
    heads = {
        name.removeprefix("heads."): value.astype(np.float16)
        for name, value in tensors.items()
        if not name.startswith("layers.")
    }
    np.savez(folder / HEADS, **heads)  # type: ignore[arg-type]
    digests = {name: checksum(folder / name) for name in (LAYERS, HEADS)}
    card = {"support": support, "sha256": digests}
    text = json.dumps(card, indent=1, sort_keys=True)
    (folder / CARD).write_text(text + "\n", "utf-8")
