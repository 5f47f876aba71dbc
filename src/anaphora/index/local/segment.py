"""One immutable part of the index: postings and, once they are encoded, vectors and impacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from anaphora.errors import IndexDamaged
from anaphora.index.local.arrays import checksum, load, save
from anaphora.index.local.manifest import FileStamp, SegmentRecord
from anaphora.index.local.postings import Postings, decode_length
from anaphora.index.local.vectors import Vectors

Array = npt.NDArray[Any]

SEGMENTS = "segments"
"""The folder of the segments' files, in that of the index."""


@dataclass(frozen=True)
class Segment:
    """`rows` int64 [n]: the passages' rows, ascending. `live` uint8 [n]: 0 for deleted passages, or
    None where there are none. `impacts` are the sparse weights: see `impacts.py`."""

    record: SegmentRecord
    postings: Postings
    rows: Array
    live: Array | None
    vectors: Vectors | None
    impacts: Postings | None = None
    first_vectors: Vectors | None = None

    @cached_property
    def code_tf(self) -> Array:
        return self.postings.code_tf.astype(np.int64)

    @cached_property
    def code_length(self) -> Array:
        return decode_length(self.postings.code_norm)

    @cached_property
    def live_lengths(self) -> Array:
        lengths = self.postings.lengths
        return lengths if self.live is None else lengths[self.live.astype(bool)]

    def term_statistics(self, number: int) -> tuple[int, int]:
        """Numbers of passages with the term and of its occurrences, without deleted passages."""
        postings = self.postings
        if self.live is None:
            df = int(postings.starts[number + 1] - postings.starts[number])
            return df, int(postings.ttf[number])
        start, alive = self._alive(postings, number)
        return int(alive.sum()), int(postings.frequencies(start, start + len(alive))[alive].sum())

    def passages_with(self, impacts: Postings, number: int) -> int:
        """The number of passages with a term of the sparse weights, without deleted passages."""
        if self.live is None:
            return int(impacts.starts[number + 1] - impacts.starts[number])
        return int(self._alive(impacts, number)[1].sum())

    def _alive(self, postings: Postings, number: int) -> tuple[int, Array]:
        """Where a term's postings begin, and which of them are of passages that are not deleted."""
        assert self.live is not None
        start, end = int(postings.starts[number]), int(postings.starts[number + 1])
        return start, self.live[postings.docs[start:end]].astype(bool)


class Content(NamedTuple):
    """What a segment may have besides its postings."""

    vectors: Vectors | None = None
    impacts: Postings | None = None
    first_vectors: Vectors | None = None


def postings_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.postings"


def vectors_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.vectors"


def first_vectors_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.first"


def impacts_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.impacts"


def write_postings(folder: Path, name: str, postings: Postings, rows: Array) -> FileStamp:
    return _write(postings_path(folder, name), {**postings.arrays(), "rows": rows})


def write_content(folder: Path, record: SegmentRecord, content: Content) -> SegmentRecord:
    """Writes what is given for a segment; returns its record with the new files."""
    if content.vectors is not None:
        path = vectors_path(folder, record.name)
        record = replace(record, vectors=_write(path, content.vectors.with_graph().arrays()))
    if content.first_vectors is not None:
        path = first_vectors_path(folder, record.name)
        record = replace(record, first_vectors=_write(path, content.first_vectors.arrays()))
    if content.impacts is not None:
        path = impacts_path(folder, record.name)
        record = replace(record, impacts=_write(path, content.impacts.arrays()))
    return record


def _write(path: Path, arrays: Mapping[str, Array]) -> FileStamp:
    total = save(path, arrays)
    stat = path.stat()
    return FileStamp(total, stat.st_size, stat.st_mtime_ns)


def open_segment(folder: Path, record: SegmentRecord, deleted: Array) -> Segment:
    """Maps a segment's files.

    If the time of change of a file is not the recorded one, its checksum is verified.

    Raises:
        IndexDamaged: a file is missing or altered.
    """
    for path, stamp in files(folder, record):
        if problem := damage(path, stamp, thorough=False):
            raise IndexDamaged(
                f"the index file {path} {problem}; run 'anaphora index repair --index "
                f"{folder.parent}'"
            )
    arrays = load(postings_path(folder, record.name))
    rows = arrays.pop("rows")
    dead = np.isin(rows, deleted, assume_unique=True)
    live = (~dead).astype(np.uint8) if dead.any() else None
    return Segment(
        record=record,
        postings=Postings.of(arrays),
        rows=rows,
        live=live,
        vectors=open_vectors(vectors_path(folder, record.name)) if record.vectors else None,
        impacts=open_impacts(folder, record) if record.impacts else None,
        first_vectors=(
            open_vectors(first_vectors_path(folder, record.name)) if record.first_vectors else None
        ),
    )


def load_rows(folder: Path, record: SegmentRecord) -> Array:
    """The rows of a segment's passages, also of deleted ones."""
    return open_segment(folder, record, np.empty(0, np.int64)).rows


def open_vectors(path: Path) -> Vectors:
    """Maps a file of vectors, without a check of the file."""
    return Vectors.from_arrays(load(path))


def open_impacts(folder: Path, record: SegmentRecord) -> Postings:
    """Maps a segment's file of sparse weights, without a check of the file."""
    return Postings.of(load(impacts_path(folder, record.name)))


def files(folder: Path, record: SegmentRecord) -> list[tuple[Path, FileStamp]]:
    """The files of a segment with their stamps when they were written."""
    found = [(postings_path(folder, record.name), record.postings)]
    if record.vectors:
        found.append((vectors_path(folder, record.name), record.vectors))
    if record.impacts:
        found.append((impacts_path(folder, record.name), record.impacts))
    if record.first_vectors:
        found.append((first_vectors_path(folder, record.name), record.first_vectors))
    return found


def damage(path: Path, stamp: FileStamp, *, thorough: bool) -> str:
    """Returns what is wrong with a file, or an empty string.

    Unless `thorough`, the checksum is computed only if the time of change differs.
    """
    try:
        stat = path.stat()
        if stat.st_size != stamp.size:
            return "is cut short" if stat.st_size < stamp.size else "has grown"
        if (thorough or stat.st_mtime_ns != stamp.mtime_ns) and checksum(path) != stamp.checksum:
            return "is damaged"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return ""
