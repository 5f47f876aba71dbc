"""What an index holds, by file, and removing files from it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.errors import UsageError
from anaphora.index import IndexWriter
from anaphora.ingest.ledger import Ledger, contents
from anaphora.ingest.walk import path_text


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file that was read.

    Attributes:
        path: absolute, as `path_text`.
        root: the folder that was indexed; the file itself where it was named, or where its
            documents have ids of their own.
        documents: the number of its documents in the index.
        problem: why it could not be read; empty if it could.
    """

    path: str
    root: str
    documents: int
    problem: str = ""


def files(folder: Path) -> list[IndexedFile]:
    """The files that the index in a folder was made from, sorted by path. It needs no lock.

    Raises:
        AnaphoraError: the ledger cannot be read.
    """
    return [
        IndexedFile(path, _root(path, doc_ids), len(doc_ids), problem)
        for path, problem, doc_ids in contents(folder)
    ]


def remove(writer: IndexWriter, paths: Sequence[Path]) -> list[IndexedFile]:
    """Removes files, and the files in folders, from the index, and returns them.

    The files themselves are not touched, and need not exist any more. Indexing a folder that holds
    them adds them again.

    Raises:
        UsageError: the index holds no file at or below one of the paths; nothing is removed.
    """
    with Ledger(writer.folder) as ledger:
        held = files(writer.folder)
        for path in paths:
            if not any(under(file.path, [path]) for file in held):
                raise UsageError(
                    f"the index in {writer.folder} holds no file at {path}; "
                    f"'anaphora index list --index {writer.folder}' shows its files"
                )
        removed = [file for file in held if under(file.path, paths)]
        for file in removed:
            forget(writer, ledger, file.path)
        ledger.commit(writer)
    writer.compact()
    return removed


def remove_document(writer: IndexWriter, doc_id: str) -> str | None:
    """Removes one document from the index, and returns the path of the file that it came from.

    The other documents of the file stay, and the file itself is not touched. An unknown id is
    ignored.
    """
    with Ledger(writer.folder) as ledger:
        path = ledger.owner(doc_id)
        if path is not None and ledger.documents(path).keys() == {doc_id}:
            forget(writer, ledger, path)
        else:
            ledger.delete(doc_id)
            writer.delete(doc_id)
        ledger.commit(writer)
    writer.compact()
    return path


def forget(writer: IndexWriter, ledger: Ledger, path: str) -> None:
    """Deletes the documents of a file, and the record that it was read."""
    ledger.begin(path)
    for doc_id in ledger.documents(path):
        ledger.delete(doc_id)
        writer.delete(doc_id)


def under(path: str, roots: Iterable[Path]) -> bool:
    """Whether a file of the ledger is one of these files or in one of these folders."""
    places = [path_text(os.path.abspath(root)) for root in roots]
    return any(path == place or path.startswith(place.rstrip(os.sep) + os.sep) for place in places)


def _root(path: str, doc_ids: Iterable[str]) -> str:
    """The ids of documents begin with the name of the folder that was indexed."""
    for doc_id in doc_ids:
        if os.sep != "/":
            doc_id = doc_id.replace("/", os.sep)
        if path.endswith(os.sep + doc_id):
            return path.removesuffix(doc_id) + doc_id.partition(os.sep)[0]
    return path
