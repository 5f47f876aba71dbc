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
from uuid import uuid4

import numpy as np

from anaphora.errors import AnaphoraError
from anaphora.index import Counts
from anaphora.index.adapter import Adapter
from anaphora.index.local.analysis import Analysis, InProcessAnalysis, SubprocessAnalysis
from anaphora.index.local.database import (
    DATABASE,
    add_blocks,
    create_database,
    existing_database,
    explain,
)
from anaphora.index.local.encoding import Texts, encode_impacts, encode_vectors, load_texts
from anaphora.index.local.integrity import damaged_files, inconsistencies, intact_content
from anaphora.index.local.lock import Lock
from anaphora.index.local.manifest import SegmentRecord
from anaphora.index.local.merging import deleted_counts, merge_segments, mergeable
from anaphora.index.local.postings import merge
from anaphora.index.local.segment import (
    SEGMENTS,
    Content,
    files,
    first_vectors_path,
    impacts_path,
    postings_path,
    vectors_path,
    write_content,
)
from anaphora.index.local.store import Store
from anaphora.language import analysis_version
from anaphora.protocols import Encoder, Progress, SparseEncoder, no_progress
from anaphora.records import Document, Passage

logger = logging.getLogger(__name__)

COMMIT_PASSAGES = 4096
COMMIT_CHARACTERS = 2_500_000
"""A commit follows the document that reaches this many new passages or characters. An interruption
loses at most the encoding of one segment, about a minute's work."""


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
        if not create:
            existing_database(folder)
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
        self.store.set_encoder(name)
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
        encoded = self._encode(
            self._without_vectors(),
            "encoding",
            lambda texts, advance: Content(encode_vectors(encoder, texts, advance)),
            progress,
        )
        if self.first_encoder:
            self.set_first_encoder("")
            self.commit()
        return encoded

    def encode_first(self, encoder: Encoder, progress: Progress = no_progress) -> int:
        return self._encode(
            self._without_first(),
            "first encoding",
            lambda texts, advance: Content(first_vectors=encode_vectors(encoder, texts, advance)),
            progress,
        )

    def encode_sparse(self, encoder: SparseEncoder, progress: Progress = no_progress) -> int:
        return self._encode(
            self._without_impacts(),
            "encoding",
            lambda texts, advance: Content(impacts=encode_impacts(encoder, texts, advance)),
            progress,
        )

    def _encode(
        self,
        waiting: Sequence[SegmentRecord],
        task: str,
        encode: Callable[[Texts, Callable[[int], None]], Content],
        progress: Progress,
    ) -> int:
        """Encodes and commits one segment after the other; returns the number of passages."""
        total = sum(record.passages for record in waiting)
        encoded = 0
        for record in waiting:
            progress(task, encoded, total)

            def advance(count: int, before: int = encoded) -> None:
                progress(task, before + count, total)

            texts = load_texts(self.store, self._segments, record)
            if texts.kept:
                self._put(record, encode(texts, advance))
            else:
                merge_segments(self.store, self._segments, [record])
            self.commit()
            encoded += record.passages
        if waiting:
            progress(task, total, total)
        return encoded

    def _put(self, record: SegmentRecord, content: Content) -> None:
        self.store.put_segment(write_content(self._segments, record, content))

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
        deleted = deleted_counts(self.store, self._segments) if records else {}
        return sum(record.passages - deleted.get(record.name, 0) for record in records)

    def compact(self) -> None:
        """Merges small neighbours and rewrites segments with many deleted passages."""
        while group := mergeable(
            self.store.segments(),
            deleted_counts(self.store, self._segments),
            bool(self.first_encoder),
        ):
            merge_segments(self.store, self._segments, group)
            self.commit()
        self._sweep()

    def verify(self) -> list[str]:
        if problem := self.store.check():
            return [f"the database is damaged ({problem})"]
        problems = [
            f"{path.name} {wrong}"
            for record in self.store.segments()
            for path, wrong in damaged_files(self._segments, record).items()
        ]
        return problems or inconsistencies(self.store, self._segments)

    def repair(self) -> list[str]:
        """Rebuilds postings from the database, and keeps vectors and weights that are intact.

        Those that were lost are encoded by the next call of `encode` or `encode_sparse`.
        """
        rebuilt = []
        for record in self.store.segments():
            wrong = damaged_files(self._segments, record)
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
        if not rebuilt and inconsistencies(self.store, self._segments):
            rebuilt = ["every segment"]
            for record in self.store.segments():
                self.store.drop_segment(record.name)
            self._index_rows(self.store.rows_from(0), Content())
        self.commit()
        self._sweep()
        return rebuilt

    def _rebuild(self, record: SegmentRecord) -> None:
        """Replaces a segment by new ones from the database, with its vectors and weights if they
        are intact."""
        later = [other.first for other in self.store.segments() if other.first > record.first]
        end = min(later, default=1 << 62)
        rows = self.store.rows_from(record.first, end)
        content = intact_content(self.store, self._segments, record, rows, end)
        self.store.drop_segment(record.name)
        self.store.purge_deleted(record.first, end - 1)
        self._index_rows(rows, content)

    def _index_rows(self, rows: list[int], content: Content) -> None:
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
                Content(
                    vectors and vectors.take(inside),
                    impacts and merge([impacts], [inside]),
                    first and first.take(inside),
                ),
            )

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
