"""The database file of an index: its name, its schema, and the conversion of former formats."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from anaphora.errors import AnaphoraError, IndexDamaged
from anaphora.index.local.arrays import sync_folder

FORMAT = 3
EXTENDED_FORMAT = 4
"""Of an index with sparse weights or first vectors, which earlier versions would lose when they
write."""
DATABASE = "store.sqlite"
FORMER = "truth.sqlite"
"""The database of format 1, which also holds the ledger of ingestion. It can be read as it is; the
first writer converts it. A database of format 2 has no blocks of passages: the first writer adds
them, empty."""

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
FIRST_VECTORS = (
    "CREATE TABLE IF NOT EXISTS first_vectors (segment TEXT PRIMARY KEY,"
    " checksum INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
)
IMPACTS = (
    "CREATE TABLE IF NOT EXISTS impacts (segment TEXT PRIMARY KEY, checksum INTEGER NOT NULL,"
    " size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
)
"""Tables that are created with the first entry: their index has the extended format."""
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


def database_path(folder: Path) -> Path | None:
    """The database of the index in a folder, or None."""
    # The current name is tried twice: a writer may convert the former database in between.
    names = (DATABASE, FORMER, DATABASE)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def existing_database(folder: Path) -> Path:
    """The database of the index in a folder.

    Raises:
        AnaphoraError: there is no index.
    """
    path = database_path(folder)
    if path is None:
        raise AnaphoraError(
            f"there is no index in {folder}; create one with 'anaphora index FOLDER'"
        )
    return path


def file_id(path: Path) -> tuple[int, int]:
    """Tells a file from another one that later has the same name."""
    found = path.stat()
    return found.st_dev, found.st_ino


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
