"""The lock that lets one process at a time write an index."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from anaphora.errors import IndexBusy
from anaphora.index.local.database import explain

_LOCK = "lock.sqlite"


class Lock:
    """Held by the writing process; the system frees it when the process ends, however it ends.

    Raises:
        IndexBusy: another process holds it.
    """

    def __init__(self, folder: Path) -> None:
        try:
            # `is_locked` of another process may hold the file for a moment.
            self._db = sqlite3.connect(folder / _LOCK, isolation_level=None, timeout=0.2)
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if "locked" not in str(error):
                raise explain(error, folder) from error
            raise IndexBusy(
                f"another process is writing the index {folder}; try again when it has finished"
            ) from error

    def release(self) -> None:
        self._db.close()


def is_locked(folder: Path) -> bool:
    """Whether a writer, of this process or another, holds the lock of an index."""
    path = folder / _LOCK
    if not path.is_file():
        return False
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)
        ) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False
