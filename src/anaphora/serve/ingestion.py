"""Adding uploaded files to an index, in a child process."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from anaphora.index import Engine
from anaphora.ingest.update import update
from anaphora.retrieve.encoders import first_encoder, load_encoder
from anaphora.retrieve.sparse import load_sparse_encoder
from anaphora.serve.isolated import Emit, limit_computing

SECONDS = 120
"""Of the processor's time for reading a file, and as many more for each megabyte of it:"""
SECONDS_PER_MEGABYTE = 10
_NICER = 10


def ingest(
    emit: Emit, folder: Path, engine: Engine | None, files: Path, encoder: str, sparse: str
) -> list[tuple[str, str]]:
    """Brings an index up to date with a folder of files.

    Args:
        emit: gets ("progress", task, done, total) and ("file", doc_id, None or the reason).
        encoder: the name of the encoder of the index's vectors; empty for none.
        sparse: that of its sparse weights; empty for none.

    A file that takes its reader too long ends the process.

    Returns:
        What was not read: names and reasons.

    Raises:
        IndexBusy: another process writes the index.
        AnaphoraError: the index cannot be written, or the encoder cannot be loaded.
    """
    with suppress(AttributeError, OSError):  # Windows; or it is as low as it may be
        os.nice(_NICER)  # turns come first

    def file(doc_id: str, reason: str | None) -> None:
        emit("file", doc_id, reason)
        begins = reason is None
        limit_computing(_seconds(files.parent / doc_id) if begins else None)

    report = update(
        folder,
        [files],
        load_encoder(encoder) if encoder else None,
        lambda task, done, total: emit("progress", task, done, total),
        engine,
        file,
        load_sparse_encoder(sparse) if sparse else None,
        first_encoder() if encoder else None,
    )
    return [(one.name, one.reason) for one in report.skipped]


def _seconds(file: Path) -> int:
    size = file.stat().st_size if file.is_file() else 0
    return SECONDS + SECONDS_PER_MEGABYTE * size // 1_000_000
