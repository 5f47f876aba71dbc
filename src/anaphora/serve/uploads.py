"""Uploads: files from clients, stored beside the index and added to it in the background.

Nothing in a file is run or fetched. A file is streamed to a folder that is not indexed, and takes
its place among the uploads of an index when the request is complete.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import queue
import shutil
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final, Literal, TypeAlias
from uuid import uuid4

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from anaphora.errors import AnaphoraError, IndexBusy
from anaphora.ingest import path_text
from anaphora.ingest.kinds import HEAD, SUFFIXES, sniff
from anaphora.ingest.ledger import record_of, same_content
from anaphora.serve.filenames import numbered, safe_path, with_suffix_of
from anaphora.serve.indexes import DEFAULT, Indexes
from anaphora.serve.ingestion import ingest
from anaphora.serve.isolated import ChildEnded, Isolated
from anaphora.serve.problems import Problem
from anaphora.serve.settings import ServeSettings

MOST_FILES: Final = 1_000
"""Files in one request."""
MOST_JOBS: Final = 500
"""Jobs that are remembered; the oldest that have ended are forgotten."""

_ROOT = "uploads"  # the ids of uploaded documents begin with it
_INCOMING = ".incoming"  # no index has this name: `safe_path` begins none with a dot
_REPLACED = ".replaced"
_LEFT_OVER = 86_400  # seconds after which an unfinished upload is that of a server that was killed
_OVERHEAD = 10_000  # bytes of a request around each file
_RETRY = 2.0  # seconds
_FILE_SECONDS = 600.0  # in which one file must be read
_LONGEST = 10  # bytes of the value of a field
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

FileState: TypeAlias = Literal["waiting", "reading", "done", "skipped"]
JobState: TypeAlias = Literal["waiting", "reading", "encoding", "done", "failed"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class UploadedFile:
    """A file of a job.

    Attributes:
        name: as it is stored, with its folders.
        reason: why it was skipped, or what of it was left out.
        total: its size in bytes; `done` of them have been read.
        before: the file that it replaces, which is kept until it has been read.
    """

    name: str
    total: int
    state: FileState = "waiting"
    reason: str = ""
    path: Path | None = None
    digest: bytes = b""
    before: Path | None = None

    @property
    def doc_id(self) -> str:
        return f"{_ROOT}/{self.name}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "state": self.state,
            "reason": self.reason,
            "done": self.total if self.state == "done" else 0,
            "total": self.total,
        }


@dataclass(slots=True)
class Job:
    """An upload on its way into an index. It may be read while it changes.

    Attributes:
        version: grows with every change.
        reason: what it waits for, or why it failed.
        total: passages that need vectors; `done` of them have one.
    """

    id: str
    index: str
    owner: str
    files: list[UploadedFile]
    state: JobState = "waiting"
    reason: str = ""
    done: int = 0
    total: int = 0
    version: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def to_dict(self) -> dict[str, Any]:
        with self._lock:
            return {
                "id": self.id,
                "index": self.index,
                "state": self.state,
                "reason": self.reason,
                "done": self.done,
                "total": self.total,
                "files": [one.to_dict() for one in self.files],
            }

    @property
    def ended(self) -> bool:
        return self.state in ("done", "failed")

    def enter(self, state: JobState, reason: str = "", done: int = 0, total: int = 0) -> None:
        with self._lock:
            self.state, self.reason, self.done, self.total = state, reason, done, total
            self.version += 1

    def report(self, doc_id: str, state: FileState, reason: str = "") -> None:
        """What became of a file; one of another job is ignored."""
        with self._lock:
            for one in self.files:
                if one.doc_id == doc_id and one.path is not None:
                    one.state, one.reason = state, reason
                    self.version += 1


class Uploads:
    """Receives files, and adds them to the indexes in one thread, one job after another.

    Args:
        indexes: into which files may be uploaded.
    """

    def __init__(self, settings: ServeSettings, indexes: Indexes) -> None:
        self._folder = Path(os.path.abspath(settings.folder / "uploads"))
        self._most_bytes = settings.upload_bytes
        self._most_in_all = settings.uploads_bytes
        self._indexes = indexes
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        self._arriving: dict[str, list[_Form]] = {}
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._child: Isolated | None = None
        self._thread: threading.Thread | None = None
        self._sweep()
        self._resume()

    def close(self) -> None:
        """Ends the work on a job; the next upload continues it."""
        self._closing.set()
        self._queue.put(None)
        while self._thread and self._thread.is_alive():
            child = self._child
            if child:
                child.close()
            self._thread.join(0.1)

    def job(self, id: str, owner: str) -> Job:
        """A job of an owner.

        Raises:
            Problem: 404, the owner has no such job.
        """
        found = self._jobs.get(id)
        if found is None or found.owner != owner:
            raise Problem(
                HTTPStatus.NOT_FOUND,
                f"there is no job {id!r}; a server that was started again has forgotten the jobs "
                "before, and adds the files that they had stored",
            )
        return found

    def root(self, index: str) -> Path:
        """The folder of the uploaded files of an index."""
        return self._folder / safe_path(index) / _ROOT

    def discard(self, index: str, path: str) -> None:
        """Deletes the file of a document that was removed, if it was uploaded."""
        root, file = self.root(index), Path(path)
        if root in file.parents:
            _delete(file, root)

    async def receive(
        self, index: str, owner: str, headers: Mapping[str, str], body: AsyncIterator[bytes]
    ) -> str:
        """Stores the files of a request and starts a job that adds them; returns its id.

        Raises:
            Problem: the request is cut short, too large or no form; or the disk is full. Nothing
                is stored then.
        """
        room = self._most_in_all - await run_in_threadpool(_size_of, self.root(index))
        forms = self._arriving.setdefault(index, [])
        length = headers.get("content-length", "")[:20]
        if length.isascii() and length.isdigit() and int(length) > room + _OVERHEAD * MOST_FILES:
            raise self._no_room(index)
        staging = self._folder / _INCOMING / uuid4().hex
        form = _Form(headers.get("content-type", ""), staging, self._most_bytes)
        forms.append(form)
        try:
            try:
                await run_in_threadpool(staging.mkdir, parents=True)
                async for chunk in body:
                    await run_in_threadpool(form.feed, chunk)
                    # Those that arrive at the same time share the room.
                    if sum(one.received for one in forms) > room + _OVERHEAD * MOST_FILES:
                        raise self._no_room(index)
                form.finish()
                job = await run_in_threadpool(self._take, index, owner, form)
            except OSError as error:
                raise _not_stored(error, self._folder) from error
        finally:
            forms.remove(form)
            form.close()
            shutil.rmtree(staging, ignore_errors=True)
        self._start(job)
        return job.id

    def _no_room(self, index: str) -> Problem:
        return Problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"the uploads of the index {index!r} may take {_megabytes(self._most_in_all)} in all: "
            "delete documents first, or raise the setting 'serve.uploads_bytes'",
        )

    def _take(self, index: str, owner: str, form: _Form) -> Job:
        """Gives the files their places among the uploads.

        Raises:
            Problem: others have taken the room meanwhile.
        """
        with self._taking:
            return self._taken(index, owner, form)

    def _taken(self, index: str, owner: str, form: _Form) -> Job:
        root, folder = self.root(index), self._indexes.folders[index]
        if _size_of(root) + form.stored > self._most_in_all:
            raise self._no_room(index)
        files: list[UploadedFile] = []
        try:
            for one in form.files:
                file = UploadedFile(str(one.name), one.size, digest=one.digest)
                files.append(file)
                file.reason = one.problem or self._copy_of(index, folder, one.digest, files[:-1])
                if file.reason:
                    file.state = "skipped"
                    continue
                path = with_suffix_of(one.name, sniff(one.declared, one.head))
                file.before = self._set_aside(root / path) if form.replace else None
                file.path = _place(one.path, root, path)
                file.name = file.path.relative_to(root).as_posix()
        except OSError:
            for file in files:
                _restore(file, root)
            raise
        return Job(uuid4().hex, index, owner, files)

    def _set_aside(self, path: Path) -> Path | None:
        """Moves the file that is to be replaced, if there is one."""
        if not path.is_file():
            return None
        aside = self._folder / _REPLACED / uuid4().hex
        aside.parent.mkdir(parents=True, exist_ok=True)
        return path.replace(aside)

    def _copy_of(self, index: str, folder: Path, digest: bytes, before: list[UploadedFile]) -> str:
        for one in before:
            if one.digest == digest and one.path:
                return f"has the same content as {one.name}"
        with self._lock:
            waiting = [
                one
                for job in self._jobs.values()
                if job.index == index and not job.ended
                for one in job.files
            ]
        for one in waiting:
            if one.digest == digest and one.path:
                return f"has the same content as {one.name}, which is being added"
        known = same_content(folder, digest)
        return f"is in the index already, as {Path(known.path).name}" if known else ""

    def _start(self, job: Job) -> None:
        with self._lock:
            ended = [one.id for one in self._jobs.values() if one.ended]
            for id in ended[: max(0, len(self._jobs) + 1 - MOST_JOBS)]:
                del self._jobs[id]
            self._jobs[job.id] = job
            if not any(one.path for one in job.files):
                job.enter("done")
                return
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="anaphora-uploads", daemon=True
                )
                self._thread.start()
        self._queue.put(job)

    def _work(self) -> None:
        while not self._closing.is_set():
            job = self._queue.get()
            if job is None:
                return
            try:
                self._add(job)
            except IndexBusy as error:
                job.enter("waiting", f"{error}; the upload continues by itself")
                self._closing.wait(_RETRY)
                self._queue.put(job)
            except Exception as error:
                if self._closing.is_set():
                    return
                known = isinstance(error, AnaphoraError | Problem)
                if not known:
                    _log.exception("an upload failed")
                self._give_up(job, str(error) if known else "an unexpected error occurred")

    def _add(self, job: Job) -> None:
        """Brings the index up to date with its uploads."""
        with self._indexes.opened(job.index) as index:
            encoder = index.encoder
        folder = self._indexes.folders[job.index]
        engine = self._indexes.configs[DEFAULT].index
        root = self.root(job.index)
        reading = ""
        limit: threading.Timer | None = None
        late = False

        def stop(child: Isolated) -> None:
            nonlocal late
            late = True
            child.close()

        def hear(what: str, *values: Any) -> None:
            nonlocal reading, limit, late
            if limit:
                limit.cancel()
            if what == "file":
                doc_id, reason = values
                reading = doc_id if reason is None else ""
                if reading and self._child:
                    # The next file must not wait for ever for one that was made to be slow.
                    limit = threading.Timer(_FILE_SECONDS, stop, (self._child,))
                    limit.daemon, late = True, False
                    limit.start()
                state: FileState = "skipped" if reason else "done"
                job.report(doc_id, "reading" if reason is None else state, reason or "")
            elif values[0] == "encoding":
                job.enter("encoding", "", *values[1:])

        job.enter("reading")
        while True:
            self._child = Isolated()
            try:
                skipped: list[tuple[str, str]] = self._child.run(
                    ingest, folder, engine, root, encoder, emit=hear
                )
                break
            except ChildEnded as ended:
                if self._closing.is_set() or not reading:
                    raise AnaphoraError("the process that reads uploads has ended") from None
                # The file would end the next process too.
                slow = late or ended.spent
                reason = "takes too long to be read" if slow else "is damaged: its reader crashed"
                job.report(reading, "skipped", reason)
                for file in job.files:
                    if file.doc_id == reading:
                        _restore(file, root)
                # One of another job, or of a server before this one.
                if not any(file.doc_id == reading for file in job.files):
                    _delete(root.parent / reading, root)
            finally:
                if limit:
                    limit.cancel()
                self._child.close()
                self._child = None
        self._end(job, root, skipped)

    def _end(self, job: Job, root: Path, skipped: list[tuple[str, str]]) -> None:
        for file in job.files:
            if file.path is None:
                continue
            parts = [
                f"{name.removeprefix(f'{file.doc_id}, ')} {reason}"
                for name, reason in skipped
                if name.startswith(f"{file.doc_id}, ")
            ]
            if parts:
                more = f", and {len(parts) - 1} more" if len(parts) > 1 else ""
                job.report(file.doc_id, file.state, f"{parts[0]}{more}")
            elif file.state in ("waiting", "reading"):
                job.report(file.doc_id, "skipped", "was not read")
            if file.state == "skipped":
                _restore(file, root)
            elif file.before:
                file.before.unlink(missing_ok=True)
        job.enter("done")

    def _give_up(self, job: Job, reason: str) -> None:
        """Ends a job that failed: what the index does not hold is not kept."""
        folder, root = self._indexes.folders[job.index], self.root(job.index)
        for file in job.files:
            if file.path and not _is_read(folder, file.path):
                _restore(file, root)
                job.report(file.doc_id, "skipped", "was not added")
        job.enter("failed", reason)

    def _resume(self) -> None:
        """Adds what a server that was stopped had stored and not yet added."""
        for index, folder in self._indexes.folders.items():
            root = self.root(index)
            found = sorted(path for path in root.rglob("*") if path.is_file())
            files = [
                UploadedFile(path.relative_to(root).as_posix(), path.stat().st_size, path=path)
                for path in found
                if not _is_read(folder, path)
            ]
            if files:
                self._start(Job(uuid4().hex, index, "", files))

    def _sweep(self) -> None:
        """Deletes what uploads to a server that was killed have left."""
        for name in (_INCOMING, _REPLACED):
            with suppress(OSError):
                for path in (self._folder / name).iterdir():
                    if time.time() - path.stat().st_ctime > _LEFT_OVER:
                        shutil.rmtree(path, ignore_errors=True)
                        path.unlink(missing_ok=True)


@dataclass(slots=True)
class _Received:
    """A file of a request, in the folder for what comes in."""

    name: PurePosixPath
    path: Path
    size: int = 0
    problem: str = ""
    head: bytes = b""
    digest: bytes = b""

    @property
    def declared(self) -> Any:
        return SUFFIXES.get(self.name.suffix.lower(), "text")


class _Form:
    """The files of a form (RFC 7578) as its bytes come in.

    Attributes:
        received: bytes of the request so far; `stored` of them are in files.

    Raises:
        Problem: the bytes are no such form.
    """

    def __init__(self, content_type: str, folder: Path, most_bytes: int) -> None:
        kind, options = parse_options_header(content_type)
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise Problem(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "documents are uploaded as a form: send 'multipart/form-data' with files",
            )
        self.files: list[_Received] = []
        self.received = 0
        self.replace = False
        self.stored = 0
        self._folder = folder
        self._most_bytes = most_bytes
        self._file: BinaryIO | None = None
        self._total = hashlib.blake2b(digest_size=16)
        self._field = b""
        self._value = b""
        self._headers: dict[bytes, bytes] = {}
        self._complete = False
        self._is_file = False
        self._answer = b""
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._header_field,
                    "on_header_value": self._header_value,
                    "on_header_end": self._header_end,
                    "on_headers_finished": self._open,
                    "on_part_data": self._data,
                    "on_part_end": self._close_file,
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise _malformed(error) from error

    def feed(self, chunk: bytes) -> None:
        self.received += len(chunk)
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _malformed(error) from error

    def finish(self) -> None:
        if not self._complete:
            raise Problem(HTTPStatus.BAD_REQUEST, "the upload is cut short; nothing was stored")
        if not self.files:
            raise Problem(HTTPStatus.BAD_REQUEST, "the form holds no file")

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._headers = {}

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._field.lower()] = self._value
        self._field = self._value = b""

    def _open(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        name = options.get(b"filename")
        self._is_file = name is not None
        if name is None:
            self._answer = b""
            field = options.get(b"name", b"").decode(errors="replace")
            if field != "replace":
                raise Problem(
                    HTTPStatus.UNPROCESSABLE_ENTITY, f"the form's field {field!r} is not a file"
                )
            return
        if len(self.files) == MOST_FILES:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"a request may hold {MOST_FILES} files: upload the others in another one",
            )
        path = self._folder / str(len(self.files))
        self.files.append(_Received(safe_path(name.decode(errors="replace")), path))
        self._file = path.open("wb")
        self._total = hashlib.blake2b(digest_size=16)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._answer = (self._answer + data[start:end])[:_LONGEST]
            return
        one, part = self.files[-1], data[start:end]
        one.size += len(part)
        self.stored += len(part)
        if one.size > self._most_bytes:
            if self._file and not one.problem:
                self._file.truncate(0)
            one.problem = f"is larger than {_megabytes(self._most_bytes)}"
            return
        if len(one.head) < HEAD:
            one.head = (one.head + part)[:HEAD]
        self._total.update(part)
        assert self._file
        self._file.write(part)

    def _close_file(self) -> None:
        if not self._is_file:
            if self._answer not in (b"true", b"false"):
                raise Problem(
                    HTTPStatus.UNPROCESSABLE_ENTITY,
                    "the form's field 'replace' must be 'true' or 'false'",
                )
            self.replace = self._answer == b"true"
            return
        one = self.files[-1]
        one.digest = self._total.digest()
        if not one.size:
            one.problem = "is empty"
        self.close()

    def _end(self) -> None:
        self._complete = True


def _malformed(error: FormParserError) -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, f"the form cannot be read ({error})")


def _not_stored(error: OSError, folder: Path) -> Problem:
    if error.errno in _FULL:
        return Problem(
            HTTPStatus.INSUFFICIENT_STORAGE,
            "the server's disk is full; nothing was stored",
        )
    _log.error("uploads cannot be stored in %s", folder, exc_info=error)
    return Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        f"the server cannot store files ({error.strerror}); nothing was stored",
    )


def _place(staged: Path, root: Path, name: PurePosixPath) -> Path:
    """Moves a file to its place, or to one with a number if there is another file."""
    number = 1
    while True:
        target = root / (name if number == 1 else numbered(name, number))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            name = PurePosixPath(name.name)  # a folder has the name of an earlier file
            continue
        try:
            # Another server may choose the same name: the one that creates the file has it.
            target.open("xb").close()
        except (FileExistsError, IsADirectoryError):
            number += 1
            continue
        try:
            staged.replace(target)
        except OSError:
            target.unlink()
            raise
        return target


def _delete(file: Path, root: Path) -> None:
    """Deletes a file, and the folders below the root that are empty then."""
    with suppress(OSError):
        file.unlink()
        for folder in file.parents:
            if folder == root:
                break
            folder.rmdir()


def _restore(file: UploadedFile, root: Path) -> None:
    """Deletes a file that was not read, and puts back the one that it replaced."""
    if file.before and file.before.is_file():
        file.before.replace(file.path or root / file.name)
    elif file.path:
        _delete(file.path, root)


def _is_read(folder: Path, path: Path) -> bool:
    """Whether the index knows a file as it is now."""
    known = record_of(folder, path_text(path))
    stat = path.stat() if path.is_file() else None
    return bool(known and stat and (known.size, known.mtime_ns) == (stat.st_size, stat.st_mtime_ns))


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:g} MB"
