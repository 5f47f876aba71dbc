"""Adding uploaded files to an index, in a child process."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from anaphora.index import Engine
from anaphora.ingest.update import update
from anaphora.retrieve.encoders import load_encoder
from anaphora.serve.isolated import Emit

_NICER = 10


def ingest(
    emit: Emit, folder: Path, engine: Engine | None, files: Path, encoder: str
) -> list[tuple[str, str]]:
    """Brings an index up to date with a folder of files.

    Args:
        emit: gets ("progress", task, done, total) and ("file", doc_id, None or the reason).
        encoder: the name of the encoder of the index's vectors; empty for none.

    Returns:
        What was not read: names and reasons.

    Raises:
        IndexBusy: another process writes the index.
        AnaphoraError: the index cannot be written, or the encoder cannot be loaded.
    """
    with suppress(AttributeError, OSError):  # Windows; or it is as low as it may be
        os.nice(_NICER)  # turns come first
    report = update(
        folder,
        [files],
        load_encoder(encoder) if encoder else None,
        lambda task, done, total: emit("progress", task, done, total),
        engine,
        lambda doc_id, reason: emit("file", doc_id, reason),
    )
    return [(one.name, one.reason) for one in report.skipped]
