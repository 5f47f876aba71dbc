"""Vectors of a segment: how they are stored, and the nearest ones to a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index import FloatArray
from anaphora.index.local import kernel

Array = npt.NDArray[Any]
Map = Callable[[Callable[[tuple[int, int]], tuple[Array, Array]], Sequence[tuple[int, int]]], Any]
_SHARE = 1 << 15
"""Rows that are worth a thread of their own."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Directions in a byte a component: `rows` int8 [n, d], each scaled by its own largest
    component, and `factors` float32 [n], one over the length of each row; 0 where there is no
    vector. docs/decisions/vectors-search.md has what this costs in quality, and what it saves.
    """

    rows: Array
    factors: Array

    @classmethod
    def of(cls, vectors: FloatArray) -> Vectors:
        """Stores float vectors [n, d] of any length."""
        largest = np.abs(vectors).max(axis=1, initial=0, keepdims=True)
        rows = np.rint(vectors / np.where(largest > 0, largest, 1) * 127).astype(np.int8)
        return cls(rows, _factors(rows))

    def nearest(self, query: FloatArray, live: Array | None, k: int, run: Map) -> list[Any]:
        """Ordinals and cosines of the k nearest rows, a list of parts to be merged.

        `run` maps a function over parts of the rows, side by side if it can.
        """
        cuts = range(0, len(self.rows), _SHARE)
        parts = [(first, min(first + _SHARE, len(self.rows))) for first in cuts]
        return list(
            run(
                lambda part: kernel.nearest(self.rows, self.factors, query, live, *part, k),
                parts,
            )
        )


def _factors(rows: Array) -> Array:
    lengths = np.sqrt((rows.astype(np.int32) ** 2).sum(axis=1))
    return np.where(lengths > 0, 1 / np.maximum(lengths, 1), 0).astype(np.float32)
