"""Changing an index: what a commit holds becomes visible at once, and only whole.

The order that makes a kill at any moment harmless: derived files are written and synced first, then
one database transaction brings in the documents together with the manifest line of the segment that
finds them. A file that no line names is litter, swept at the next start.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from anaphora.errors import AnaphoraError
from anaphora.index.local.analysis import Analysis, Beside, Here
from anaphora.index.local.postings import merge
from anaphora.index.local.segment import (
    damage,
    files,
    open_segment,
    postings_path,
    write_postings,
    write_vectors,
)
from anaphora.index.local.store import SEGMENTS, SegmentRecord, Source, Store, explain
from anaphora.index.local.vectors import Vectors
from anaphora.language import analysis_version
from anaphora.protocols import FloatArray
from anaphora.records import Document, Passage

Encode = Callable[[Sequence[str]], FloatArray]
Array = npt.NDArray[Any]

COMMIT_PASSAGES = 4096
COMMIT_CHARACTERS = 2_500_000
"""A commit follows the document that reaches this many new passages or characters: a minute's
encoding is the most that an interruption loses."""
MERGE_FACTOR = 3
"""A segment is merged with those after it unless it is this many times larger than they are."""
DEAD_SHARE = 0.2
"""A segment with a larger share of deleted passages is rewritten."""


class Writer:
    """The one process that may change an index folder; a context manager.

    Nothing is visible to readers before `commit`; leaving the block on an error drops what was not
    committed and keeps the rest. A full disk leaves the block as an AnaphoraError.

    Raises:
        AnaphoraError: another process is writing, or the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._segments = folder / SEGMENTS
        try:
            self._segments.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AnaphoraError(
                f"the index folder {folder} cannot be made: {error.strerror or error}"
            ) from error
        self._lock = _Lock(folder)
        self._analysis: Analysis = Here()
        try:
            self.store = Store(folder, create=True)
            self._sweep()
            self._start()
            self._renew_analysis()
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._analysis.close()
            self.store.rollback()
        finally:
            self.store.close()
            self._lock.release()
        if isinstance(error, sqlite3.DatabaseError):
            raise explain(error, self.folder) from error
        if isinstance(error, OSError):
            raise AnaphoraError(
                f"the index {self.folder} cannot be written: {error.strerror or error}; "
                "what was committed before is kept"
            ) from error

    def _start(self) -> None:
        self._rows: list[int] = []
        self._characters = 0
        self._languages: set[str] = set()
        self.store.begin()

    def _renew_analysis(self) -> None:
        """Makes the inverted lists anew when the rules for words have changed."""
        if self.store.meta("analysis") == analysis_version():
            return
        for record in self.store.segments():
            self._rebuild(record)
        self.store.set_meta("analysis", analysis_version())
        self.commit()

    @property
    def encoder(self) -> str:
        """Name of the encoder of this index's vectors; empty for a lexical index."""
        return self.store.meta("encoder") or ""

    def set_encoder(self, name: str) -> None:
        """Chooses the encoder; a change drops the vectors of another one."""
        if self.encoder == name:
            return
        self.store.set_meta("encoder", name)
        for record in self.store.segments():
            self.store.put_segment(_without_vectors(record))

    def put(
        self, source: str, document: Document, digest: bytes, passages: Sequence[Passage]
    ) -> None:
        """Adds a document that is not there; one that is must be dropped first."""
        self._rows += self.store.put_document(source, document, digest, passages)
        for passage in passages:
            self._analysis.add(passage.lang, passage.searched_text)
            self._languages.add(passage.lang)
            self._characters += len(passage.text)

    def drop(self, doc_id: str) -> None:
        self.store.drop_document(doc_id)

    def finish(self, source: Source) -> None:
        """Notes that a file has been read to its end."""
        self.store.put_source(source)

    def forget(self, source: str) -> int:
        """Removes a file and its documents; returns how many they were."""
        doc_ids = list(self.store.digests(source))
        for doc_id in doc_ids:
            self.store.drop_document(doc_id)
        self.store.drop_source(source)
        return len(doc_ids)

    @property
    def full(self) -> bool:
        """Whether enough has gathered for a commit."""
        return len(self._rows) >= COMMIT_PASSAGES or self._characters >= COMMIT_CHARACTERS

    def commit(self) -> None:
        """Makes everything since the last commit durable and visible."""
        if self._rows:
            self._analyse(self._rows, self._languages)
        self.store.commit()
        if self.full and isinstance(self._analysis, Here) and (os.cpu_count() or 1) > 1:
            self._analysis = Beside()
        self._start()

    def missing_vectors(self) -> list[SegmentRecord]:
        """Segments that have no vectors yet, though the index has an encoder."""
        if not self.encoder:
            return []
        return [record for record in self.store.segments() if record.vectors is None]

    def add_vectors(self, record: SegmentRecord, encode: Encode) -> None:
        """Encodes a segment's passages and commits their vectors."""
        rows = open_segment(self._segments, record, np.empty(0, np.int64)).rows.tolist()
        passages = self.store.passages(rows)
        kept = [row for row in rows if row in passages]
        if not kept:
            self._merge([record])
            self.commit()
            return
        encoded = encode([passages[row].searched_text for row in kept])
        vectors = np.zeros((len(rows), encoded.shape[1]), dtype=np.float32)
        vectors[np.searchsorted(rows, kept)] = encoded
        stamp = write_vectors(self._segments, record.name, Vectors.of(vectors).with_graph())
        self.store.put_segment(
            SegmentRecord(
                record.name,
                record.first,
                record.passages,
                record.languages,
                record.postings,
                stamp,
            )
        )
        self.commit()

    def compact(self) -> None:
        """Merges small neighbours and rewrites segments with many deleted passages; commits."""
        while group := _mergeable(self.store.segments(), self._dead_counts()):
            self._merge(group)
            self.commit()
        self._sweep()

    def verify(self) -> list[str]:
        """Everything that is wrong with the index, one sentence each; empty when it is whole."""
        if problem := self.store.check():
            return [f"the database is damaged ({problem})"]
        problems = [
            f"{path.name} {wrong}"
            for record in self.store.segments()
            for path, stamp in files(self._segments, record)
            if (wrong := damage(path, stamp, thorough=True))
        ]
        return problems or self._uncovered()

    def repair(self) -> list[str]:
        """Rebuilds from the database what is damaged; returns what was rebuilt.

        Vectors that were lost are made by the next encoding.
        """
        rebuilt = []
        for record in self.store.segments():
            checked = files(self._segments, record)
            wrong = [path for path, stamp in checked if damage(path, stamp, thorough=True)]
            if not wrong:
                continue
            rebuilt += [path.name for path in wrong]
            if postings_path(self._segments, record.name) in wrong:
                self._rebuild(record)
            else:
                self.store.put_segment(_without_vectors(record))
        if not rebuilt and self._uncovered():
            rebuilt = ["every segment"]
            for record in self.store.segments():
                self.store.drop_segment(record.name)
            self._rebuild_rows(self.store.rows_from(0))
        self.commit()
        self._sweep()
        return rebuilt

    def _uncovered(self) -> list[str]:
        rows = set(self.store.rows_from(0))
        dead = np.array(self.store.deleted(), dtype=np.int64)
        for record in self.store.segments():
            segment = open_segment(self._segments, record, dead)
            alive = segment.rows if segment.live is None else segment.rows[segment.live == 1]
            for row in alive.tolist():
                if row not in rows:
                    return [f"segment {record.name} holds a passage that the database lacks"]
                rows.remove(row)
        return [f"{len(rows)} passages are in no segment"] if rows else []

    def _rebuild(self, record: SegmentRecord) -> None:
        later = [other.first for other in self.store.segments() if other.first > record.first]
        self.store.drop_segment(record.name)
        self._rebuild_rows(self.store.rows_from(record.first, min(later, default=None)))

    def _rebuild_rows(self, rows: list[int]) -> None:
        for at in range(0, len(rows), COMMIT_PASSAGES):
            part = rows[at : at + COMMIT_PASSAGES]
            passages = self.store.passages(part)
            for row in part:
                self._analysis.add(passages[row].lang, passages[row].searched_text)
            self._analyse(part, {passage.lang for passage in passages.values()})

    def _dead_counts(self) -> dict[str, int]:
        dead = np.array(self.store.deleted(), dtype=np.int64)
        if not len(dead):
            return {}
        return {
            record.name: int(
                np.isin(load_rows(self._segments, record), dead, assume_unique=True).sum()
            )
            for record in self.store.segments()
        }

    def _merge(self, group: list[SegmentRecord]) -> None:
        dead = np.array(self.store.deleted(), dtype=np.int64)
        parts = [open_segment(self._segments, record, dead) for record in group]
        keep = [
            np.ones(len(part.rows), bool) if part.live is None else part.live.astype(bool)
            for part in parts
        ]
        rows = np.concatenate([part.rows[kept] for part, kept in zip(parts, keep, strict=True)])
        stored = [part.vectors for part in parts]
        vectors = None
        if all(part is not None for part in stored):
            kept_of = [(part, kept) for part, kept in zip(stored, keep, strict=True) if part]
            vectors = Vectors(
                np.concatenate([part.rows[kept] for part, kept in kept_of]),
                np.concatenate([part.factors[kept] for part, kept in kept_of]),
            ).with_graph()
        for record in group:
            self.store.drop_segment(record.name)
        self.store.purge_deleted(int(parts[0].rows[0]), int(parts[-1].rows[-1]))
        if len(rows):
            name = uuid4().hex
            merged = merge([part.postings for part in parts], [part.live for part in parts])
            self.store.put_segment(
                SegmentRecord(
                    name,
                    int(rows[0]),
                    len(rows),
                    tuple(sorted({lang for record in group for lang in record.languages})),
                    write_postings(self._segments, name, merged, rows),
                    None if vectors is None else write_vectors(self._segments, name, vectors),
                )
            )

    def _analyse(self, rows: list[int], languages: set[str]) -> None:
        name = uuid4().hex
        stamp = self._analysis.write(self._segments, name, rows)
        self.store.put_segment(
            SegmentRecord(name, rows[0], len(rows), tuple(sorted(languages)), stamp, None)
        )

    def _sweep(self) -> None:
        named = {
            path for record in self.store.segments() for path, _ in files(self._segments, record)
        }
        for path in self._segments.iterdir():
            if path not in named:
                try:
                    path.unlink()
                except OSError:
                    continue  # a reader on Windows still holds it; the next sweep takes it


def load_rows(folder: Path, record: SegmentRecord) -> Array:
    return open_segment(folder, record, np.empty(0, np.int64)).rows


def _without_vectors(record: SegmentRecord) -> SegmentRecord:
    return SegmentRecord(
        record.name, record.first, record.passages, record.languages, record.postings, None
    )


def _mergeable(records: list[SegmentRecord], dead: dict[str, int]) -> list[SegmentRecord]:
    """The next segments to make one of: one with many dead, or the last ones together.

    A segment joins all those after it unless it is more than `MERGE_FACTOR` times their size, so
    that there are few segments and each passage moves a few times in its life.
    """
    for record in records:
        if dead.get(record.name, 0) > DEAD_SHARE * record.passages:
            return [record]
    first, size = len(records), 0
    for place in reversed(range(len(records))):
        if not _alike(records[place], records[-1]):
            break
        if size and records[place].passages <= MERGE_FACTOR * size:
            first = place
        size += records[place].passages
    return records[first:]


def _alike(one: SegmentRecord, other: SegmentRecord) -> bool:
    return (one.vectors is None) == (other.vectors is None)


def digest(document: Document) -> bytes:
    """Changes whenever anything of the document changes."""
    parts = (
        document.title,
        document.lang,
        tuple((section.start, section.path) for section in document.sections),
        sorted(document.metadata.items()),
        document.whole,
        document.text,
    )
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()


class _Lock:
    """Held by the writing process; the system frees it when the process dies, however it dies."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "lock.sqlite", isolation_level=None, timeout=0)
        try:
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._db.close()
            raise AnaphoraError(
                f"another process is writing the index {folder}; try again when it has finished"
            ) from error

    def release(self) -> None:
        self._db.close()
