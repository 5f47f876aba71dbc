"""The ledger of ingestion: which files were read, and which documents came from each.

It is a SQLite database of its own in the index folder, for any index engine. Only the process that
holds the index open for writing changes it; the functions of this module read it without a lock.

The ledger never claims that the index holds something it does not. A commit therefore has three
steps. First the ledger writes the changes as a batch that is not confirmed. Then the index commits.
Then the ledger confirms the batch. After a kill between two steps the next run distrusts what the
batch says: it reads those files again, and the index skips what it already holds.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from anaphora.errors import AnaphoraError
from anaphora.index import IndexWriter

DATABASE = "ledger.sqlite"
FORMER = "truth.sqlite"
"""Indexes of format 1 kept the ledger in their database."""

READING = 9
"""The version of the rules by which files become documents. Where another version has read the
files, they are read again."""

_SCHEMA = (
    "CREATE TABLE batches (written INTEGER NOT NULL, confirmed INTEGER NOT NULL)",
    "INSERT INTO batches VALUES (0, 0)",
    "CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, digest BLOB,"
    " problem TEXT NOT NULL, batch INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE documents (doc_id TEXT PRIMARY KEY, path TEXT NOT NULL, digest BLOB,"
    " batch INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX documents_path ON documents (path)",
)
_LEFT_OUT = "CREATE TABLE IF NOT EXISTS left_out (root TEXT, text TEXT, keeper TEXT)"
_CARRY_OVER = (
    "INSERT INTO files SELECT path, size, mtime_ns, digest, problem, 0 FROM former.sources",
    "INSERT INTO documents SELECT doc_id, source, digest, 0 FROM former.documents",
)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file that was read to its end.

    Attributes:
        size: in bytes, when it was read.
        mtime_ns: time of its last change then, in nanoseconds.
        digest: of its bytes.
        problem: why it could not be read; empty if it could.
    """

    path: str
    size: int
    mtime_ns: int
    digest: bytes
    problem: str = ""


def owners(folder: Path, doc_ids: Sequence[str]) -> dict[str, str]:
    """The files that documents came from, by document; of documents that the ledger knows.

    It only reads, and needs no lock: where the ledger cannot be read, no file is known.
    """
    path = folder / DATABASE
    marks = ",".join("?" * len(doc_ids))
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute(
                f"SELECT doc_id, path FROM documents WHERE doc_id IN ({marks})", list(doc_ids)
            )
            return dict(rows.fetchall())
    except sqlite3.Error:
        return {}


def origin(folder: Path, doc_id: str) -> FileRecord | None:
    """The file that a document came from, as it was when it was read; None where that is not known.

    Like `owners`, it needs no lock.
    """
    return _record(
        folder,
        "SELECT f.path, f.size, f.mtime_ns, f.digest, f.problem FROM documents d"
        " JOIN files f ON f.path = d.path WHERE d.doc_id = ?",
        doc_id,
    )


def record_of(folder: Path, path: str) -> FileRecord | None:
    """The record of a file that was read to its end, or None. Like `owners`, it needs no lock."""
    return _record(
        folder, "SELECT path, size, mtime_ns, digest, problem FROM files WHERE path = ?", path
    )


def same_content(folder: Path, digest: bytes) -> FileRecord | None:
    """A file with documents in the index whose bytes had this digest, or None.

    Like `owners`, it needs no lock.
    """
    return _record(
        folder,
        "SELECT path, size, mtime_ns, digest, problem FROM files WHERE digest = ?"
        " AND path IN (SELECT path FROM documents) ORDER BY path LIMIT 1",
        digest,
    )


def contents(folder: Path) -> list[tuple[str, str, list[str]]]:
    """The files that were read or whose documents the index may hold, sorted by path: path, why it
    could not be read, and the ids of its documents.

    Like `owners`, it needs no lock.

    Raises:
        AnaphoraError: the ledger cannot be read.
    """
    path = folder / DATABASE
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("BEGIN")
            problems = dict(db.execute("SELECT path, problem FROM files").fetchall())
            doc_ids: dict[str, list[str]] = {}
            for doc_id, file in db.execute("SELECT doc_id, path FROM documents ORDER BY doc_id"):
                doc_ids.setdefault(file, []).append(doc_id)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    return [
        (file, problems.get(file, ""), doc_ids.get(file, []))
        for file in sorted(problems.keys() | doc_ids.keys())
    ]


def _record(folder: Path, query: str, value: str | bytes) -> FileRecord | None:
    path = folder / DATABASE
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            row = db.execute(query, (value,)).fetchone()
    except sqlite3.Error:
        return None
    return FileRecord(*row) if row else None


def _unusable(path: Path, error: sqlite3.Error) -> AnaphoraError:
    return AnaphoraError(
        f"the ledger {path} cannot be used ({error}); restore the index from a copy, or "
        "index your documents into another folder with --index"
    )


def digest_of(path: Path) -> bytes:
    """The digest of a file's bytes.

    Raises:
        OSError: the file cannot be read.
    """
    total = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            total.update(chunk)
    return total.digest()


class Ledger:
    """The ledger in an index folder; a context manager. Changes take effect with `commit`.

    Raises:
        AnaphoraError: the database cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / DATABASE
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._open(folder / FORMER)
            self._expire()
            self._start()
            self._distrust()
        except sqlite3.DatabaseError as error:
            raise _unusable(path, error) from error

    def _open(self, former: Path) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            carried = former.is_file()
            if carried:
                self._db.execute("ATTACH ? AS former", (str(former),))
            self._db.execute("BEGIN IMMEDIATE")
            for statement in (*_SCHEMA, *(_CARRY_OVER if carried else ())):
                self._db.execute(statement)
            self._db.execute("COMMIT")
            if carried:
                self._db.execute("DETACH former")
        self._db.execute(_LEFT_OUT)
        for suffix in ("", "-wal", "-shm"):
            # On Windows a reader may still have it open; then the next run deletes it.
            with suppress(OSError):
                former.with_name(former.name + suffix).unlink(missing_ok=True)

    def _expire(self) -> None:
        """Forgets what files contained when another version of the rules has read them."""
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version != READING:
            self._db.execute("DELETE FROM files")
            self._db.execute(f"PRAGMA user_version = {READING}")

    def _distrust(self) -> None:
        """Forgets what the last batch says if the index may not have committed."""
        written, confirmed = self._db.execute("SELECT written, confirmed FROM batches").fetchone()
        self._batch = written
        if written != confirmed:
            self._db.execute("UPDATE documents SET digest = NULL WHERE batch > ?", (confirmed,))
            self._db.execute("DELETE FROM files WHERE batch > ?", (confirmed,))

    def _start(self) -> None:
        self._read: dict[str, FileRecord] = {}
        self._upserted: dict[str, tuple[str, bytes]] = {}
        self._deleted: set[str] = set()
        self._db.execute("BEGIN")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()

    def file(self, path: str) -> FileRecord | None:
        """The record of a file that was read to its end."""
        row = self._db.execute(
            "SELECT path, size, mtime_ns, digest, problem FROM files WHERE path = ?", (path,)
        ).fetchone()
        return FileRecord(*row) if row else None

    def paths(self) -> list[str]:
        """The files that were read or whose documents the index may hold, sorted."""
        return [
            row[0]
            for row in self._db.execute(
                "SELECT path FROM files UNION SELECT DISTINCT path FROM documents ORDER BY 1"
            )
        ]

    def documents(self, path: str) -> dict[str, bytes | None]:
        """The digests of the documents of a file, by id; None where the index may hold another."""
        return dict(
            self._db.execute("SELECT doc_id, digest FROM documents WHERE path = ?", (path,))
        )

    def owner(self, doc_id: str) -> str | None:
        """The file that a document came from."""
        if doc_id in self._upserted:
            return self._upserted[doc_id][0]
        if doc_id in self._deleted:
            return None
        row = self._db.execute("SELECT path FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
        return str(row[0]) if row else None

    def left_out(self, root: str) -> dict[str, str]:
        """The texts that were left out when the pages of a root were read, and for each the
        document that keeps it."""
        rows = self._db.execute("SELECT text, keeper FROM left_out WHERE root = ?", (root,))
        return dict(rows.fetchall())

    def leave_out(self, root: str, texts: Mapping[str, str]) -> None:
        """From now on these texts of the pages of a root are left out."""
        self._db.execute("DELETE FROM left_out WHERE root = ?", (root,))
        rows = [(root, text, keeper) for text, keeper in texts.items()]
        self._db.executemany("INSERT INTO left_out VALUES (?, ?, ?)", rows)

    def clear(self) -> None:
        """Forgets everything, for an index that holds nothing."""
        self._db.execute("DELETE FROM left_out")
        self._db.execute("DELETE FROM files")
        self._db.execute("DELETE FROM documents")

    def begin(self, path: str) -> None:
        """Before a file is read again: its record no longer holds."""
        self._db.execute("DELETE FROM files WHERE path = ?", (path,))

    def finish(self, record: FileRecord) -> None:
        """After a file was read to its end."""
        self._read[record.path] = record

    def upsert(self, doc_id: str, path: str, digest: bytes) -> None:
        """A document of a file is added to the index, or replaced."""
        self._upserted[doc_id] = path, digest
        self._deleted.discard(doc_id)

    def delete(self, doc_id: str) -> None:
        """A document is deleted from the index."""
        self._upserted.pop(doc_id, None)
        self._deleted.add(doc_id)

    def commit(self, writer: IndexWriter) -> None:
        """Commits the index, and the ledger around it."""
        self._batch += 1
        batch = self._batch
        deleted = [(doc_id,) for doc_id in self._deleted]
        self._db.executemany(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)",
            [(doc_id, *values, batch) for doc_id, values in self._upserted.items()],
        )
        self._db.executemany(f"UPDATE documents SET batch = {batch} WHERE doc_id = ?", deleted)
        self._db.executemany(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
            [
                (one.path, one.size, one.mtime_ns, one.digest, one.problem, batch)
                for one in self._read.values()
            ],
        )
        self._db.execute("UPDATE batches SET written = ?", (batch,))
        self._db.execute("COMMIT")
        writer.commit()
        self._db.execute("BEGIN")
        self._db.executemany("DELETE FROM documents WHERE doc_id = ?", deleted)
        self._db.execute("UPDATE batches SET confirmed = ?", (batch,))
        self._db.execute("COMMIT")
        self._start()
