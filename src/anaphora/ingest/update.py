"""Bringing an index up to date with folders: only what changed is read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.errors import UnreadableFile
from anaphora.index.local.store import DATABASE, Source, Store
from anaphora.index.local.writer import Writer, digest
from anaphora.ingest import Found, Skipped, find_files, read, split

if TYPE_CHECKING:
    from anaphora.protocols import Encoder

Progress = Callable[[str, int, int], None]
"""Called with what is being done ("reading", "encoding"), how much of it is done, and of how much:
bytes for reading, passages for encoding."""


@dataclass(slots=True)
class Report:
    """What an indexing run did. `skipped` names what was not read, and why; `held` is the number
    of documents in the index afterwards."""

    held: int = 0
    files: int = 0
    unchanged: int = 0
    removed: int = 0
    documents: int = 0
    passages: int = 0
    encoded: int = 0
    skipped: list[Skipped] = field(default_factory=list)


def update(
    folder: Path,
    roots: Sequence[Path],
    encoder: Encoder | None,
    progress: Progress = lambda *_: None,
) -> Report:
    """Indexes files and folders into the index at `folder`, which is made if need be.

    Files as they were at the last run are not read; changed ones replace what they gave before;
    those that vanished from these roots, or whose root vanished, are removed. Passages are findable
    by their words as soon as they are read; vectors follow, segment by segment. Stopping at any
    moment loses nothing that was committed, and the next run goes on from there.

    Args:
        encoder: makes the vectors; None for an index that is searched by words alone.

    Raises:
        UsageError: a root does not exist and never did.
        AnaphoraError: the index cannot be written (disk full, another writer, newer format).
    """
    report = Report()
    known = _sources(folder)
    gone = [root for root in roots if not root.exists() and any(_under(p, [root]) for p in known)]
    found = list(find_files([root for root in roots if root not in gone], skip=folder))
    files = [item for item in found if isinstance(item, Found)]
    report.skipped += [item for item in found if isinstance(item, Skipped)]
    with Writer(folder) as writer:
        writer.set_encoder(encoder.name if encoder else "")
        total = sum(file.size for file in files)
        done = 0
        for file in files:
            progress("reading", done, total)
            _update_file(writer, file, report)
            done += file.size
        progress("reading", total, total)
        present = {str(file.path) for file in files}
        for path in writer.store.source_paths():
            if path not in present and _under(path, roots):
                report.removed += 1
                writer.forget(path)
        writer.commit()
        if encoder:
            _encode(writer, encoder, report, progress)
        writer.compact()
        report.held = writer.store.counts()[0]
    return report


def _sources(folder: Path) -> list[str]:
    """The files that an index, if there is one, was made from."""
    if not (folder / DATABASE).is_file():
        return []
    with closing(Store(folder)) as store:
        return store.source_paths()


def _update_file(writer: Writer, file: Found, report: Report) -> None:
    path = str(file.path)
    known = writer.store.source(path)
    if known and (known.size, known.mtime_ns) == (file.size, file.mtime_ns):
        _unchanged(known, file, report)
        return
    try:
        content = _digest(file.path)
    except OSError as error:
        report.skipped.append(Skipped(file.doc_id, f"cannot be read ({error.strerror})"))
        return
    problem = ""
    if known and known.digest == content:
        problem = known.problem
        _unchanged(known, file, report)
    else:
        problem = _read(writer, file, report)
    writer.finish(Source(path, file.size, file.mtime_ns, content, problem))
    if writer.full:
        writer.commit()


def _unchanged(known: Source, file: Found, report: Report) -> None:
    if known.problem:
        report.skipped.append(Skipped(file.doc_id, known.problem))
    else:
        report.unchanged += 1


def _read(writer: Writer, file: Found, report: Report) -> str:
    """Reads a new or changed file; returns why it could not be read, if so."""
    path = str(file.path)
    before = writer.store.digests(path)
    seen: set[str] = set()
    try:
        for document in read(file.path, file.doc_id):
            if isinstance(document, Skipped):
                report.skipped.append(document)
                continue
            if document.doc_id in seen:
                report.skipped.append(
                    Skipped(file.doc_id, f"a second document has the id {document.doc_id!r}")
                )
                continue
            seen.add(document.doc_id)
            signature = digest(document)
            if before.get(document.doc_id) == signature:
                continue
            if document.doc_id in before:
                writer.drop(document.doc_id)
            elif owner := writer.store.owner(document.doc_id):
                report.skipped.append(
                    Skipped(file.doc_id, f"the id {document.doc_id!r} is already that of {owner}")
                )
                continue
            passages = split(document)
            writer.put(path, document, signature, passages)
            report.documents += 1
            report.passages += len(passages)
            if writer.full:
                writer.commit()
    except UnreadableFile as error:
        report.skipped.append(Skipped(file.doc_id, str(error)))
        return str(error)
    for doc_id in before.keys() - seen:
        writer.drop(doc_id)
    report.files += 1
    return ""


def _encode(writer: Writer, encoder: Encoder, report: Report, progress: Progress) -> None:
    waiting = writer.missing_vectors()
    total = sum(record.passages for record in waiting)
    for record in waiting:
        base = report.encoded
        progress("encoding", base, total)
        writer.add_vectors(
            record,
            lambda texts, base=base: encoder.encode_passages(  # type: ignore[misc]
                texts, progress=lambda n: progress("encoding", base + n, total)
            ),
        )
        report.encoded += record.passages
    if waiting:
        progress("encoding", total, total)


def _digest(path: Path) -> bytes:
    total = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            total.update(chunk)
    return total.digest()


def _under(path: str, roots: Sequence[Path]) -> bool:
    places = [os.path.abspath(root) for root in roots]
    return any(path == place or path.startswith(place.rstrip(os.sep) + os.sep) for place in places)
