"""Changing a local index. A commit becomes visible at once and as a whole.

The order of writing makes a kill at any moment harmless: derived files are written and synced
first. Then one database transaction adds the documents together with the manifest entry of the
segment that finds them. Files without an entry are deleted when the next writer starts.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from anaphora.errors import AnaphoraError
from anaphora.index import Counts
from anaphora.index.adapter import Adapter
from anaphora.index.local.analysis import Analysis, InProcessAnalysis, SubprocessAnalysis
from anaphora.index.local.impacts import impact_postings
from anaphora.index.local.postings import Postings, merge
from anaphora.index.local.segment import (
    damage,
    files,
    first_vectors_path,
    impacts_path,
    open_impacts,
    open_segment,
    open_vectors,
    postings_path,
    vectors_path,
    write_impacts,
    write_postings,
    write_vectors,
)
from anaphora.index.local.store import (
    DATABASE,
    ENCODER,
    SEGMENTS,
    Lock,
    SegmentRecord,
    Store,
    add_blocks,
    create_database,
    database_path,
    explain,
)
from anaphora.index.local.vectors import Vectors
from anaphora.language import analysis_version
from anaphora.protocols import Encoder, Progress, SparseEncoder, TermWeights, no_progress
from anaphora.records import Document, Passage

Array = npt.NDArray[Any]

logger = logging.getLogger(__name__)

COMMIT_PASSAGES = 4096
COMMIT_CHARACTERS = 2_500_000
"""A commit follows the document that reaches this many new passages or characters. An interruption
loses at most the encoding of one segment, about a minute's work."""
MERGE_FACTOR = 3
"""A segment is merged with those after it unless it is this many times larger than they are."""
MOST_DELETED = 0.2
"""A segment with a larger fraction of deleted passages is rewritten."""


class _Content(NamedTuple):
    """What a segment may have besides its postings."""

    vectors: Vectors | None = None
    impacts: Postings | None = None
    first_vectors: Vectors | None = None


class LocalWriter:
    """Implements `anaphora.index.IndexWriter` and its capabilities for an index folder.

    A lock allows one process at a time. The system frees it however the process ends.

    Raises:
        AnaphoraError: another process is writing, the folder cannot be written, or there is no
            index and `create` is false. Inside the block also when the disk is full.
    """

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        self.folder = folder
        self._segments = folder / SEGMENTS
        if not create and database_path(folder) is None:
            raise AnaphoraError(
                f"there is no index in {folder}; create one with 'anaphora index FOLDER'"
            )
        try:
            self._segments.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AnaphoraError(
                f"the index folder {folder} cannot be created: {error.strerror or error}"
            ) from error
        self._lock = Lock(folder)
        self._analysis: Analysis = InProcessAnalysis()
        try:
            with ExitStack() as opened:
                opened.callback(self._lock.release)
                if not (folder / DATABASE).is_file():
                    create_database(folder)
                add_blocks(folder)
                self.store = Store(folder)
                opened.callback(self.store.close)
                self._sweep()
                self._start()
                self._renew_analysis()
                opened.pop_all()
        except sqlite3.DatabaseError as error:
            raise explain(error, folder) from error

    def __enter__(self) -> LocalWriter:
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
        """Rebuilds the inverted lists if the rules of analysis have changed."""
        if self.store.meta("analysis") == analysis_version():
            return
        for record in self.store.segments():
            self._rebuild(record)
        self.store.set_meta("analysis", analysis_version())
        self.commit()

    def counts(self) -> Counts:
        return self.store.counts()

    def set_encoder(self, name: str) -> None:
        if self.store.encoder == name:
            return
        if self.adapter:
            logger.info(
                f"the index in {self.folder} gets other vectors, so that its adapter is dropped: "
                "run 'anaphora adapt' again"
            )
            self.store.set_adapter(None)
        self.store.set_meta(ENCODER, name)
        for record in self.store.segments():
            self.store.put_segment(replace(record, vectors=None))
        if not name:
            self.set_first_encoder("")

    @property
    def adapter(self) -> Adapter | None:
        return self.store.adapter()

    def set_adapter(self, adapter: Adapter | None) -> None:
        if adapter and adapter.encoder != self.store.encoder:
            raise AnaphoraError(
                f"the index in {self.folder} has got other vectors in the meantime: run "
                "'anaphora adapt' again"
            )
        self.store.set_adapter(adapter)

    @property
    def first_encoder(self) -> str:
        return self.store.first_encoder

    def set_first_encoder(self, name: str) -> None:
        if self.first_encoder == name:
            return
        for record in self.store.segments():
            self.store.put_segment(replace(record, first_vectors=None))
        self.store.set_first_encoder(name)

    @property
    def sparse_encoder(self) -> str:
        return self.store.sparse_encoder

    def set_sparse_encoder(self, name: str) -> None:
        if self.sparse_encoder == name:
            return
        self.store.set_sparse_encoder(name)
        for record in self.store.segments():
            self.store.put_segment(replace(record, impacts=None))

    def upsert(self, document: Document, passages: Sequence[Passage]) -> bool:
        number = self.store.number(document.doc_id)
        if number is not None:
            if self.store.holds(number, document, passages):
                return False
            self.store.delete_document(number)
        self._rows += self.store.add_document(document, passages)
        for passage in passages:
            self._analysis.add(passage.lang, passage.searched_text)
            self._languages.add(passage.lang)
            self._characters += len(passage.text)
        return True

    def delete(self, doc_id: str) -> None:
        number = self.store.number(doc_id)
        if number is not None:
            self.store.delete_document(number)

    @property
    def should_commit(self) -> bool:
        return len(self._rows) >= COMMIT_PASSAGES or self._characters >= COMMIT_CHARACTERS

    def commit(self) -> None:
        if self._rows:
            self._analyse(self._rows, self._languages)
        self.store.commit()
        # A second process is worth its start only where there is much to do.
        several = (os.cpu_count() or 1) > 1
        if self.should_commit and several and isinstance(self._analysis, InProcessAnalysis):
            self._analysis = SubprocessAnalysis()
        self._start()

    def without_vectors(self) -> int:
        first = bool(self.first_encoder)
        return self._passages_of(self._without_first() if first else self._without_vectors())

    def without_sparse_weights(self) -> int:
        return self._passages_of(self._without_impacts())

    def encode(self, encoder: Encoder, progress: Progress = no_progress) -> int:
        def add(record: SegmentRecord, advance: Callable[[int], None]) -> None:
            self._add_vectors(record, encoder, False, advance)

        encoded = self._encode(self._without_vectors(), "encoding", add, progress)
        if self.first_encoder:
            self.set_first_encoder("")
            self.commit()
        return encoded

    def encode_first(self, encoder: Encoder, progress: Progress = no_progress) -> int:
        def add(record: SegmentRecord, advance: Callable[[int], None]) -> None:
            self._add_vectors(record, encoder, True, advance)

        return self._encode(self._without_first(), "first encoding", add, progress)

    def encode_sparse(self, encoder: SparseEncoder, progress: Progress = no_progress) -> int:
        def add(record: SegmentRecord, advance: Callable[[int], None]) -> None:
            self._add_impacts(record, encoder, advance)

        return self._encode(self._without_impacts(), "encoding", add, progress)

    def _encode(
        self,
        waiting: Sequence[SegmentRecord],
        task: str,
        add: Callable[[SegmentRecord, Callable[[int], None]], None],
        progress: Progress,
    ) -> int:
        """Encodes and commits one segment after the other; returns the number of passages."""
        total = sum(record.passages for record in waiting)
        encoded = 0
        for record in waiting:
            progress(task, encoded, total)

            def advance(count: int, before: int = encoded) -> None:
                progress(task, before + count, total)

            add(record, advance)
            self.commit()
            encoded += record.passages
        if waiting:
            progress(task, total, total)
        return encoded

    def _without_vectors(self) -> list[SegmentRecord]:
        records = self.store.segments() if self.store.encoder else []
        return [record for record in records if record.vectors is None]

    def _without_first(self) -> list[SegmentRecord]:
        records = self.store.segments() if self.first_encoder else []
        return [record for record in records if record.first_vectors is None]

    def _without_impacts(self) -> list[SegmentRecord]:
        records = self.store.segments() if self.sparse_encoder else []
        return [record for record in records if record.impacts is None]

    def _passages_of(self, records: Sequence[SegmentRecord]) -> int:
        deleted = self._deleted_counts() if records else {}
        return sum(record.passages - deleted.get(record.name, 0) for record in records)

    def _add_vectors(
        self,
        record: SegmentRecord,
        encoder: Encoder,
        first: bool,
        progress: Callable[[int], None],
    ) -> None:
        rows, kept, texts = self._texts(record)
        if not kept:
            self._merge([record])
            return
        encoded = encoder.encode_passages(texts, progress=progress)
        whole = np.zeros((len(rows), encoded.shape[1]), dtype=np.float32)
        whole[np.searchsorted(rows, kept)] = encoded
        vectors = Vectors.of(whole)
        self._put(record, _Content(first_vectors=vectors) if first else _Content(vectors))

    def _add_impacts(
        self, record: SegmentRecord, encoder: SparseEncoder, progress: Callable[[int], None]
    ) -> None:
        rows, kept, texts = self._texts(record)
        if not kept:
            self._merge([record])
            return
        found = dict(zip(kept, encoder.encode_passages(texts, progress=progress), strict=True))
        nothing = TermWeights(np.empty(0, np.int64), np.empty(0, np.float32))
        impacts = impact_postings([found.get(row, nothing) for row in rows])
        self._put(record, _Content(impacts=impacts))

    def _texts(self, record: SegmentRecord) -> tuple[list[int], list[int], list[str]]:
        """A segment's rows, those of them that are not deleted, and the texts of these."""
        rows = load_rows(self._segments, record).tolist()
        passages = self.store.passages(rows)
        kept = [row for row in rows if row in passages]
        return rows, kept, [passages[row].searched_text for row in kept]

    def _put(self, record: SegmentRecord, content: _Content) -> None:
        """Writes what is given for a segment, and its manifest entry."""
        if content.vectors is not None:
            path = vectors_path(self._segments, record.name)
            record = replace(record, vectors=write_vectors(path, content.vectors.with_graph()))
        if content.first_vectors is not None:
            path = first_vectors_path(self._segments, record.name)
            record = replace(record, first_vectors=write_vectors(path, content.first_vectors))
        if content.impacts is not None:
            stamp = write_impacts(self._segments, record.name, content.impacts)
            record = replace(record, impacts=stamp)
        self.store.put_segment(record)

    def compact(self) -> None:
        """Merges small neighbours and rewrites segments with many deleted passages."""
        while group := _mergeable(
            self.store.segments(), self._deleted_counts(), bool(self.first_encoder)
        ):
            self._merge(group)
            self.commit()
        self._sweep()

    def verify(self) -> list[str]:
        if problem := self.store.check():
            return [f"the database is damaged ({problem})"]
        problems = [
            f"{path.name} {wrong}"
            for record in self.store.segments()
            for path, stamp in files(self._segments, record)
            if (wrong := damage(path, stamp, thorough=True))
        ]
        return problems or self._inconsistencies()

    def repair(self) -> list[str]:
        """Rebuilds postings from the database, and keeps vectors and weights that are intact.

        Those that were lost are encoded by the next call of `encode` or `encode_sparse`.
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
                continue
            if vectors_path(self._segments, record.name) in wrong:
                record = replace(record, vectors=None)
            if first_vectors_path(self._segments, record.name) in wrong:
                record = replace(record, first_vectors=None)
            if impacts_path(self._segments, record.name) in wrong:
                record = replace(record, impacts=None)
            self.store.put_segment(record)
        if not rebuilt and self._inconsistencies():
            rebuilt = ["every segment"]
            for record in self.store.segments():
                self.store.drop_segment(record.name)
            self._index_rows(self.store.rows_from(0), _Content())
        self.commit()
        self._sweep()
        return rebuilt

    def _inconsistencies(self) -> list[str]:
        """Where segments and database disagree, though every file is as it was written."""
        rows = set(self.store.rows_from(0))
        deleted = np.array(self.store.deleted(), dtype=np.int64)
        for record in self.store.segments():
            segment = open_segment(self._segments, record, deleted)
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

    def _rebuild(self, record: SegmentRecord) -> None:
        """Replaces a segment by new ones from the database, with its vectors and weights if they
        are intact."""
        later = [other.first for other in self.store.segments() if other.first > record.first]
        end = min(later, default=1 << 62)
        rows = self.store.rows_from(record.first, end)
        content = self._intact(record, rows, end)
        self.store.drop_segment(record.name)
        self.store.purge_deleted(record.first, end - 1)
        self._index_rows(rows, content)

    def _intact(self, record: SegmentRecord, rows: list[int], end: int) -> _Content:
        """The vectors and weights of these rows of a segment, unless missing or damaged."""
        # The rows of a segment are in its postings file, which may be the damaged one. They are
        # those in the database and those deleted since, if the numbers agree.
        deleted = [row for row in self.store.deleted() if record.first <= row < end]
        every = sorted((*rows, *deleted))
        if len(every) != record.passages:
            return _Content()
        kept = np.isin(every, rows)
        whole = {
            path
            for path, stamp in files(self._segments, record)
            if not damage(path, stamp, thorough=True)
        }

        def vectors(path: Path) -> Vectors | None:
            stored = open_vectors(path) if path in whole else None
            return stored.take(kept) if stored and len(stored.rows) == len(every) else None

        impacts = None
        if impacts_path(self._segments, record.name) in whole:
            lists = open_impacts(self._segments, record)
            impacts = merge([lists], [kept]) if len(lists.lengths) == len(every) else None
        return _Content(
            vectors(vectors_path(self._segments, record.name)),
            impacts,
            vectors(first_vectors_path(self._segments, record.name)),
        )

    def _index_rows(self, rows: list[int], content: _Content) -> None:
        """Adds segments for stored passages, with their vectors and weights if these are given."""
        for at in range(0, len(rows), COMMIT_PASSAGES):
            part = rows[at : at + COMMIT_PASSAGES]
            passages = self.store.passages(part)
            for row in part:
                self._analysis.add(passages[row].lang, passages[row].searched_text)
            record = self._analyse(part, {passage.lang for passage in passages.values()})
            inside = np.zeros(len(rows), bool)
            inside[at : at + len(part)] = True
            vectors, impacts, first = content
            self._put(
                record,
                _Content(
                    vectors and vectors.take(inside),
                    impacts and merge([impacts], [inside]),
                    first and first.take(inside),
                ),
            )

    def _deleted_counts(self) -> dict[str, int]:
        deleted = np.array(self.store.deleted(), dtype=np.int64)
        if not len(deleted):
            return {}
        return {
            record.name: int(
                np.isin(load_rows(self._segments, record), deleted, assume_unique=True).sum()
            )
            for record in self.store.segments()
        }

    def _merge(self, group: list[SegmentRecord]) -> None:
        deleted = np.array(self.store.deleted(), dtype=np.int64)
        parts = [open_segment(self._segments, record, deleted) for record in group]
        keep = [
            np.ones(len(part.rows), bool) if part.live is None else part.live.astype(bool)
            for part in parts
        ]
        rows = np.concatenate([part.rows[kept] for part, kept in zip(parts, keep, strict=True)])
        vectors = _kept([part.vectors for part in parts], keep)
        first_vectors = _kept([part.first_vectors for part in parts], keep)
        for record in group:
            self.store.drop_segment(record.name)
        self.store.purge_deleted(int(parts[0].rows[0]), int(parts[-1].rows[-1]))
        if not len(rows):
            return
        name = uuid4().hex
        merged = SegmentRecord(
            name,
            int(rows[0]),
            len(rows),
            self.store.languages(int(rows[0]), int(rows[-1])),
            write_postings(
                self._segments,
                name,
                merge([part.postings for part in parts], [part.live for part in parts]),
                rows,
            ),
            None,
        )
        lists = [part.impacts for part in parts if part.impacts is not None]
        whole = len(lists) == len(parts)
        impacts = merge(lists, [part.live for part in parts]) if whole else None
        self._put(merged, _Content(vectors, impacts, first_vectors))

    def _analyse(self, rows: list[int], languages: set[str]) -> SegmentRecord:
        """Writes the postings of the passages added to the analysis, and their manifest entry."""
        name = uuid4().hex
        stamp = self._analysis.write(self._segments, name, rows)
        record = SegmentRecord(name, rows[0], len(rows), tuple(sorted(languages)), stamp, None)
        self.store.put_segment(record)
        return record

    def _sweep(self) -> None:
        named = {
            path for record in self.store.segments() for path, _ in files(self._segments, record)
        }
        for path in self._segments.iterdir():
            if path not in named:
                try:
                    path.unlink()
                except OSError:
                    continue  # a reader on Windows still has it open; the next sweep deletes it


def load_rows(folder: Path, record: SegmentRecord) -> Array:
    return open_segment(folder, record, np.empty(0, np.int64)).rows


def _kept(parts: Sequence[Vectors | None], keep: Sequence[Array]) -> Vectors | None:
    """The vectors of several segments that masks select; None where a segment has none."""
    found = [part.take(kept) for part, kept in zip(parts, keep, strict=True) if part is not None]
    return Vectors.concatenate(found) if len(found) == len(parts) else None


def _mergeable(
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
