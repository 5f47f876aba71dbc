"""Writes BERT layers as ONNX graphs with 8-bit integer matrix products.

The activations of each token are quantised by their own largest value, inside the graph, so that a
text's vector does not depend on the other texts of its batch. Weights use 7 of the 8 bits: x86
processors without VNNI add two products in 16 bits, which 8-bit weights would overflow.

There is no attention mask: all texts of a batch have equal numbers of tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.models.weights import FloatArray, Sizes, Weights

_FUSED = "com.microsoft"
_ACTIVATION_MAX = 127
_ACTIVATION_ZERO = 128
WEIGHT_MAX = 63
"""The largest integer of a weight."""


class GraphWriter:
    """Collects nodes and constants. Methods that add a node return the name of its output."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy_helper = helper, numpy_helper
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._quantized: dict[str, tuple[str, str]] = {}

    def constant(self, name: str, value: npt.ArrayLike) -> str:
        """Adds a constant, unless there is one of that name, and returns the name."""
        if name not in self._constants:
            array = np.ascontiguousarray(value)
            self._constants[name] = self._numpy_helper.from_array(array, name)
        return name

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output."""
        output = f"{kind}.{len(self._nodes)}"
        self._nodes.append(
            self._helper.make_node(
                kind, list(inputs), [output], name=output, domain=domain, **attributes
            )
        )
        return output

    def product(self, rows: str, name: str, weights: FloatArray) -> str:
        """Adds the product of rows [r, i] and the transpose of weights [o, i]: [r, o]."""
        numbers, scale = self._quantize(rows)
        largest = np.abs(weights).max(axis=1)
        steps = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(WEIGHT_MAX)
        rounded = np.rint(weights / steps[:, None]).astype(np.int8)
        product = self.add(
            "MatMulIntegerToFloat",
            numbers,
            self.constant(f"{name}.w", rounded.T),
            self.constant("one", np.float32(1)),
            self.constant(f"{name}.s", steps),
            self.constant("zero_point", np.uint8(_ACTIVATION_ZERO)),
            domain=_FUSED,
        )
        return self.add("Mul", product, scale)

    def _quantize(self, rows: str) -> tuple[str, str]:
        """Adds the quantisation of rows [r, i]: integers [r, i] and a scale for each row [r, 1]."""
        if rows not in self._quantized:
            largest = self.add("ReduceMax", self.add("Abs", rows), axes=[-1])
            tiny = self.constant("tiny", np.float32(1e-9))
            step = self.constant("step", np.float32(1 / _ACTIVATION_MAX))
            scale = self.add("Mul", self.add("Max", largest, tiny), step)
            scales = self.add("Reshape", scale, self.constant("flat", np.array([-1])))
            zero_points = self.add(
                "Expand",
                self.constant("zero_points", np.array([_ACTIVATION_ZERO], np.uint8)),
                self.add("Shape", scales),
            )
            numbers = self.add("QuantizeLinear", rows, scales, zero_points, axis=0)
            self._quantized[rows] = (numbers, scale)
        return self._quantized[rows]

    def normalized(self, x: str, weight: str, bias: str, epsilon: float) -> str:
        """Adds layer normalisation of x."""
        return self.add("LayerNormalization", x, weight, bias, axis=-1, epsilon=epsilon)

    def save(self, path: Path, source: tuple[str, int], result: str, shape: list[Any]) -> None:
        """Writes the graph from the input `source` (name, width) to `result`, named "output"."""
        name, width = source
        model = self.model({name: ["texts", "tokens", width]}, {"output": (result, shape)})
        path.write_bytes(model)

    def model(
        self,
        inputs: Mapping[str, Sequence[int | str]],
        outputs: Mapping[str, tuple[str, Sequence[int | str]]],
    ) -> bytes:
        """Returns the serialised model. All inputs and outputs are float32.

        Args:
            inputs: name to shape.
            outputs: name to (name of the node's output, shape).
        """
        from onnx import TensorProto

        helper = self._helper

        def value(name: str, shape: Sequence[int | str]) -> Any:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))

        ends = [helper.make_node("Identity", [at], [name]) for name, (at, _) in outputs.items()]
        graph = helper.make_graph(
            [*self._nodes, *ends],
            "anaphora",
            [value(name, shape) for name, shape in inputs.items()],
            [value(name, shape) for name, (_, shape) in outputs.items()],
            list(self._constants.values()),
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)],
            ir_version=8,
            producer_name="anaphora",
        )
        written: bytes = model.SerializeToString(deterministic=True)
        return written


def write_bottom(path: Path, weights: Weights, layers: range) -> None:
    """Writes the graph from word embeddings to the output of the last layer, float32 [b, t, d]."""
    sizes = weights.sizes
    graph = GraphWriter()
    hidden = sizes.hidden
    places = weights.matrix("emb.pos", hidden) + weights.matrix("emb.type", hidden)[0]
    shape = graph.add("Shape", "embeddings", start=1, end=2)
    zero = graph.constant("zero", np.array([0], dtype=np.int64))
    x = graph.add("Slice", graph.constant("places", places), zero, shape, zero)
    x = graph.add("Add", "embeddings", x)
    norm = [graph.constant(name, weights.tensor(name)) for name in ("emb.ln.w", "emb.ln.b")]
    x = graph.normalized(x, norm[0], norm[1], sizes.epsilon)
    x = _add_layers(graph, weights, layers, x)
    graph.save(path, ("embeddings", hidden), x, ["texts", "tokens", hidden])


def write_top(path: Path, weights: Weights, layers: range) -> None:
    """Writes the graph of `layers` over the hidden states below: float32 [b, t, d] to [b, t, d]."""
    graph = GraphWriter()
    hidden = weights.sizes.hidden
    x = _add_layers(graph, weights, layers, "hidden")
    graph.save(path, ("hidden", hidden), x, ["texts", "tokens", hidden])


def _add_layers(graph: GraphWriter, weights: Weights, layers: range, x: str) -> str:
    for layer in layers:
        name = f"l{layer}"
        x = add_layer(graph, weights.sizes, partial(_tensor, weights, name), name, x)
    return x


def _tensor(weights: Weights, layer: str, name: str) -> FloatArray:
    return weights.tensor(f"{layer}.{name}")


def add_layer(
    graph: GraphWriter, sizes: Sizes, tensors: Callable[[str], FloatArray], name: str, x: str
) -> str:
    """Adds a BERT layer over x [b, t, d]; `tensors` returns flat weights by their short names."""
    hidden, inner = sizes.hidden, sizes.inner

    def constant(tensor: str) -> str:
        return graph.constant(f"{name}.{tensor}", tensors(tensor))

    def product(source: str, part: str, columns: int) -> str:
        return graph.product(source, f"{name}.{part}", tensors(f"{part}.w").reshape(-1, columns))

    def residual(product: str, part: str, before: str, norm: str) -> str:
        moved = graph.add("Add", graph.add("Add", product, constant(f"{part}.b")), before)
        return graph.normalized(moved, constant(f"{norm}.w"), constant(f"{norm}.b"), sizes.epsilon)

    # One row for each token: QuantizeLinear takes scales along one axis only.
    shape = graph.add("Shape", x)
    flat = graph.constant("rows", np.array([-1, hidden]))
    rows = graph.add("Reshape", x, flat)
    bias = np.concatenate([tensors(f"{part}.b") for part in "qkv"])
    attended = graph.add(
        "MultiHeadAttention",
        *[graph.add("Reshape", product(rows, part, hidden), shape) for part in "qkv"],
        graph.constant(f"{name}.qkv.b", bias),
        domain=_FUSED,
        num_heads=sizes.heads,
    )
    attended = graph.add("Reshape", attended, flat)
    rows = residual(product(attended, "ao", hidden), "ao", rows, "aln")
    # BiasGelu is slower than its parts.
    widened = graph.add("Add", product(rows, "fi", hidden), constant("fi.b"))
    widened = graph.add("Gelu", widened, domain=_FUSED)
    rows = residual(product(widened, "fo", inner), "fo", rows, "oln")
    return graph.add("Reshape", rows, shape)
