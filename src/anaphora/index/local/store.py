"""The store: documents and passages in SQLite, and the manifest of the files derived from them.

The manifest is in the same database. One transaction makes documents visible together with the
segment that finds them, so the two never disagree.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from anaphora.errors import AnaphoraError
from anaphora.index import Counts, IndexedDocument
from anaphora.index.adapter import Adapter
from anaphora.index.local.database import (
    EXTENDED_FORMAT,
    FIRST_VECTORS,
    FORMAT,
    FORMER,
    IMPACTS,
    existing_database,
    explain,
    file_id,
)
from anaphora.index.local.manifest import FileStamp, Manifest, SegmentRecord
from anaphora.language import normalize
from anaphora.normal_form import normal_form
from anaphora.records import Block, Document, Passage

_ENCODER = "encoder"
_FIRST_ENCODER = "first_encoder"
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


class Store:
    """The database of one index folder.

    Raises:
        AnaphoraError: there is no index, or a newer version of Anaphora created it.
        IndexDamaged: the database cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = existing_database(folder)
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
        return adapter if adapter and adapter.encoder == self.encoder else None

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
        return self.meta(_ENCODER) or ""

    def set_encoder(self, name: str) -> None:
        self.set_meta(_ENCODER, name)

    @property
    def first_encoder(self) -> str:
        """The encoder of the segments' `first_vectors`; empty when these are not searched."""
        return self.meta(_FIRST_ENCODER) or ""

    def set_first_encoder(self, name: str) -> None:
        self.db.execute(FIRST_VECTORS)
        self.set_meta("format", str(EXTENDED_FORMAT))
        self.set_meta(_FIRST_ENCODER, name)

    def _first_vectors(self) -> dict[str, FileStamp]:
        """The stamps of the files of first vectors, by segment."""
        if not self.first_encoder:
            return {}
        rows = self.db.execute("SELECT * FROM first_vectors")
        return {row[0]: FileStamp(*row[1:]) for row in rows}

    def _drop_first_vectors(self, segment: str) -> None:
        if self.meta(_FIRST_ENCODER) is not None:  # otherwise there is no such table
            self.db.execute("DELETE FROM first_vectors WHERE segment = ?", (segment,))

    @property
    def sparse_encoder(self) -> str:
        """The name of the encoder of the sparse weights; empty for none."""
        return self.meta("sparse_encoder") or ""

    def set_sparse_encoder(self, name: str) -> None:
        self.db.execute(IMPACTS)
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
