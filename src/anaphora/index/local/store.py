"""The store: documents and passages in SQLite, and the manifest of the files derived from them.

The manifest is in the same database. One transaction makes documents visible together with the
segment that finds them, so the two never disagree.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora.errors import AnaphoraError, IndexBusy, IndexDamaged
from anaphora.index import Counts, IndexedDocument
from anaphora.index.adapter import Adapter
from anaphora.index.local.arrays import sync_folder
from anaphora.language import normalize
from anaphora.normal_form import normal_form
from anaphora.records import Block, Document, Passage

FORMAT = 3
EXTENDED_FORMAT = 4
"""Of an index with sparse weights or first vectors, which earlier versions would lose when they
write."""
DATABASE = "store.sqlite"
FORMER = "truth.sqlite"
"""The database of format 1, which also holds the ledger of ingestion. It can be read as it is; the
first writer converts it. A database of format 2 has no blocks of passages: the first writer adds
them, empty."""
SEGMENTS = "segments"
LOCK = "lock.sqlite"
ENCODER = "encoder"
FIRST_ENCODER = "first_encoder"
"""Keys of the names of the encoders. While there is a first one, its vectors are searched, and
those of the other one are being made: `anaphora.index.FirstVectors`."""
_BATCH = 500
_EMPTY: list[Any] = ["", 0, 0, 0, "", (), ""]  # values of a block's fields that are left out

_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0652]")
_DOCUMENT = (
    "SELECT doc_id, title, lang, (SELECT count(*) FROM passages WHERE document = d.id),"
    ' coalesce((SELECT "end" FROM passages WHERE document = d.id ORDER BY id DESC LIMIT 1), 0)'
    " FROM documents d"
)

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, doc_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, lang TEXT NOT NULL, metadata TEXT NOT NULL
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, passage_id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents (id), lang TEXT NOT NULL,
    section TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, text TEXT NOT NULL,
    blocks TEXT NOT NULL DEFAULT ''
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
_FIRST_VECTORS = (
    "CREATE TABLE IF NOT EXISTS first_vectors (segment TEXT PRIMARY KEY,"
    " checksum INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
)
_IMPACTS = (
    "CREATE TABLE IF NOT EXISTS impacts (segment TEXT PRIMARY KEY, checksum INTEGER NOT NULL,"
    " size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
)
_CONVERSION = """
INSERT INTO meta SELECT key, value FROM former.meta WHERE key != 'format';
INSERT INTO documents SELECT id, doc_id, title, lang, metadata FROM former.documents;
INSERT INTO passages
    SELECT id, passage_id, document, lang, section, start, "end", text, '' FROM former.passages;
INSERT INTO segments SELECT * FROM former.segments;
INSERT INTO deleted SELECT passage FROM former.deleted;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence SELECT name, seq FROM former.sqlite_sequence;
"""


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


def database_path(folder: Path) -> Path | None:
    """The database of the index in a folder, or None."""
    # The current name is tried twice: a writer may convert the former database in between.
    names = (DATABASE, FORMER, DATABASE)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def file_id(path: Path) -> tuple[int, int]:
    """Tells a file from another one that later has the same name."""
    found = path.stat()
    return found.st_dev, found.st_ino


class Lock:
    """Held by the writing process; the system frees it when the process ends, however it ends.

    Raises:
        IndexBusy: another process holds it.
    """

    def __init__(self, folder: Path) -> None:
        try:
            # `is_locked` of another process may hold the file for a moment.
            self._db = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0.2)
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if "locked" not in str(error):
                raise explain(error, folder) from error
            raise IndexBusy(
                f"another process is writing the index {folder}; try again when it has finished"
            ) from error

    def release(self) -> None:
        self._db.close()


def is_locked(folder: Path) -> bool:
    """Whether a writer, of this process or another, holds the lock of an index."""
    path = folder / LOCK
    if not path.is_file():
        return False
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)
        ) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False


def create_database(folder: Path) -> None:
    """Creates the database of an index, from that of format 1 where there is one.

    It appears under its name only when it is complete. The caller holds the writer's lock.
    """
    temporary, former = folder / f"{DATABASE}.new", folder / FORMER
    for leftover in (temporary, folder / f"{DATABASE}.new-journal"):
        leftover.unlink(missing_ok=True)
    with closing(sqlite3.connect(temporary, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        if former.is_file():
            db.execute("ATTACH ? AS former", (str(former),))
        db.execute("BEGIN")
        statements = _SCHEMA + (_CONVERSION if former.is_file() else "")
        for statement in statements.split(";\n"):
            db.execute(statement)
        db.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT),))
        db.execute("COMMIT")
        db.execute("PRAGMA main.journal_mode = WAL")
    temporary.replace(folder / DATABASE)
    sync_folder(folder)
    if former.is_file():
        # From now on an earlier version of Anaphora must not write to it.
        with closing(sqlite3.connect(former)) as db, db:
            db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))


def add_blocks(folder: Path) -> None:
    """Converts a database of format 2. The caller holds the writer's lock."""
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        (version,) = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        if int(version) == 2:
            db.execute("ALTER TABLE passages ADD COLUMN blocks TEXT NOT NULL DEFAULT ''")
            db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))
        db.execute("COMMIT")


class Store:
    """The database of one index folder.

    Raises:
        AnaphoraError: there is no index, or a newer version of Anaphora created it.
        IndexDamaged: the database cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = database_path(folder)
        if path is None:
            raise AnaphoraError(
                f"there is no index in {folder}; create one with 'anaphora index FOLDER'"
            )
        self.former = path.name == FORMER
        self.file_id = file_id(path)
        try:
            self.db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=30,
            )
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.create_function("loose", 1, loose, deterministic=True)
            version = int(self.meta("format") or 0)
        except sqlite3.DatabaseError as error:
            raise explain(error, folder) from error
        if version > EXTENDED_FORMAT:
            raise AnaphoraError(
                f"the index in {folder} was created by a newer Anaphora "
                f"(format {version}, this one reads {EXTENDED_FORMAT}); update Anaphora"
            )
        self._blocks = "p.blocks" if version >= FORMAT else "''"

    def close(self) -> None:
        self.db.close()

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

    def adapter(self) -> Adapter | None:
        """The adapter, unless the vectors are those of another encoder."""
        text = self.meta("adapter")
        adapter = Adapter.from_json(text) if text else None
        return adapter if adapter and adapter.encoder == self.meta("encoder") else None

    def set_adapter(self, adapter: Adapter | None) -> None:
        self.set_meta("adapter", adapter.to_json() if adapter else "")

    def version(self) -> int:
        """Changes whenever another connection has committed."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])

    # Documents

    def number(self, doc_id: str) -> int | None:
        """The row of a document, or None."""
        row = self.db.execute("SELECT id FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
        return int(row[0]) if row else None

    def documents(self, matching: str, after: str, limit: int) -> list[IndexedDocument]:
        """See `anaphora.index.Index.documents`."""
        rows = self.db.execute(
            f"{_DOCUMENT} WHERE doc_id > ?1"
            " AND (?2 = '' OR instr(loose(doc_id), ?2) OR instr(loose(title), ?2))"
            " ORDER BY doc_id LIMIT ?3",
            (after, loose(matching), limit),
        )
        return [IndexedDocument(*row) for row in rows]

    def document(self, doc_id: str) -> IndexedDocument | None:
        row = self.db.execute(f"{_DOCUMENT} WHERE doc_id = ?", (doc_id,)).fetchone()
        return IndexedDocument(*row) if row else None

    def rows_of(self, doc_id: str, start: int, end: int | None) -> list[int]:
        """Rows of a document's passages that touch a range of its characters, in order."""
        return [
            row[0]
            for row in self.db.execute(
                "SELECT p.id FROM passages p JOIN documents d ON d.id = p.document"
                ' WHERE d.doc_id = ? AND p."end" > ? AND p.start < ? ORDER BY p.id',
                (doc_id, start, 1 << 62 if end is None else end),
            )
        ]

    def holds(self, number: int, document: Document, passages: Sequence[Passage]) -> bool:
        """Whether a document's row and its passages equal these."""
        stored = self.db.execute(
            "SELECT title, lang, metadata FROM documents WHERE id = ?", (number,)
        ).fetchone()
        if stored != (document.title, document.lang, _json(dict(document.metadata))):
            return False
        rows = self.db.execute(
            'SELECT passage_id, lang, section, start, "end", text, blocks FROM passages'
            " WHERE document = ? ORDER BY id",
            (number,),
        )
        return rows.fetchall() == [_columns(passage) for passage in passages]

    def add_document(self, document: Document, passages: Iterable[Passage]) -> list[int]:
        """Adds a document whose id is not in the store; returns the rows of its passages."""
        number = self.db.execute(
            "INSERT INTO documents (doc_id, title, lang, metadata) VALUES (?, ?, ?, ?)",
            (document.doc_id, document.title, document.lang, _json(dict(document.metadata))),
        ).lastrowid
        return [
            self.db.execute(
                "INSERT INTO passages"
                ' (document, passage_id, lang, section, start, "end", text, blocks)'
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (number, *_columns(passage)),
            ).lastrowid
            or 0
            for passage in passages
        ]

    def delete_document(self, number: int) -> None:
        self.db.execute("INSERT INTO deleted SELECT id FROM passages WHERE document = ?", (number,))
        self.db.execute("DELETE FROM passages WHERE document = ?", (number,))
        self.db.execute("DELETE FROM documents WHERE id = ?", (number,))

    # Passages

    def passages(self, rows: Sequence[int]) -> dict[int, Passage]:
        found: dict[int, Passage] = {}
        for at in range(0, len(rows), _BATCH):
            part = rows[at : at + _BATCH]
            marks = ",".join("?" * len(part))
            for row in self.db.execute(
                "SELECT p.id, p.passage_id, d.doc_id, d.title, p.text, p.lang, p.section, p.start,"
                f' p."end", {self._blocks} FROM passages p JOIN documents d ON d.id = p.document'
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
                    blocks=_parse_blocks(row[9]),
                )
        return found

    def languages(self, first: int = 0, last: int = 1 << 62) -> tuple[str, ...]:
        """The languages of the passages in the rows from `first` to `last`, sorted."""
        rows = self.db.execute(
            "SELECT DISTINCT lang FROM passages WHERE id BETWEEN ? AND ? ORDER BY lang",
            (first, last),
        )
        return tuple(row[0] for row in rows)

    def rows(self, passage_ids: Sequence[str]) -> list[int]:
        """The rows of those passages that are in the store."""
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
        """Rows of the passages from `first` up to, not including, `before`."""
        end = before if before is not None else 1 << 62
        return [
            row[0]
            for row in self.db.execute(
                "SELECT id FROM passages WHERE id >= ? AND id < ? ORDER BY id", (first, end)
            )
        ]

    def counts(self) -> Counts:
        row = self.db.execute(
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM passages)"
        ).fetchone()
        return Counts(*row)

    # The manifest

    def manifest(self) -> Manifest:
        """What the index consists of as of one commit."""
        self.db.execute("BEGIN")
        try:
            return Manifest(self.segments(), self.deleted(), self.encoder, self.first_encoder)
        finally:
            self.rollback()

    def segments(self) -> list[SegmentRecord]:
        """In the order of their passages."""
        impacts, first_vectors = self._impacts(), self._first_vectors()
        return [
            SegmentRecord(
                name=row[0],
                first=row[1],
                passages=row[2],
                languages=tuple(json.loads(row[3])),
                postings=FileStamp(*row[4:7]),
                vectors=FileStamp(*row[7:10]) if row[7] is not None else None,
                impacts=impacts.get(row[0]),
                first_vectors=first_vectors.get(row[0]),
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
        self._drop_impacts(record.name)
        if impacts := record.impacts:
            self.db.execute(
                "INSERT INTO impacts VALUES (?, ?, ?, ?)",
                (record.name, impacts.checksum, impacts.size, impacts.mtime_ns),
            )
        self._drop_first_vectors(record.name)
        if first := record.first_vectors:
            self.db.execute(
                "INSERT INTO first_vectors VALUES (?, ?, ?, ?)",
                (record.name, first.checksum, first.size, first.mtime_ns),
            )

    def drop_segment(self, name: str) -> None:
        self.db.execute("DELETE FROM segments WHERE name = ?", (name,))
        self._drop_impacts(name)
        self._drop_first_vectors(name)

    @property
    def encoder(self) -> str:
        """The encoder of the segments' `vectors`; empty for an index without vectors."""
        return self.meta(ENCODER) or ""

    @property
    def first_encoder(self) -> str:
        """The encoder of the segments' `first_vectors`; empty when these are not searched."""
        return self.meta(FIRST_ENCODER) or ""

    def set_first_encoder(self, name: str) -> None:
        self.db.execute(_FIRST_VECTORS)
        self.set_meta("format", str(EXTENDED_FORMAT))
        self.set_meta(FIRST_ENCODER, name)

    def _first_vectors(self) -> dict[str, FileStamp]:
        """The stamps of the files of first vectors, by segment."""
        if not self.first_encoder:
            return {}
        rows = self.db.execute("SELECT * FROM first_vectors")
        return {row[0]: FileStamp(*row[1:]) for row in rows}

    def _drop_first_vectors(self, segment: str) -> None:
        if self.meta(FIRST_ENCODER) is not None:  # otherwise there is no such table
            self.db.execute("DELETE FROM first_vectors WHERE segment = ?", (segment,))

    @property
    def sparse_encoder(self) -> str:
        """The name of the encoder of the sparse weights; empty for none."""
        return self.meta("sparse_encoder") or ""

    def set_sparse_encoder(self, name: str) -> None:
        self.db.execute(_IMPACTS)
        self.set_meta("format", str(EXTENDED_FORMAT))
        self.set_meta("sparse_encoder", name)

    def _impacts(self) -> dict[str, FileStamp]:
        """The stamps of the files of sparse weights, by segment."""
        if not self.sparse_encoder:
            return {}
        return {row[0]: FileStamp(*row[1:]) for row in self.db.execute("SELECT * FROM impacts")}

    def _drop_impacts(self, segment: str) -> None:
        if self.meta("sparse_encoder") is not None:  # otherwise there is no such table
            self.db.execute("DELETE FROM impacts WHERE segment = ?", (segment,))

    def deleted(self) -> list[int]:
        """Rows of deleted passages that a segment may still hold."""
        return [row[0] for row in self.db.execute("SELECT passage FROM deleted ORDER BY passage")]

    def purge_deleted(self, first: int, last: int) -> None:
        """Forgets the deleted rows from `first` to `last`, which no segment holds any more."""
        self.db.execute("DELETE FROM deleted WHERE passage BETWEEN ? AND ?", (first, last))

    def check(self) -> str:
        """Runs SQLite's integrity check; returns what is wrong, or an empty string."""
        try:
            answer = str(self.db.execute("PRAGMA integrity_check(1)").fetchone()[0])
        except sqlite3.DatabaseError as error:
            return str(error)
        return "" if answer == "ok" else answer


def loose(text: str) -> str:
    """A text as documents are filtered by it: without case and accents.

    >>> loose("Máy Bơm") == loose("may bom"), loose("IĞDIR") == loose("ığdır")
    (True, True)
    """
    decomposed = normal_form("NFD", normalize(text).casefold())
    return _ACCENTS.sub("", decomposed).replace("ı", "i").replace("đ", "d")


def _columns(passage: Passage) -> tuple[str, str, str, int, int, str, str]:
    return (
        passage.passage_id,
        passage.lang,
        _json(passage.section),
        passage.start,
        passage.end,
        passage.text,
        _format_blocks(passage.blocks),
    )


def _format_blocks(blocks: tuple[Block, ...]) -> str:
    """A list of the blocks' fields as JSON. The last fields that have no value are left out."""
    rows: list[list[Any]] = []
    for one in blocks:
        row = [one.kind, one.start, one.end, one.depth, one.marker, one.header, one.place]
        while not row[-1]:
            row.pop()
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")) if rows else ""


def _parse_blocks(text: str) -> tuple[Block, ...]:
    found = []
    for row in json.loads(text) if text else ():
        kind, start, end, depth, marker, header, place = row + _EMPTY[len(row) :]
        found.append(Block(kind, start, end, depth, marker, tuple(header), place))
    return tuple(found)


def _json(value: dict[str, str] | tuple[str, ...]) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return json.dumps(value, ensure_ascii=False)


def explain(error: sqlite3.DatabaseError, folder: Path) -> AnaphoraError:
    """Returns the error as one sentence that says what to do."""
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
        f"the database of the index {folder} is damaged ({text}); restore the folder from a copy, "
        "or index your documents into another folder with --index"
    )
