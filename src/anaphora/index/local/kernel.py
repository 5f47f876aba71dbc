"""The inner loops of search: the compiled kernel, or the reference implementation in numpy.

Both return the same. The reference scores every posting; it is used where there is no compiler, and
the tests compare the kernel with it.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    numbers: Sequence[int],
    tables: Array,
    live: Array | None,
    k: int,
    floor: float,
) -> tuple[Array, Array]:
    """Returns the `k` best ordinals over the lists of several terms.

    Args:
        numbers: the terms.
        tables: float32 [terms, codes], the score of each code for each term; none is negative.
        live: uint8 [ordinals], 0 for deleted ones, or None if there are none.
        floor: only scores above it count.

    Returns:
        uint32 ordinals and float32 scores, best first, ties by ordinal.
    """
    if _kernel is None:
        return search_numpy(postings, numbers, tables, live, k, floor)
    ordinals, scores = _kernel.search(
        np.array(numbers, dtype=np.int64),
        postings.starts,
        postings.block_starts,
        postings.docs,
        postings.codes,
        postings.codes.itemsize == 4,
        postings.front_offsets,
        postings.fronts,
        np.ascontiguousarray(tables),
        live,
        min(k, len(postings.lengths)),
        floor,
    )
    return np.frombuffer(ordinals, dtype=np.uint32), np.frombuffer(scores, dtype=np.float32)


def search_numpy(
    postings: Postings,
    numbers: Sequence[int],
    tables: Array,
    live: Array | None,
    k: int,
    floor: float,
) -> tuple[Array, Array]:
    """The reference of `search`: it adds up every posting."""
    sums = np.zeros(len(postings.lengths), dtype=np.float64)
    for number, table in zip(numbers, tables, strict=True):
        start, end = postings.starts[number], postings.starts[number + 1]
        sums[postings.docs[start:end]] += table[postings.codes[start:end]]
    scores = sums.astype(np.float32)
    if live is not None:
        scores[live == 0] = 0
    found = np.flatnonzero(scores > floor)
    best = found[np.lexsort((found, -scores[found]))[:k]]
    return best.astype(np.uint32), scores[best]


def nearest(
    rows: Array, factors: Array, query: Array, live: Array | None, first: int, last: int, k: int
) -> tuple[Array, Array]:
    """Returns the `k` rows of [first, last) with the largest cosine to a query.

    Args:
        rows: int8 [n, d].
        factors: float32 [n], one over each row's length; 0 for a row without a vector.
        query: float32 [d].
        live: uint8 [n], 0 for deleted ones, or None if there are none.

    Returns:
        uint32 ordinals and float32 cosines, best first, ties by ordinal.
    """
    # Integers as large as 32-bit sums of d products with int8 allow.
    top = min(8191, (2**31 - 1) // (128 * rows.shape[1]))
    largest = float(np.abs(query).max(initial=0.0)) or 1.0
    whole = np.rint(query * (top / largest)).astype(np.int16)
    length = float(np.linalg.norm(whole.astype(np.float64))) or 1.0
    if _kernel is None:
        return nearest_numpy(rows, factors, whole, 1 / length, live, first, last, k)
    ordinals, scores = _kernel.nearest(
        rows, factors, whole, 1 / length, live, first, last, min(k, last - first)
    )
    return np.frombuffer(ordinals, dtype=np.uint32), np.frombuffer(scores, dtype=np.float32)


def nearest_numpy(
    rows: Array,
    factors: Array,
    whole: Array,
    scale: float,
    live: Array | None,
    first: int,
    last: int,
    k: int,
) -> tuple[Array, Array]:
    """The reference of `nearest`, by a floating-point product."""
    sums = rows[first:last].astype(np.float32) @ whole.astype(np.float32)
    scores = (sums * factors[first:last] * np.float32(scale)).astype(np.float32)
    counts = factors[first:last] > 0
    if live is not None:
        counts &= live[first:last] != 0
    found = np.flatnonzero(counts)
    best = found[np.lexsort((found, -scores[found]))[:k]]
    return (best + first).astype(np.uint32), scores[best]


def find(blob: Array, offsets: Array, key: bytes) -> int:
    """Returns the index of `key` among sorted, concatenated byte strings, or -1."""
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
