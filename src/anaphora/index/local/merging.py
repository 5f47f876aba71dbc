"""Merging segments: which ones, and how. Deleted passages are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from anaphora.index.local.manifest import SegmentRecord
from anaphora.index.local.postings import merge
from anaphora.index.local.segment import (
    Content,
    load_rows,
    open_segment,
    write_content,
    write_postings,
)
from anaphora.index.local.store import Store
from anaphora.index.local.vectors import Vectors

Array = npt.NDArray[Any]

MERGE_FACTOR = 3
"""A segment is merged with those after it unless it is this many times larger than they are."""
MOST_DELETED = 0.2
"""A segment with a larger fraction of deleted passages is rewritten."""


def mergeable(
    records: list[SegmentRecord], deleted: dict[str, int], encoding: bool
) -> list[SegmentRecord]:
    """The segments to merge next: one with many deleted passages, or several at the end.

    A segment is merged with all those after it unless it is more than `MERGE_FACTOR` times their
    size. So there are few segments, and each passage is merged a few times only. While `encoding`
    goes on, segments stay small, because an interruption loses the vectors of one segment.
    """
    for record in records:
        if deleted.get(record.name, 0) > MOST_DELETED * record.passages:
            return [record]
    if encoding:
        return []
    first, size = len(records), 0
    for place in reversed(range(len(records))):
        if not _alike(records[place], records[-1]):
            break
        if size and records[place].passages <= MERGE_FACTOR * size:
            first = place
        size += records[place].passages
    return records[first:]


def _alike(one: SegmentRecord, other: SegmentRecord) -> bool:
    return [one.vectors is None, one.impacts is None] == [
        other.vectors is None,
        other.impacts is None,
    ]


def deleted_counts(store: Store, folder: Path) -> dict[str, int]:
    """The numbers of deleted passages that the segments still hold, by segment."""
    deleted = np.array(store.deleted(), dtype=np.int64)
    if not len(deleted):
        return {}
    return {
        record.name: int(np.isin(load_rows(folder, record), deleted, assume_unique=True).sum())
        for record in store.segments()
    }


def merge_segments(store: Store, folder: Path, group: Sequence[SegmentRecord]) -> None:
    """Replaces neighbouring segments by one, or by none where all their passages are deleted."""
    deleted = np.array(store.deleted(), dtype=np.int64)
    parts = [open_segment(folder, record, deleted) for record in group]
    keep = [
        np.ones(len(part.rows), bool) if part.live is None else part.live.astype(bool)
        for part in parts
    ]
    rows = np.concatenate([part.rows[kept] for part, kept in zip(parts, keep, strict=True)])
    vectors = _kept([part.vectors for part in parts], keep)
    first_vectors = _kept([part.first_vectors for part in parts], keep)
    for record in group:
        store.drop_segment(record.name)
    store.purge_deleted(int(parts[0].rows[0]), int(parts[-1].rows[-1]))
    if not len(rows):
        return
    name = uuid4().hex
    merged = SegmentRecord(
        name,
        int(rows[0]),
        len(rows),
        store.languages(int(rows[0]), int(rows[-1])),
        write_postings(
            folder,
            name,
            merge([part.postings for part in parts], [part.live for part in parts]),
            rows,
        ),
        None,
    )
    lists = [part.impacts for part in parts if part.impacts is not None]
    whole = len(lists) == len(parts)
    impacts = merge(lists, [part.live for part in parts]) if whole else None
    store.put_segment(write_content(folder, merged, Content(vectors, impacts, first_vectors)))


def _kept(parts: Sequence[Vectors | None], keep: Sequence[Array]) -> Vectors | None:
    """The vectors of several segments that masks select; None where a segment has none."""
    found = [part.take(kept) for part, kept in zip(parts, keep, strict=True) if part is not None]
    return Vectors.concatenate(found) if len(found) == len(parts) else None
