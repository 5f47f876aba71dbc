"""The shared encoder, multilingual-e5-small, as ONNX graphs.

Wang et al., "Multilingual E5 Text Embeddings: A Technical Report" (2024): a BERT encoder with 12
layers of width 384 and the vocabulary of XLM-RoBERTa. A text's vector is the mean over its tokens.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from anaphora.models.cache import cached_folder
from anaphora.models.tokenizer import BEGIN, END, Tokenizer, write_vocabulary
from anaphora.models.weights import FloatArray, Weights

NAME = "multilingual-e5-small"
SHARED_LAYERS = 8
"""The number of lower layers that the embedder and the linker share."""
JUDGED_LAYERS = 3
"""The number of lower layers that the cross-encoder shares with both."""

_FOLDER = f"{NAME}-4"  # another number whenever _build writes something else
_BOTTOM, _MIDDLE, _TOP = "bottom.onnx", "middle.onnx", "top.onnx"


class Backbone:
    """The tokenizer, the embedding table, the shared lower layers and the original upper layers.

    Raises:
        ModelUnavailable: the weights are not installed or damaged, or the disk is full.
    """

    def __init__(self) -> None:
        weights = Weights()
        folder = cached_folder(_FOLDER, _build)
        self.tokenizer = Tokenizer(folder)
        self.words = weights.words()
        self.dimensions = weights.sizes.hidden
        self.max_tokens = weights.sizes.positions
        self._bottom = Graph(folder / _BOTTOM)
        self._middle = Graph(folder / _MIDDLE)
        self._top = Graph(folder / _TOP)

    def tokens(self, text: str) -> list[int]:
        """The ids of `text` with those for begin and end, at most `max_tokens` in all."""
        return [BEGIN, *self.tokenizer.encode(text, self.max_tokens - 2), END]

    def bottom(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """The output of the first `JUDGED_LAYERS` for n texts of t tokens: float32 [n, t, d]."""
        return self._bottom(self.words[np.array(ids, dtype=np.int64)])

    def hidden(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """The output of the first `SHARED_LAYERS` for n texts of t tokens: float32 [n, t, d]."""
        return self._middle(self.bottom(ids))

    def embed(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """Unit vectors of n texts with equal numbers of tokens: float32 [n, d]."""
        # Not in the graph: onnxruntime's sum rounds differently for one text than for several.
        means = self._top(self.hidden(ids)).mean(axis=1)
        vectors: FloatArray = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors


def _openable(path: Path) -> str | bytes:
    """A file as onnxruntime takes it: by name, or where it would encode the name otherwise than the
    file system does, by contents, which take memory of their own."""
    name = str(path)
    if name.encode("utf-8", "surrogatepass") == os.fsencode(path):
        return name
    return path.read_bytes()


class Graph:
    """An ONNX graph over float32 arrays, from a file or from a file's contents.

    A call runs on one thread, and several threads may call at once. For graphs this small that is
    faster than several threads for each matrix product.

    Attributes:
        width: the last dimension of its first output.
    """

    def __init__(self, source: Path | bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Higher levels fuse residual and normalisation into one node, which is slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self._session: Any = onnxruntime.InferenceSession(
            _openable(source) if isinstance(source, Path) else source,
            options,
            providers=["CPUExecutionProvider"],
        )
        self._inputs = [one.name for one in self._session.get_inputs()]
        self.width = self._session.get_outputs()[0].shape[-1]

    def __call__(self, x: FloatArray) -> FloatArray:
        """The output of a graph with one input and one output."""
        return self.outputs(x)[0]

    def outputs(self, *inputs: FloatArray) -> list[FloatArray]:
        """All outputs for all inputs, both in the order of the graph."""
        results: list[FloatArray] = self._session.run(
            None, dict(zip(self._inputs, inputs, strict=True))
        )
        return results


def _build(folder: Path) -> None:
    from anaphora.models.graph import write_bottom, write_top

    weights = Weights()
    weights.check()
    write_vocabulary(folder, *weights.vocabulary())
    write_bottom(folder / _BOTTOM, weights, range(JUDGED_LAYERS))
    write_top(folder / _MIDDLE, weights, range(JUDGED_LAYERS, SHARED_LAYERS))
    write_top(folder / _TOP, weights, range(SHARED_LAYERS, weights.sizes.layers))


_shared: Backbone | None = None
_shared_lock = threading.Lock()


def shared_backbone() -> Backbone:
    """The backbone that all heads of this process share, created at the first call.

    Raises:
        ModelUnavailable: as `Backbone`.
    """
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Backbone()
        return _shared


_workers: ThreadPoolExecutor | None = None
_workers_lock = threading.Lock()


def workers() -> ThreadPoolExecutor:
    """The thread pool that runs graphs, with one thread for each usable processor."""
    global _workers
    with _workers_lock:
        if _workers is None:
            _workers = ThreadPoolExecutor(processors(), thread_name_prefix="anaphora-model")
        return _workers


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
