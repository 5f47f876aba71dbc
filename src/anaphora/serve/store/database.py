"""The database of the service: one SQLite file that only its user can read."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from anaphora.errors import AnaphoraError
from anaphora.serve.store.migrations import MIGRATIONS

NAME: Final = "serve.sqlite"
WAIT_SECONDS: Final = 10.0
"""How long a transaction waits for that of another server on the same file."""

Row: TypeAlias = tuple[Any, ...]


class StoreFull(AnaphoraError):
    """The disk is full: nothing of the transaction was stored, and nothing earlier is damaged."""


class StoreBusy(AnaphoraError):
    """Another process writes for longer than `WAIT_SECONDS`."""


class StoreDamaged(AnaphoraError):
    """The file is not a database of this service, or altered."""


class Database:
    """Short transactions on one file, from any thread and from several processes.

    The write-ahead log is synchronised at every commit, so that a finished transaction survives a
    kill of the process and a loss of power.

    Args:
        folder: created, readable by its user alone, if it does not exist.

    Raises:
        StoreFull, StoreBusy, StoreDamaged: as every method.
        AnaphoraError: the folder cannot be written, or a newer version made the file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._idle: list[sqlite3.Connection] = []
        self._writing = threading.Lock()
        self._counting = threading.Lock()
        self._asked_to_purge = 0
        self._purged = 0
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # SQLite gives the write-ahead log the permissions of the database.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self.path.chmod(0o600)
        except OSError as error:
            raise AnaphoraError(
                f"the folder {folder} cannot be written: {error.strerror}; "
                "name another one in the setting 'serve.folder'"
            ) from error
        self._migrate()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One snapshot. Fetch all rows before leaving: an open snapshot keeps deleted texts in the
        write-ahead log."""
        with self._sentences():
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, undone if the block raises."""
        with self._sentences(), self._writing:
            connection = self._take()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            finally:
                self._give_back(connection)

    def purge(self) -> None:
        """Removes what was deleted from the files.

        `secure_delete` overwrites deleted rows, but not copies of them that stay in unused parts of
        pages when SQLite moves entries between pages: docs/decisions/store.md. So the file is
        written again, once for all that wait.
        """
        with self._counting:
            self._asked_to_purge += 1
            own = self._asked_to_purge
        with self._sentences(), self._writing:
            if self._purged >= own:
                return
            begun = self._asked_to_purge
            connection = self._take()
            try:
                connection.execute("VACUUM")
                (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self._give_back(connection)
            if busy:
                raise sqlite3.OperationalError("database is locked")
            self._purged = begun

    def close(self) -> None:
        """Closes the idle connections; the last one of all processes removes the log."""
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return connect(self.path)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                # SQLite has already undone it after some errors.
                connection.execute("ROLLBACK")
        self._idle.append(connection)

    def _migrate(self) -> None:
        with self.writing() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > len(MIGRATIONS):
                raise AnaphoraError(
                    f"{self.path} was made by a newer version of Anaphora; "
                    "update Anaphora or name another 'serve.folder'"
                )
            for statements in MIGRATIONS[version:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error_of(error) from error

    def _error_of(self, error: sqlite3.Error) -> AnaphoraError:
        reason = str(error)
        if "full" in reason or "disk I/O" in reason:
            return StoreFull(
                f"the disk of {self.path} is full or fails, and nothing was stored; "
                "free some space and try again"
            )
        if "locked" in reason or "busy" in reason:
            return StoreBusy(f"another process is writing to {self.path}; try again in a moment")
        if "malformed" in reason or "not a database" in reason:
            return StoreDamaged(
                f"{self.path} is damaged; move it away, and restore a copy if there is one"
            )
        return AnaphoraError(f"{self.path} cannot be used: {reason}")


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose transactions are begun and ended by the caller."""
    connection = sqlite3.connect(
        path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection
