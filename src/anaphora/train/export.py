"""Writes trained weights as they are shipped, and reads them: layers as an int8 ONNX graph, arrays,
and a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anaphora.models.card import checksum
from anaphora.models.graph import GraphWriter, add_layer
from anaphora.models.weights import FloatArray, Weights


def write_layers(
    path: Path,
    tensors: Mapping[str, FloatArray],
    prefix: str,
    head: tuple[FloatArray, FloatArray] | None = None,
) -> None:
    """Writes the graph of the layers in `tensors`, over hidden states [b, t, d].

    Args:
        tensors: the state of a network, whose layers are called "layers.N.tensors.…".
        prefix: what the names of the graph's constants begin with.
        head: weights [n, d] and offsets [n] of a linear layer on top, in float32.
    """
    sizes = Weights().sizes
    graph = GraphWriter()
    x, width = "hidden", sizes.hidden
    count = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    for number in range(count):

        def tensor(name: str, number: int = number) -> FloatArray:
            return tensors[f"layers.{number}.tensors.{name.replace('.', '_')}"].reshape(-1)

        x = add_layer(graph, sizes, tensor, f"{prefix}{number}", x)
    if head is not None:
        weights, offsets = head
        width = len(weights)
        x = graph.add("MatMul", x, graph.constant("heads.w", weights.T.astype(np.float32)))
        x = graph.add("Add", x, graph.constant("heads.b", offsets))
    graph.save(path, ("hidden", sizes.hidden), x, ["texts", "tokens", width])


def read_layers(
    path: Path, prefix: str
) -> tuple[dict[str, FloatArray], tuple[FloatArray, FloatArray]]:
    """The tensors of a graph that `write_layers` wrote with a head, and the head."""
    constants = _constants(path)
    return read_tensors(path, prefix), (constants["heads.w"].T, constants["heads.b"])


def read_tensors(path: Path, prefix: str) -> dict[str, FloatArray]:
    """The tensors of a graph that `write_layers` wrote.

    The weights are those that the graph multiplies by: integers times the step of their row.
    """
    constants = _constants(path)
    tensors: dict[str, FloatArray] = {}
    for name, values in constants.items():
        layer, _, part = name.removeprefix(prefix).partition(".")
        if not name.startswith(prefix) or part.endswith(".s"):
            continue
        if part == "qkv.b":
            thirds = zip("qkv", np.split(values, 3), strict=True)
            found = {f"{third}_b": bias for third, bias in thirds}
        elif values.dtype == np.int8:
            steps = constants[name.removesuffix("w") + "s"]
            found = {part.replace(".", "_"): values.T * steps[:, None]}
        else:
            found = {part.replace(".", "_"): values}
        tensors |= {f"layers.{layer}.tensors.{key}": value for key, value in found.items()}
    return tensors


def _constants(path: Path) -> dict[str, Any]:
    import onnx
    from onnx import numpy_helper

    return {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}


def write_card(path: Path, files: Sequence[str], **values: Any) -> None:
    """Writes a model card with the checksums of the files that lie next to it."""
    _write(path, {"sha256": {name: checksum(path.with_name(name)) for name in files}, **values})


def update_card(path: Path, **values: Any) -> None:
    """Replaces values of a card; what else it holds is kept."""
    _write(path, json.loads(path.read_text("utf-8")) | values)


def _write(path: Path, card: Mapping[str, Any]) -> None:
    text = json.dumps(card, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", "utf-8")
