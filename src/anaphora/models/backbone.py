"""multilingual-e5-small, prepared once and ready to run.

Wang et al., "Multilingual E5 Text Embeddings" (2024): a BERT encoder of 12 layers, 384 wide, over
the vocabulary of XLM-RoBERTa, trained so that the mean over a text's tokens says what it means.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from anaphora.models.cache import prepared
from anaphora.models.tokenizer import BEGIN, END, Tokenizer, write_vocabulary
from anaphora.models.weights import FloatArray, Weights

NAME = "multilingual-e5-small"
SHARED_LAYERS = 8
"""How many of the lower layers the embedder and the linker have in common."""
JUDGED_LAYERS = 3
"""How many of these the judge shares with them."""

_FOLDER = f"{NAME}-4"  # another number whenever _make writes something else
_BOTTOM, _MIDDLE, _TOP = "bottom.onnx", "middle.onnx", "top.onnx"


class Backbone:
    """The tokeniser, the word table, the shared lower layers and the original upper ones.

    Args:

    Raises:
        ModelUnavailable: the weights are not installed or not whole, or there is no room.
    """

    def __init__(self) -> None:
        weights = Weights()
        folder = prepared(_FOLDER, _make)
        self.tokenizer = Tokenizer(folder)
        self.words = weights.words()
        self.dimensions = weights.sizes.hidden
        self.max_tokens = weights.sizes.positions
        self._bottom = Graph(folder / _BOTTOM)
        self._middle = Graph(folder / _MIDDLE)
        self._top = Graph(folder / _TOP)

    def tokens(self, text: str) -> list[int]:
        """Ids of `text` between begin and end, at most `max_tokens` of them."""
        return [BEGIN, *self.tokenizer.encode(text, self.max_tokens - 2), END]

    def bottom(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """What the first `JUDGED_LAYERS` make of n texts of one length t: float32 [n, t, d]."""
        return self._bottom(self.words[np.array(ids, dtype=np.int64)])

    def hidden(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """What the first `SHARED_LAYERS` make of n texts of one length t: float32 [n, t, d]."""
        return self._middle(self.bottom(ids))

    def embed(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        """Unit vectors of n texts of one length: float32 [n, d]."""
        # Not in the graph: onnxruntime's sum over tokens is another for one text than for several.
        means = self._top(self.hidden(ids)).mean(axis=1)
        vectors: FloatArray = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors


class Graph:
    """An ONNX graph over float32 arrays, from a file or from what is in it.

    A call computes on one thread; calls from several threads at once run side by side, which for
    graphs this small is faster than threads that share each product.
    """

    def __init__(self, source: Path | bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Higher levels fuse residual and normalisation into a node that is slower than its parts.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Contents rather than names: onnxruntime cannot open a name that is not UTF-8.
        content = source.read_bytes() if isinstance(source, Path) else source
        self._session: Any = onnxruntime.InferenceSession(
            content, options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [one.name for one in self._session.get_inputs()]

    def __call__(self, x: FloatArray) -> FloatArray:
        """The one output for the one input."""
        return self.outputs(x)[0]

    def outputs(self, *inputs: FloatArray) -> list[FloatArray]:
        """All outputs for all inputs, both in the graph's order."""
        made: list[FloatArray] = self._session.run(
            None, dict(zip(self._inputs, inputs, strict=True))
        )
        return made


def _make(folder: Path) -> None:
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
    """The one backbone of this process, which every head stands on; made when first asked for.

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
    """The threads that run graphs: as many as the processors this process may use."""
    global _workers
    with _workers_lock:
        if _workers is None:
            _workers = ThreadPoolExecutor(processors(), thread_name_prefix="anaphora-model")
        return _workers


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
