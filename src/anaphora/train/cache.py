"""Float16 arrays that are computed once and kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float16]


def cached_arrays(
    path: Path,
    digest: str,
    shapes: Sequence[tuple[int, ...]],
    fill: Callable[[Sequence[Array]], None],
) -> list[Array]:
    """Memory-mapped arrays of these shapes, from the file `path` if it was written with `digest`.

    Args:
        digest: identifies what the arrays are computed from.
        fill: writes the values into the empty arrays.
    """
    offsets = np.cumsum([0, *map(prod, shapes)]).tolist()
    mark = path.with_suffix(".sha256")

    def arrays(values: Array) -> list[Array]:
        places = zip(pairwise(offsets), shapes, strict=True)
        return [values[start:end].reshape(shape) for (start, end), shape in places]

    size = (max(1, offsets[-1]),)
    if not (mark.exists() and mark.read_text() == digest):
        values = np.memmap(path, np.float16, "w+", shape=size)
        fill(arrays(values))
        values.flush()
        mark.write_text(digest)
    return arrays(np.memmap(path, np.float16, "r", shape=size))
