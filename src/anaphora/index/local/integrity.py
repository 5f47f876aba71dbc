"""Whether an index is whole: its files are as they were written, and agree with its database."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from anaphora.index.local.manifest import SegmentRecord
from anaphora.index.local.postings import merge
from anaphora.index.local.segment import (
    Content,
    damage,
    files,
    first_vectors_path,
    impacts_path,
    open_impacts,
    open_segment,
    open_vectors,
    vectors_path,
)
from anaphora.index.local.store import Store
from anaphora.index.local.vectors import Vectors


def damaged_files(folder: Path, record: SegmentRecord) -> dict[Path, str]:
    """The files of a segment that are not as they were written, and what is wrong with each."""
    return {
        path: wrong
        for path, stamp in files(folder, record)
        if (wrong := damage(path, stamp, thorough=True))
    }


def inconsistencies(store: Store, folder: Path) -> list[str]:
    """Where segments and database disagree, though every file is as it was written."""
    rows = set(store.rows_from(0))
    deleted = np.array(store.deleted(), dtype=np.int64)
    for record in store.segments():
        segment = open_segment(folder, record, deleted)
        for vectors in (segment.vectors, segment.first_vectors):
            if vectors and len(vectors.rows) != len(segment.rows):
                return [f"segment {record.name} holds fewer or more vectors than passages"]
        if segment.impacts and len(segment.impacts.lengths) != len(segment.rows):
            return [f"segment {record.name} has sparse weights of fewer or more passages"]
        alive = segment.rows if segment.live is None else segment.rows[segment.live == 1]
        for row in alive.tolist():
            if row not in rows:
                return [f"segment {record.name} holds a passage that the database lacks"]
            rows.remove(row)
    return [f"{len(rows)} passages are in no segment"] if rows else []


def intact_content(
    store: Store, folder: Path, record: SegmentRecord, rows: list[int], end: int
) -> Content:
    """The vectors and weights of these rows of a segment, unless missing or damaged."""
    # The rows of a segment are in its postings file, which may be the damaged one. They are
    # those in the database and those deleted since, if the numbers agree.
    deleted = [row for row in store.deleted() if record.first <= row < end]
    every = sorted((*rows, *deleted))
    if len(every) != record.passages:
        return Content()
    kept = np.isin(every, rows)
    wrong = damaged_files(folder, record)
    whole = {path for path, _ in files(folder, record) if path not in wrong}

    def vectors(path: Path) -> Vectors | None:
        stored = open_vectors(path) if path in whole else None
        return stored.take(kept) if stored and len(stored.rows) == len(every) else None

    impacts = None
    if impacts_path(folder, record.name) in whole:
        lists = open_impacts(folder, record)
        impacts = merge([lists], [kept]) if len(lists.lengths) == len(every) else None
    return Content(
        vectors(vectors_path(folder, record.name)),
        impacts,
        vectors(first_vectors_path(folder, record.name)),
    )
