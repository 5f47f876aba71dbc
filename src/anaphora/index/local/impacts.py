"""Sparse weights of passages as inverted lists: a posting holds a quantised weight, its *impact*,
in the place of a term frequency (Anh and Moffat 2006, "Pruned Query Evaluation Using Pre-Computed
Impacts"). All lengths are 0, so that impacts alone decide what a posting adds to a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index.local.postings import Postings, pack
from anaphora.protocols import TermWeights

Array = npt.NDArray[Any]
PER_UNIT = 100
"""Impacts are weights in hundredths: the weights of SPLADE are logarithms and seldom exceed 3. A
weight below half of a hundredth is dropped."""
_LARGEST = (1 << 23) - 1


def quantise(weights: Array) -> Array:
    """Weights as impacts; int64. A weight is at most half of a hundredth from its impact's."""
    impacts: Array = np.rint(np.clip(weights, 0, _LARGEST / PER_UNIT) * PER_UNIT)
    return impacts.astype(np.int64)


def impact_postings(passages: Sequence[TermWeights]) -> Postings:
    """The inverted lists of n passages, whose ordinals are their places in the sequence."""
    counts = [len(one.terms) for one in passages]
    owners = np.repeat(np.arange(len(passages)), counts)
    terms = np.concatenate([np.empty(0, np.int64), *(one.terms for one in passages)])
    impacts = quantise(np.concatenate([np.empty(0), *(one.weights for one in passages)]))
    order = np.lexsort((owners, terms))
    order = order[impacts[order] > 0]
    numbers, df = np.unique(terms[order], return_counts=True)
    return pack(
        [impact_key(number) for number in numbers.tolist()],
        df,
        owners[order].astype(np.uint32),
        impacts[order],
        np.zeros(len(passages), dtype=np.uint32),
    )


def impact_key(number: int) -> bytes:
    """A term's number as the index stores it: the order of keys is that of numbers."""
    return number.to_bytes(4, "big")
