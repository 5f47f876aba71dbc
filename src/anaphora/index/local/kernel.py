"""The inner loop of lexical search: the compiled kernel, or its numpy twin where there is none.

Both give the same answer; the twin scores every posting and is the yardstick of the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from anaphora.index.local.postings import Postings

try:
    from anaphora.index.local import _kernel
except ImportError:  # built without a compiler
    _kernel = None  # type: ignore[assignment]

Array = npt.NDArray[Any]
COMPILED = _kernel is not None
BLOCK = 128
"""Postings per block; the compiled kernel has the same constant."""


def search(
    postings: Postings,
    spans: Array,
    block_spans: Array,
    tables: Array,
    live: Array | None,
    k: int,
    floor: float,
) -> tuple[Array, Array]:
    """The `k` best ordinals over several posting lists.

    Args:
        spans: int64 [lists, 2], where each list lies in `docs` and `codes`.
        block_spans: int64 [lists, 2], where its blocks lie in `front_offsets`.
        tables: float32 [lists, codes], what each code scores in each list; none is negative.
        live: uint8 [ordinals], 0 for deleted ones, or None when none is.
        floor: only scores above it count.

    Returns:
        uint32 ordinals and float32 scores, best first, ties by the earlier ordinal.
    """
    if _kernel is None:
        return search_numpy(postings, spans, tables, live, k, floor)
    ordinals, scores = _kernel.search(
        postings.docs,
        postings.codes,
        postings.codes.itemsize == 4,
        np.ascontiguousarray(spans, dtype=np.int64),
        np.ascontiguousarray(block_spans, dtype=np.int64),
        postings.front_offsets,
        postings.fronts,
        np.ascontiguousarray(tables, dtype=np.float32),
        live,
        min(k, len(postings.lengths)),
        floor,
    )
    return np.frombuffer(ordinals, dtype=np.uint32), np.frombuffer(scores, dtype=np.float32)


def search_numpy(
    postings: Postings,
    spans: Array,
    tables: Array,
    live: Array | None,
    k: int,
    floor: float,
) -> tuple[Array, Array]:
    """`search`, posting by posting, with nothing skipped."""
    sums = np.zeros(len(postings.lengths), dtype=np.float64)
    for (start, end), table in zip(spans, tables, strict=True):
        sums[postings.docs[start:end]] += table[postings.codes[start:end]]
    scores = sums.astype(np.float32)
    if live is not None:
        scores[live == 0] = 0
    found = np.flatnonzero(scores > floor)
    best = found[np.lexsort((found, -scores[found]))[:k]]
    return best.astype(np.uint32), scores[best]


def find(blob: Array, offsets: Array, key: bytes) -> int:
    """Index of `key` among sorted byte strings laid end to end, or -1."""
    if _kernel is not None:
        return _kernel.find(blob, offsets, key)
    low, high = 0, len(offsets) - 1
    while low < high:
        middle = (low + high) // 2
        term = blob[offsets[middle] : offsets[middle + 1]].tobytes()
        if term == key:
            return middle
        if term < key:
            low = middle + 1
        else:
            high = middle
    return -1
