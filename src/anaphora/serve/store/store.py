"""All that one server keeps."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.database import Database


@dataclass(frozen=True, slots=True)
class Store:
    """The parts of a database.

    Attributes:
        conversations: None where the settings say that none are stored.
    """

    database: Database
    conversations: Conversations | None

    @classmethod
    def open(cls, settings: ServeSettings) -> Store:
        """The store in the folder of the settings.

        Raises:
            AnaphoraError: it cannot be opened; the message says why.
        """
        database = Database(settings.folder)
        return cls(database, Conversations(database) if settings.conversations else None)

    def close(self) -> None:
        self.database.close()
