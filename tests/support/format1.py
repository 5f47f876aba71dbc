"""Turns an index into one of format 1, as the first version of Anaphora wrote it."""

import sqlite3
from contextlib import closing

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
PRAGMA journal_mode = WAL;
INSERT INTO meta SELECT key, iif(key = 'format', '1', value) FROM store.meta;
INSERT INTO sources SELECT path, size, mtime_ns, digest, problem FROM ledger.files;
INSERT INTO documents SELECT d.id, d.doc_id, l.path, d.title, d.lang, d.metadata, l.digest
    FROM store.documents d JOIN ledger.documents l ON l.doc_id = d.doc_id;
INSERT INTO passages SELECT id, passage_id, document, lang, section, start, "end", text
    FROM store.passages;
INSERT INTO segments SELECT * FROM store.segments;
INSERT INTO deleted SELECT * FROM store.deleted;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence SELECT name, seq FROM store.sqlite_sequence;
"""


def to_format_1(index):
    with closing(sqlite3.connect(index / "truth.sqlite", isolation_level=None)) as db:
        db.execute("ATTACH ? AS store", (str(index / "store.sqlite"),))
        db.execute("ATTACH ? AS ledger", (str(index / "ledger.sqlite"),))
        for statement in _SCHEMA.split(";\n"):
            db.execute(statement)
    for name in ("store.sqlite", "ledger.sqlite"):
        (index / name).unlink()
