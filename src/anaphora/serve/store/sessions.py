"""Sessions of browsers, and the tokens of the addresses that begin one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from anaphora.serve.security.clients import SCOPES, Client
from anaphora.serve.store.database import Database
from anaphora.serve.store.keys import Keys, scopes_of
from anaphora.serve.store.secrets import matches, new_secret, parted

TOKEN_SECONDS: Final = 600.0
SESSION_SECONDS: Final = 7 * 86_400.0
SESSIONS: Final = 100
"""Of one key; a new one ends the oldest."""
LOCAL: Final = Client("local", frozenset(SCOPES), "local")
"""The person who started the server."""


class Sessions:
    """One-time tokens, and the sessions that they or keys begin. A restart ends none."""

    def __init__(
        self, database: Database, keys: Keys, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._keys = keys
        self._clock = clock

    def start_token(self) -> str:
        """A token that begins one session of the owner "local" within some minutes."""
        token, now = new_secret(), self._clock()
        with self._database.writing() as connection:
            connection.execute("DELETE FROM starts WHERE expires <= ?", (now,))
            connection.execute(
                "INSERT INTO starts VALUES (?, ?, ?)", (token.id, token.hash, now + TOKEN_SECONDS)
            )
        return token.text

    def redeem(self, token: str) -> str | None:
        """A new session; None for a token that is unknown, used or too old."""
        both = parted(token)
        if both is None:
            return None
        id, random = both
        with self._database.writing() as connection:
            row = connection.execute(
                "SELECT hash, expires FROM starts WHERE id = ?", (id,)
            ).fetchone()
            if row is None or not matches(random, row[0]):
                return None
            connection.execute("DELETE FROM starts WHERE id = ?", (id,))
        return self._begin(None) if self._clock() < row[1] else None

    def sign_in(self, key: str) -> str | None:
        """A new session of the key's owner; None for a key that is not valid."""
        found = self._keys.find(key)
        return self._begin(found[0]) if found else None

    def _begin(self, key: int | None) -> str:
        session, now = new_secret(), self._clock()
        with self._database.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE expires <= ?", (now,))
            # A key that signs in without end does not fill the disk.
            connection.execute(
                "DELETE FROM sessions WHERE key = ? AND id NOT IN (SELECT id FROM sessions"
                " WHERE key = ? ORDER BY expires DESC LIMIT ?)",
                (key, key, SESSIONS - 1),
            )
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?)",
                (session.id, session.hash, key, now + SESSION_SECONDS),
            )
        return session.text

    def client(self, session: str) -> Client | None:
        """Whose session it is; None if it is none, or over. The end of its key ends it."""
        both = parted(session)
        if both is None:
            return None
        id, random = both
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT s.hash, s.expires, s.key, k.id, k.name, k.scopes, k.expires FROM sessions s"
                " LEFT JOIN keys k ON k.number = s.key WHERE s.id = ?",
                (id,),
            ).fetchone()
        if row is None or not matches(random, row[0]):
            return None
        _, expires, key, owner, name, scopes, key_expires = row
        now = self._clock()
        if now >= expires or (key_expires is not None and now >= key_expires):
            return None
        return LOCAL if key is None else Client(owner, frozenset(scopes_of(scopes)), name)

    def end(self, session: str) -> None:
        """Signs out; a session that is over already is no error."""
        both = parted(session)
        if both and self.client(session):
            with self._database.writing() as connection:
                connection.execute("DELETE FROM sessions WHERE id = ?", (both[0],))
