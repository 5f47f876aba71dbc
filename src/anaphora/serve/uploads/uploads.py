"""Files from clients, stored and added to the indexes in the background."""

from __future__ import annotations

import errno
import logging
import os
import queue
import shutil
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from starlette.concurrency import run_in_threadpool

from anaphora.errors import AnaphoraError, IndexBusy
from anaphora.index import final_encoder
from anaphora.ingest.kinds import sniff
from anaphora.ingest.ledger import same_content
from anaphora.serve.indexes import DEFAULT, Indexes
from anaphora.serve.ingestion import ingest
from anaphora.serve.isolated import ChildEnded, Isolated
from anaphora.serve.problems import Problem
from anaphora.serve.settings import ServeSettings
from anaphora.serve.uploads.filenames import safe_path, with_suffix_of
from anaphora.serve.uploads.files import delete, is_read, megabytes, place, restore, size_of
from anaphora.serve.uploads.form import MOST_FILES, Form
from anaphora.serve.uploads.jobs import ROOT, FileState, Job, UploadedFile

MOST_JOBS: Final = 500
"""Jobs that are remembered; the oldest that have ended are forgotten."""

_INCOMING = ".incoming"  # no index has this name: `safe_path` begins none with a dot
_REPLACED = ".replaced"
_LEFT_OVER = 86_400  # seconds after which an unfinished upload is that of a server that was killed
_OVERHEAD = 10_000 * MOST_FILES  # bytes of a request apart from its files
_RETRY = 2.0  # seconds
_FILE_SECONDS = 600.0  # in which one file must be read
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_log = logging.getLogger(__name__)


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
        self._arriving: dict[str, list[Form]] = {}
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
        return self._folder / safe_path(index) / ROOT

    def discard(self, index: str, path: str) -> None:
        """Deletes the file of a document that was removed, if it was uploaded."""
        root, file = self.root(index), Path(path)
        if root in file.parents:
            delete(file, root)

    async def receive(
        self, index: str, owner: str, headers: Mapping[str, str], body: AsyncIterator[bytes]
    ) -> str:
        """Stores the files of a request and starts a job that adds them; returns its id.

        Raises:
            Problem: the request is cut short, too large or no form; or the disk is full. Nothing
                is stored then.
        """
        room = self._most_in_all - await run_in_threadpool(size_of, self.root(index))
        forms = self._arriving.setdefault(index, [])
        length = headers.get("content-length", "")[:20]
        if length.isascii() and length.isdigit() and int(length) > room + _OVERHEAD:
            raise self._no_room(index)
        staging = self._folder / _INCOMING / uuid4().hex
        form = Form(headers.get("content-type", ""), staging, self._most_bytes)
        forms.append(form)
        try:
            try:
                await run_in_threadpool(staging.mkdir, parents=True)
                async for chunk in body:
                    await run_in_threadpool(form.feed, chunk)
                    # Those that arrive at the same time share the room.
                    if sum(one.received for one in forms) > room + _OVERHEAD:
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
            f"the uploads of the index {index!r} may take {megabytes(self._most_in_all)} in all: "
            "delete documents first, or raise the setting 'serve.uploads_bytes'",
        )

    def _take(self, index: str, owner: str, form: Form) -> Job:
        """Gives the files their places among the uploads.

        Raises:
            Problem: others have taken the room meanwhile.
        """
        with self._taking:
            return self._taken(index, owner, form)

    def _taken(self, index: str, owner: str, form: Form) -> Job:
        root, folder = self.root(index), self._indexes.folders[index]
        if size_of(root) + form.stored > self._most_in_all:
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
                file.path = place(one.path, root, path)
                file.name = file.path.relative_to(root).as_posix()
        except OSError:
            for file in files:
                restore(file, root)
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
            encoder, sparse = final_encoder(index), index.sparse_encoder
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
            elif values[0] in ("first encoding", "encoding"):
                job.enter("encoding", "", *values[1:])

        job.enter("reading")
        while True:
            self._child = Isolated()
            try:
                skipped: list[tuple[str, str]] = self._child.run(
                    ingest, folder, engine, root, encoder, sparse, emit=hear
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
                        restore(file, root)
                # One of another job, or of a server before this one.
                if not any(file.doc_id == reading for file in job.files):
                    delete(root.parent / reading, root)
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
                restore(file, root)
            elif file.before:
                file.before.unlink(missing_ok=True)
        job.enter("done")

    def _give_up(self, job: Job, reason: str) -> None:
        """Ends a job that failed: what the index does not hold is not kept."""
        folder, root = self._indexes.folders[job.index], self.root(job.index)
        for file in job.files:
            if file.path and not is_read(folder, file.path):
                restore(file, root)
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
                if not is_read(folder, path)
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
