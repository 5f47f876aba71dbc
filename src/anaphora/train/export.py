"""Writes trained tensors as the files that are shipped: int8 layers, float16 heads, a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from anaphora.models.card import checksum
from anaphora.models.graph import GraphWriter, add_layer
from anaphora.models.weights import FloatArray, Weights
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.model import CARD, HEADS, LAYERS


def export(
    folder: Path,
    tensors: Mapping[str, FloatArray],
    heads: Mapping[str, FloatArray],
    phrases: Sequence[str],
    languages: Mapping[str, Sequence[str]],
    thresholds: Mapping[str, Thresholds],
) -> None:
    """Writes into `folder` what `anaphora.rewrite.linking.model.Linker` reads.

    Args:
        tensors: the state of `anaphora.train.network.Linker`.
        heads: the heads by the names of `anaphora.rewrite.linking.heads`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Weights().sizes
    graph = GraphWriter()
    x = "hidden"
    count = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    for number in range(count):

        def tensor(name: str, number: int = number) -> FloatArray:
            return tensors[f"layers.{number}.tensors.{name.replace('.', '_')}"].reshape(-1)

        x = add_layer(graph, sizes, tensor, f"linker{number}", x)
    graph.save(folder / LAYERS, ("hidden", sizes.hidden), x, ["texts", "tokens", sizes.hidden])
    marks = {name: tensors[f"marks.{name}"] for name in ("roles", "distances", "places")}
    arrays = {name: value.astype(np.float16) for name, value in {**heads, **marks}.items()}
    np.savez(folder / HEADS, **arrays)  # type: ignore[arg-type]
    card = {
        "phrases": list(phrases),
        "languages": {lang: list(texts) for lang, texts in languages.items() if texts},
        "thresholds": {lang: asdict(one) for lang, one in thresholds.items()},
        "sha256": {name: checksum(folder / name) for name in (LAYERS, HEADS)},
    }
    text = json.dumps(card, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / CARD).write_text(text + "\n", "utf-8")
