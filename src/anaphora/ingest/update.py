"""Bringing an index up to date with files and folders. Only what has changed is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.errors import UnreadableFile
from anaphora.index import Engine, FirstVectors, IndexWriter, has_index, open_writer
from anaphora.ingest import Found, Skipped, find_files, read, split
from anaphora.ingest.boilerplate import Repeated, repeated, sampled, without
from anaphora.ingest.contents import forget, under
from anaphora.ingest.ledger import FileRecord, Ledger, digest_of
from anaphora.protocols import Encoder, Progress, SparseEncoder, no_progress
from anaphora.records import Document

_SEARCHED = "rows with their header"
"""What has changed about how documents are searched, for those that it concerns."""

FileProgress = Callable[[str, str | None], None]
"""Is called with the id of a file before it is read, with None, and after it, with the reason why
it was not read or an empty string."""


FIRST_FROM = 500
"""Passages without vectors from which a first, fast encoder is worth its work: another one encodes
fewer in seconds."""


def no_file_progress(doc_id: str, reason: str | None) -> None:
    """Reports nothing."""


@dataclass(slots=True)
class Report:
    """What an indexing run did.

    Attributes:
        held: documents in the index afterwards.
        files: files that were read.
        unchanged: files that were not read because they had not changed.
        removed: files that have vanished, with their documents.
        documents: documents added or replaced.
        passages: passages of these documents.
        encoded: passages that got their vectors.
        weighed: passages that got their sparse weights.
        skipped: what was not read, and why.
    """

    held: int = 0
    files: int = 0
    unchanged: int = 0
    removed: int = 0
    documents: int = 0
    passages: int = 0
    encoded: int = 0
    weighed: int = 0
    skipped: list[Skipped] = field(default_factory=list)


def update(
    folder: Path,
    roots: Sequence[Path],
    encoder: Encoder | None,
    progress: Progress = no_progress,
    engine: Engine | None = None,
    file_progress: FileProgress = no_file_progress,
    sparse: SparseEncoder | None = None,
    first: Encoder | None = None,
) -> Report:
    """Indexes files and folders into the index in `folder`, which is created if necessary.

    See `update_index`.
    """
    if not has_index(folder, engine):
        # Raises for a root that does not exist, before anything is created.
        next(iter(find_files(roots, skip=folder)), None)
    with open_writer(folder, engine) as writer:
        return update_index(writer, roots, encoder, progress, file_progress, sparse, first)


def update_index(
    writer: IndexWriter,
    roots: Sequence[Path],
    encoder: Encoder | None,
    progress: Progress = no_progress,
    file_progress: FileProgress = no_file_progress,
    sparse: SparseEncoder | None = None,
    first: Encoder | None = None,
) -> Report:
    """Brings an index up to date with files and folders.

    Files that have not changed since the last run are not read. Changed files replace what they
    contributed before. Files of these roots that have vanished are removed, also if the root itself
    has. Passages can be found by their words as soon as they are committed; vectors follow. An
    interruption loses nothing that was committed, and the next run continues there.

    Args:
        encoder: encodes the passages; None for an index without vectors.
        sparse: gives the sparse weights; None for an index without them.
        progress: counts bytes of the task "reading" and passages of the tasks "first encoding" and
            "encoding".
        first: a fast encoder. Where most passages have no vectors, and these are at least
            `FIRST_FROM`, all are encoded with it at first, and the index is searched by these
            vectors until all passages have those of `encoder`.

    Raises:
        UsageError: a root does not exist and never did.
        AnaphoraError: the index cannot be written.
    """
    report = Report()
    with Ledger(writer.folder) as ledger:
        if not writer.counts().documents:
            ledger.clear()
        known = ledger.paths()
        gone = [root for root in roots if not root.exists()]
        gone = [root for root in gone if any(under(path, [root]) for path in known)]
        existing = [root for root in roots if root not in gone]
        found = list(find_files(existing, skip=writer.folder))
        files = [item for item in found if isinstance(item, Found)]
        report.skipped += [item for item in found if isinstance(item, Skipped)]
        writer.set_encoder(encoder.name if encoder else "")
        writer.set_sparse_encoder(sparse.name if sparse else "")
        present = {file.key for file in files}
        for path in known:
            if path not in present and under(path, roots):
                report.removed += 1
                forget(writer, ledger, path)
        texts = _repeated(ledger, files, changed=report.removed > 0)
        total = sum(file.size for file in files)
        done = 0
        for file in files:
            progress("reading", done, total)
            file_progress(file.doc_id, None)
            problem = _update_file(writer, ledger, file, texts.get(file.root, {}), report)
            file_progress(file.doc_id, problem)
            done += file.size
        progress("reading", total, total)
        ledger.commit(writer)
    if isinstance(writer, FirstVectors):
        if encoder and first and first.name != encoder.name and _many_without_vectors(writer):
            writer.set_first_encoder(first.name)
            writer.encode_first(first, progress)
        elif writer.first_encoder:
            writer.set_first_encoder("")
            writer.commit()
    if encoder:
        report.encoded = writer.encode(encoder, progress)
    if sparse:
        report.weighed = writer.encode_sparse(sparse, progress)
    writer.compact()
    report.held = writer.counts().documents
    return report


def _many_without_vectors(writer: IndexWriter) -> bool:
    """Whether the vectors of most passages are missing, or a first encoder's are searched."""
    if isinstance(writer, FirstVectors) and writer.first_encoder:
        return True
    missing = writer.without_vectors()
    return missing >= max(FIRST_FROM, writer.counts().passages / 2)


def _repeated(ledger: Ledger, files: Sequence[Found], changed: bool) -> Mapping[str, Repeated]:
    """By root, what its pages repeat. If that has changed, all files of the root are read again."""
    known = {file.key: ledger.file(file.key) for file in files}
    if not changed and all(
        one and (one.size, one.mtime_ns) == (file.size, file.mtime_ns)
        for file, one in ((file, known[file.key]) for file in files)
    ):
        return {}
    texts = repeated(sampled(files))
    for root in dict.fromkeys(file.root for file in files):
        found = texts.get(root, {})
        if ledger.left_out(root) != found:
            ledger.leave_out(root, found)
            for file in files:
                if file.root == root:
                    ledger.begin(file.key)
    return texts


def _update_file(
    writer: IndexWriter, ledger: Ledger, file: Found, texts: Repeated, report: Report
) -> str:
    """Reads a file if it has changed; returns why it could not be read, or an empty string."""
    path = file.key
    known = ledger.file(path)
    if known and (known.size, known.mtime_ns) == (file.size, file.mtime_ns):
        _unchanged(known, file, report)
        return known.problem
    try:
        content = digest_of(file.path)
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
        report.skipped.append(Skipped(file.doc_id, reason))
        return reason
    if known and known.digest == content:
        problem = known.problem
        _unchanged(known, file, report)
    else:
        ledger.begin(path)
        problem = _read(writer, ledger, file, texts, report)
    ledger.finish(FileRecord(path, file.size, file.mtime_ns, content, problem))
    if writer.should_commit:
        ledger.commit(writer)
    return problem


def _unchanged(known: FileRecord, file: Found, report: Report) -> None:
    if known.problem:
        report.skipped.append(Skipped(file.doc_id, known.problem))
    else:
        report.unchanged += 1


def _read(writer: IndexWriter, ledger: Ledger, file: Found, texts: Repeated, report: Report) -> str:
    """Reads a new or changed file without the texts that its collection repeats; returns why it
    could not be read, or an empty string."""
    path = file.key
    before = ledger.documents(path)
    seen: set[str] = set()
    try:
        for document in read(file.path, file.doc_id):
            if isinstance(document, Skipped):
                report.skipped.append(document)
                continue
            document = without(document, texts)
            doc_id = document.doc_id
            if doc_id in seen:
                report.skipped.append(
                    Skipped(file.doc_id, f"a second document has the id {doc_id!r}")
                )
                continue
            seen.add(doc_id)
            digest = _document_digest(document)
            if before.get(doc_id) == digest:
                continue
            if doc_id not in before and (owner := ledger.owner(doc_id)):
                report.skipped.append(
                    Skipped(file.doc_id, f"the id {doc_id!r} is already that of {owner}")
                )
                continue
            passages = split(document)
            ledger.upsert(doc_id, path, digest)
            if before.get(doc_id):
                # The same passages may be searched otherwise by now.
                writer.delete(doc_id)
            if writer.upsert(document, passages):
                report.documents += 1
                report.passages += len(passages)
            if writer.should_commit:
                ledger.commit(writer)
    except UnreadableFile as error:
        report.skipped.append(Skipped(file.doc_id, str(error)))
        return str(error)
    _delete(writer, ledger, before.keys() - seen)
    report.files += 1
    return ""


def _delete(writer: IndexWriter, ledger: Ledger, doc_ids: Iterable[str]) -> None:
    for doc_id in doc_ids:
        ledger.delete(doc_id)
        writer.delete(doc_id)


def _document_digest(document: Document) -> bytes:
    """Changes whenever anything of the document changes."""
    parts = (
        document.title,
        document.lang,
        tuple((section.start, section.path) for section in document.sections),
        sorted(document.metadata.items()),
        document.whole,
        document.text,
        document.blocks,
        _SEARCHED if any(block.kind == "row" and block.header for block in document.blocks) else "",
    )
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()
