"""Encoding the passages of a segment into vectors or sparse weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anaphora.index.local.impacts import impact_postings
from anaphora.index.local.manifest import SegmentRecord
from anaphora.index.local.postings import Postings
from anaphora.index.local.segment import load_rows
from anaphora.index.local.store import Store
from anaphora.index.local.vectors import Vectors
from anaphora.protocols import Encoder, SparseEncoder, TermWeights


class Texts(NamedTuple):
    """What is encoded of a segment.

    Attributes:
        rows: of all its passages, ascending.
        kept: those of them that are not deleted.
        texts: of the passages in `kept`.
    """

    rows: list[int]
    kept: list[int]
    texts: list[str]


def load_texts(store: Store, folder: Path, record: SegmentRecord) -> Texts:
    rows = load_rows(folder, record).tolist()
    passages = store.passages(rows)
    kept = [row for row in rows if row in passages]
    return Texts(rows, kept, [passages[row].searched_text for row in kept])


def encode_vectors(encoder: Encoder, of: Texts, progress: Callable[[int], None]) -> Vectors:
    """The vectors of all rows; those of deleted passages are zero."""
    encoded = encoder.encode_passages(of.texts, progress=progress)
    whole = np.zeros((len(of.rows), encoded.shape[1]), dtype=np.float32)
    whole[np.searchsorted(of.rows, of.kept)] = encoded
    return Vectors.of(whole)


def encode_impacts(encoder: SparseEncoder, of: Texts, progress: Callable[[int], None]) -> Postings:
    """The sparse weights of all rows; deleted passages have none."""
    weights = encoder.encode_passages(of.texts, progress=progress)
    found = dict(zip(of.kept, weights, strict=True))
    nothing = TermWeights(np.empty(0, np.int64), np.empty(0, np.float32))
    return impact_postings([found.get(row, nothing) for row in of.rows])
