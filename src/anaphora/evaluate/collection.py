"""The index of a data set's own passages, built once."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from anaphora.errors import AnaphoraError
from anaphora.ingest.update import update
from anaphora.protocols import Encoder, Progress, SparseEncoder, no_progress
from anaphora.records import UNKNOWN, Document

_PASSAGES = "passages.jsonl"


def index_documents(
    folder: Path,
    documents: Iterable[Document],
    encoder: Encoder | None,
    progress: Progress = no_progress,
    sparse: SparseEncoder | None = None,
) -> Path | None:
    """The folder of an index of the documents, under `folder`; None where there are none.

    The same documents have the same index, which is built, or completed, only where necessary.

    Raises:
        AnaphoraError: the index cannot be written, or a document cannot be indexed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{os.getpid()}-{_PASSAGES}"
    digest = hashlib.sha256((encoder.name if encoder else "").encode())
    if sparse:
        digest.update(f"\n{sparse.name}\n".encode())
    count = 0
    try:
        with fresh.open("wb") as file:
            for line in _lines(documents):
                file.write(line)
                digest.update(line)
                count += 1
        if not count:
            return None
        home = folder / digest.hexdigest()[:16]
        home.mkdir(exist_ok=True)
        if not (home / _PASSAGES).exists():
            fresh.replace(home / _PASSAGES)
    finally:
        fresh.unlink(missing_ok=True)
    report = update(home / "index", [home / _PASSAGES], encoder, progress, sparse=sparse)
    if report.skipped:
        first = report.skipped[0]
        raise AnaphoraError(
            f"{len(report.skipped)} of the data set's passages cannot be indexed; "
            f"the first: {first.name} {first.reason}"
        )
    return home / "index"


def _lines(documents: Iterable[Document]) -> Iterator[bytes]:
    """As BEIR records."""
    for document in documents:
        record = {"_id": document.doc_id, "title": document.title, "text": document.text}
        if document.lang != UNKNOWN:
            record["lang"] = document.lang
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
