"""The manifest: the segments that an index consists of, and the files of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Checksum, size in bytes and time of change of a derived file when it was written."""

    checksum: int
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """An entry of the manifest. `first` is the lowest row; the ranges of rows are disjoint."""

    name: str
    first: int
    passages: int
    languages: tuple[str, ...]
    postings: FileStamp
    vectors: FileStamp | None
    impacts: FileStamp | None = None
    first_vectors: FileStamp | None = None
    """Of the first encoder, while not all segments have `vectors`."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index consists of.

    Attributes:
        segments: in the order of their passages.
        deleted: rows of deleted passages that a segment may still hold.
        encoder: of the segments' `vectors`; empty for an index without vectors.
        first_encoder: of their `first_vectors`, which are searched; empty when there are none.
    """

    segments: list[SegmentRecord]
    deleted: list[int]
    encoder: str
    first_encoder: str
