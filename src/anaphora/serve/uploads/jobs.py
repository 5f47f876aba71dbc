"""The jobs of uploads: what becomes of each file."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

ROOT: Final = "uploads"
"""The ids of uploaded documents begin with it."""

FileState: TypeAlias = Literal["waiting", "reading", "done", "skipped"]
JobState: TypeAlias = Literal["waiting", "reading", "encoding", "done", "failed"]


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
        return f"{ROOT}/{self.name}"

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
