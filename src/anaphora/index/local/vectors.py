"""Vectors of a segment: how they are stored, and the search for the most similar ones.

Search is exact up to `APPROXIMATE_FROM` rows. Beyond, a graph (HNSW: Malkov and Yashunin 2016)
finds candidates, which are then scored exactly. The graph needs the extra `anaphora[ann]`; without
it search stays exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index.local import kernel
from anaphora.protocols import FloatArray

Array = npt.NDArray[Any]
Map = Callable[[Callable[[tuple[int, int]], tuple[Array, Array]], Sequence[tuple[int, int]]], Any]
APPROXIMATE_FROM = 500_000
"""Number of rows in a segment from which exact search is too slow for a conversation."""
_ROWS_PER_TASK = 1 << 15
"""Rows that one thread searches at a time."""
_BREADTH = 256
"""Candidates that the search of the graph keeps: docs/decisions/vectors-search.md."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Unit vectors with one byte per component.

    docs/decisions/vectors-search.md measures what this costs in quality and saves in space.

    Attributes:
        rows: int8 [n, d], each row scaled by its largest component.
        factors: float32 [n], one over the length of each row; 0 where there is no vector.
        graph: the serialised HNSW graph over many rows, uint8, or None.
    """

    rows: Array
    factors: Array
    graph: Array | None = None
    _open: list[Any] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, vectors: FloatArray) -> Vectors:
        """Quantises float vectors [n, d] of any length."""
        largest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
        rows = np.rint(vectors / np.where(largest > 0, largest, 1) * 127).astype(np.int8)
        return cls(rows, _factors(rows))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Vectors:
        """The inverse of `arrays`."""
        return cls(arrays["rows"], arrays["factors"], arrays.get("graph"))

    @classmethod
    def concatenate(cls, parts: Sequence[Vectors]) -> Vectors:
        """The rows of all parts, without a graph."""
        rows = np.concatenate([part.rows for part in parts])
        return cls(rows, np.concatenate([part.factors for part in parts]))

    def take(self, which: Array | slice) -> Vectors:
        """The rows that a mask, indexes or a slice select, without the graph."""
        return Vectors(self.rows[which], self.factors[which])

    def arrays(self) -> dict[str, Array]:
        named = {"rows": self.rows, "factors": self.factors}
        return named if self.graph is None else {**named, "graph": self.graph}

    def with_graph(self) -> Vectors:
        """The same with a graph, if there are enough rows and the extra is installed."""
        if len(self.rows) < APPROXIMATE_FROM or not find_spec("usearch"):
            return self
        index = _usearch().Index(ndim=self.rows.shape[1], metric="cos", dtype="i8", connectivity=16)
        held = np.flatnonzero(self.factors)
        index.add(held.astype(np.uint64), self.rows[held])
        return Vectors(self.rows, self.factors, np.frombuffer(index.save(), dtype=np.uint8))

    def nearest(self, query: FloatArray, live: Array | None, k: int, run: Map) -> list[Any]:
        """Returns ordinals and cosines of the k most similar rows, as a list of parts to merge.

        `run` maps a function over parts of the rows, in parallel if it can.
        """
        if self.graph is not None and find_spec("usearch"):
            return [self._nearest_by_graph(query, live, k)]
        cuts = range(0, len(self.rows), _ROWS_PER_TASK)
        parts = [(first, min(first + _ROWS_PER_TASK, len(self.rows))) for first in cuts]
        return list(
            run(
                lambda part: kernel.nearest(self.rows, self.factors, query, live, *part, k),
                parts,
            )
        )

    def _nearest_by_graph(
        self, query: FloatArray, live: Array | None, k: int
    ) -> tuple[Array, Array]:
        if not self._open:
            assert self.graph is not None
            graph = _usearch().Index.restore(self.graph.data, view=True)
            graph.expansion_search = _BREADTH
            self._open.append(graph)
        quantised = np.rint(query * (127 / (np.abs(query).max(initial=0.0) or 1.0))).astype(np.int8)
        wanted = k
        while True:
            found = np.sort(self._open[0].search(quantised, wanted).keys.astype(np.int64))
            alive = found if live is None else found[live[found] != 0]
            # Deleted rows are still in the graph: search for more until enough others are found.
            if len(alive) >= k or len(found) < wanted:
                break
            wanted *= 2
        ordinals, scores = kernel.nearest(
            self.rows[alive], self.factors[alive], query, None, 0, len(alive), k
        )
        return alive[ordinals].astype(np.uint32), scores


def _usearch() -> Any:
    # If onnxruntime is loaded after usearch (2.26, with numkong 7.8), it crashes the process.
    import onnxruntime  # noqa: F401
    import usearch.index

    return usearch.index


def _factors(rows: Array) -> Array:
    lengths = np.sqrt((rows.astype(np.int32) ** 2).sum(axis=1))
    return np.where(lengths > 0, 1 / np.maximum(lengths, 1), 0).astype(np.float32)
