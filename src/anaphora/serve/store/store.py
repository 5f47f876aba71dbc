"""All that one server keeps."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from anaphora.serve.problems import Problem
from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.database import Database
from anaphora.serve.store.feedback import Feedback
from anaphora.serve.store.keys import Keys
from anaphora.serve.store.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Store:
    """The parts of a database.

    Attributes:
        conversations: None where the settings say that none are stored.
    """

    database: Database
    keys: Keys
    sessions: Sessions
    feedback: Feedback
    conversations: Conversations | None

    @classmethod
    def open(cls, settings: ServeSettings) -> Store:
        """The store in the folder of the settings.

        Raises:
            AnaphoraError: it cannot be opened; the message says why.
        """
        database = Database(settings.folder)
        keys = Keys(database)
        kept = Conversations(database) if settings.conversations else None
        return cls(database, keys, Sessions(database, keys), Feedback(database), kept)

    def kept(self) -> Conversations:
        """The conversations.

        Raises:
            Problem: 404, the settings say that none are stored.
        """
        if self.conversations is None:
            raise Problem(
                HTTPStatus.NOT_FOUND,
                "this server stores no conversations, because its setting 'serve.conversations' "
                "is off",
            )
        return self.conversations

    def close(self) -> None:
        self.database.close()
