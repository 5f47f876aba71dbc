"""Nearest vectors in a segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index import FloatArray
from anaphora.index.local.segment import Segment

Array = npt.NDArray[Any]
SCALE = 127.0
_ROWS = 1 << 15


def quantize(vectors: FloatArray) -> Array:
    """Unit vectors as stored: int8 [n, d], each component times 127, rounded."""
    scaled: Array = np.clip(np.rint(np.asarray(vectors) * SCALE), -127, 127)
    return scaled.astype(np.int8)


def nearest(segment: Segment, vectors: FloatArray, k: int) -> tuple[list[Array], list[Array]]:
    """Rows and cosine scores of the k nearest live passages, for each row of `vectors`."""
    stored = segment.vectors
    assert stored is not None
    queries = np.asarray(vectors, dtype=np.float32)
    scores = np.empty((len(queries), len(stored)), dtype=np.float32)
    for at in range(0, len(stored), _ROWS):
        block = stored[at : at + _ROWS].astype(np.float32)
        scores[:, at : at + _ROWS] = queries @ block.T / SCALE
    if segment.live is not None:
        scores[:, segment.live == 0] = -np.inf
    rows: list[Array] = []
    best: list[Array] = []
    for line in scores:
        top = np.argpartition(-line, k)[:k] if k < len(line) else np.arange(len(line))
        top = top[line[top] > -np.inf]
        rows.append(segment.rows[top])
        best.append(line[top])
    return rows, best
