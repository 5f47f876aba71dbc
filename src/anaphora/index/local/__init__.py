"""The built-in index engine: SQLite for the texts, memory-mapped segments for search."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anaphora.index.local.index import LocalIndex
    from anaphora.index.local.writer import LocalWriter


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Implements `anaphora.index.Engine` for index folders. Modules are imported on first use."""

    def has_index(self, location: Path) -> bool:
        from anaphora.index.local.database import database_path

        return database_path(location) is not None

    def open_index(self, location: Path) -> LocalIndex:
        from anaphora.index.local.index import LocalIndex

        return LocalIndex(location)

    def open_writer(self, location: Path, *, create: bool) -> LocalWriter:
        from anaphora.index.local.writer import LocalWriter

        return LocalWriter(location, create=create)
