"""The truth: documents and passages in SQLite, and beside them the list of derived files.

The list (the manifest) lives in the same database, so that one transaction makes documents and the
segment that finds them visible together: at no moment do the two disagree.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anaphora.errors import AnaphoraError, IndexDamaged
from anaphora.records import Document, Passage

FORMAT = 1
DATABASE = "truth.sqlite"
SEGMENTS = "segments"
_BATCH = 500

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, digest BLOB,
    problem TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, doc_id TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
    title TEXT NOT NULL, lang TEXT NOT NULL, metadata TEXT NOT NULL, digest BLOB NOT NULL
);
CREATE INDEX documents_source ON documents (source);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, passage_id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (id), lang TEXT NOT NULL,
    section TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_document ON passages (document);
CREATE TABLE segments (
    name TEXT PRIMARY KEY, first INTEGER NOT NULL, passages INTEGER NOT NULL,
    languages TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, vectors_checksum INTEGER, vectors_size INTEGER,
    vectors_mtime_ns INTEGER
) WITHOUT ROWID;
CREATE TABLE deleted (passage INTEGER PRIMARY KEY);
"""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its size and time then, its digest, and why it gave nothing."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What a derived file was when it was written."""

    checksum: int
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """A line of the manifest. `first` is its lowest passage row; segments do not overlap."""

    name: str
    first: int
    passages: int
    languages: tuple[str, ...]
    postings: FileStamp
    vectors: FileStamp | None


class Store:
    """The database of one index folder.

    Raises:
        AnaphoraError: there is no index, or a newer version of Anaphora made it.
        IndexDamaged: the database cannot be read.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.folder = folder
        path = folder / DATABASE
        if not create and not path.is_file():
            raise AnaphoraError(
                f"there is no index in {folder}; make one with 'anaphora index FOLDER'"
            )
        try:
            self.db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=30
            )
            self.db.execute("PRAGMA synchronous = FULL")
            if create and not self._tables():
                self.db.execute("PRAGMA journal_mode = WAL")
                with self.transaction():
                    if not self._tables():
                        for statement in _SCHEMA.split(";\n"):
                            self.db.execute(statement)
                        self.set_meta("format", str(FORMAT))
            version = int(self.meta("format") or 0)
        except sqlite3.DatabaseError as error:
            raise explain(error, folder) from error
        if version > FORMAT:
            raise AnaphoraError(
                f"the index in {folder} was made by a newer Anaphora "
                f"(format {version}, this one reads {FORMAT}); update Anaphora"
            )

    def close(self) -> None:
        self.db.close()

    def _tables(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        self.begin()
        try:
            yield
        except BaseException:
            self.rollback()
            raise
        self.commit()

    def begin(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.db.execute("COMMIT")

    def rollback(self) -> None:
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def meta(self, key: str) -> str | None:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set_meta(self, key: str, value: str) -> None:
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def version(self) -> int:
        """Changes whenever another connection has committed."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])

    # Sources

    def source(self, path: str) -> Source | None:
        row = self.db.execute(
            "SELECT path, size, mtime_ns, digest, problem FROM sources WHERE path = ?", (path,)
        ).fetchone()
        return Source(*row) if row else None

    def source_paths(self) -> list[str]:
        return [
            row[0]
            for row in self.db.execute(
                "SELECT path FROM sources UNION SELECT DISTINCT source FROM documents ORDER BY 1"
            )
        ]

    def put_source(self, source: Source) -> None:
        self.db.execute(
            "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?)",
            (source.path, source.size, source.mtime_ns, source.digest, source.problem),
        )

    def drop_source(self, path: str) -> None:
        self.db.execute("DELETE FROM sources WHERE path = ?", (path,))

    # Documents

    def digests(self, source: str) -> dict[str, bytes]:
        """Document id -> digest, of all the documents that came from a file."""
        return dict(
            self.db.execute("SELECT doc_id, digest FROM documents WHERE source = ?", (source,))
        )

    def owner(self, doc_id: str) -> str | None:
        """The file that a document came from."""
        row = self.db.execute("SELECT source FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
        return str(row[0]) if row else None

    def put_document(
        self, source: str, document: Document, digest: bytes, passages: Iterable[Passage]
    ) -> list[int]:
        """Adds a document that is not there yet; returns its passages' rows."""
        number = self.db.execute(
            "INSERT INTO documents (doc_id, source, title, lang, metadata, digest)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                document.doc_id,
                source,
                document.title,
                document.lang,
                _json(dict(document.metadata)),
                digest,
            ),
        ).lastrowid
        return [
            self.db.execute(
                'INSERT INTO passages (passage_id, document, lang, section, start, "end", text)'
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    passage.passage_id,
                    number,
                    passage.lang,
                    _json(passage.section),
                    passage.start,
                    passage.end,
                    passage.text,
                ),
            ).lastrowid
            or 0
            for passage in passages
        ]

    def drop_document(self, doc_id: str) -> None:
        which = "(SELECT id FROM documents WHERE doc_id = ?)"
        self.db.execute(
            f"INSERT INTO deleted SELECT id FROM passages WHERE document = {which}", (doc_id,)
        )
        self.db.execute(f"DELETE FROM passages WHERE document = {which}", (doc_id,))
        self.db.execute("DELETE FROM documents WHERE doc_id = ?", (doc_id,))

    # Passages

    def passages(self, rows: Sequence[int]) -> dict[int, Passage]:
        found: dict[int, Passage] = {}
        for at in range(0, len(rows), _BATCH):
            part = rows[at : at + _BATCH]
            marks = ",".join("?" * len(part))
            for row in self.db.execute(
                "SELECT p.id, p.passage_id, d.doc_id, d.title, p.text, p.lang, p.section, p.start,"
                ' p."end" FROM passages p JOIN documents d ON d.id = p.document'
                f" WHERE p.id IN ({marks})",
                part,
            ):
                found[row[0]] = Passage(
                    passage_id=row[1],
                    doc_id=row[2],
                    title=row[3],
                    text=row[4],
                    lang=row[5],
                    section=tuple(json.loads(row[6])),
                    start=row[7],
                    end=row[8],
                )
        return found

    def ids(self, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Row -> (passage id, document id)."""
        found: dict[int, tuple[str, str]] = {}
        for at in range(0, len(rows), _BATCH):
            part = rows[at : at + _BATCH]
            marks = ",".join("?" * len(part))
            for row, passage_id, doc_id in self.db.execute(
                "SELECT p.id, p.passage_id, d.doc_id FROM passages p"
                f" JOIN documents d ON d.id = p.document WHERE p.id IN ({marks})",
                part,
            ):
                found[row] = (passage_id, doc_id)
        return found

    def rows(self, passage_ids: Sequence[str]) -> list[int]:
        """The rows of those passages that are here."""
        found: list[int] = []
        for at in range(0, len(passage_ids), _BATCH):
            part = passage_ids[at : at + _BATCH]
            marks = ",".join("?" * len(part))
            found += (
                row[0]
                for row in self.db.execute(
                    f"SELECT id FROM passages WHERE passage_id IN ({marks})", part
                )
            )
        return found

    def rows_from(self, first: int, before: int | None = None) -> list[int]:
        """Rows of the passages from `first` on, below `before`."""
        end = before if before is not None else 1 << 62
        return [
            row[0]
            for row in self.db.execute(
                "SELECT id FROM passages WHERE id >= ? AND id < ? ORDER BY id", (first, end)
            )
        ]

    def counts(self) -> tuple[int, int]:
        """Documents and passages."""
        row = self.db.execute(
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM passages)"
        ).fetchone()
        return int(row[0]), int(row[1])

    def languages(self) -> dict[str, int]:
        """Language -> passages, most first."""
        return dict(
            self.db.execute("SELECT lang, count(*) FROM passages GROUP BY lang ORDER BY 2 DESC, 1")
        )

    # The manifest

    def manifest(self) -> tuple[list[SegmentRecord], list[int]]:
        """Segments and deleted rows as of one commit."""
        self.db.execute("BEGIN")
        try:
            return self.segments(), self.deleted()
        finally:
            self.rollback()

    def segments(self) -> list[SegmentRecord]:
        """In the order of their passages."""
        return [
            SegmentRecord(
                name=row[0],
                first=row[1],
                passages=row[2],
                languages=tuple(json.loads(row[3])),
                postings=FileStamp(*row[4:7]),
                vectors=FileStamp(*row[7:10]) if row[7] is not None else None,
            )
            for row in self.db.execute("SELECT * FROM segments ORDER BY first")
        ]

    def put_segment(self, record: SegmentRecord) -> None:
        vectors = record.vectors
        self.db.execute(
            "INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                record.name,
                record.first,
                record.passages,
                json.dumps(record.languages),
                record.postings.checksum,
                record.postings.size,
                record.postings.mtime_ns,
                vectors.checksum if vectors else None,
                vectors.size if vectors else None,
                vectors.mtime_ns if vectors else None,
            ),
        )

    def drop_segment(self, name: str) -> None:
        self.db.execute("DELETE FROM segments WHERE name = ?", (name,))

    def deleted(self) -> list[int]:
        """Rows that some segment may still hold though their passage is gone."""
        return [row[0] for row in self.db.execute("SELECT passage FROM deleted ORDER BY passage")]

    def purge_deleted(self, first: int, last: int) -> None:
        self.db.execute("DELETE FROM deleted WHERE passage BETWEEN ? AND ?", (first, last))

    def check(self) -> str:
        """SQLite's own check: empty when the database is whole, else what is wrong."""
        try:
            answer = str(self.db.execute("PRAGMA integrity_check(1)").fetchone()[0])
        except sqlite3.DatabaseError as error:
            return str(error)
        return "" if answer == "ok" else answer


def _json(value: dict[str, str] | tuple[str, ...]) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return json.dumps(value, ensure_ascii=False)


def explain(error: sqlite3.DatabaseError, folder: Path) -> AnaphoraError:
    """The error in one sentence that says what to do."""
    text = str(error)
    if "full" in text or "disk I/O" in text:
        return AnaphoraError(
            f"the index {folder} cannot be written ({text}): make room on the disk and try again; "
            "what was committed before is kept"
        )
    if "locked" in text:
        return AnaphoraError(f"another process is writing the index {folder}; try again later")
    if "readonly" in text or "unable to open" in text:
        return AnaphoraError(f"the index {folder} cannot be opened or written: {text}")
    return IndexDamaged(
        f"the database of the index {folder} is damaged ({text}); "
        "delete the folder and index your documents again"
    )
