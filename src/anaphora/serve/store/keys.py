"""Keys of programs and of other people."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from anaphora.errors import UsageError
from anaphora.registry import suggestion
from anaphora.serve.security.clients import SCOPES, Client, Scope
from anaphora.serve.store.database import Database
from anaphora.serve.store.secrets import matches, new_secret, parted

PREFIX: Final = "anaphora_"
DAY: Final = 86_400.0
USED: Final = 60.0
"""Seconds within which the last use of a key is not written again."""
_NAME: Final = 100  # characters


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is listed; times are seconds since 1970, None for never.

    Attributes:
        id: the owner of what is stored for it.
    """

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: float
    expires: float | None
    used: float | None


class Keys:
    """The keys of a store. Every use asks the database, so that a key that another process revokes
    is refused at once."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add(self, name: str, scopes: Sequence[str], days: float | None = None) -> str:
        """Makes a key. This is the only time that it can be read.

        Args:
            days: after which it expires; None for never.

        Raises:
            UsageError: the name is in use or cannot be one, or there is no such scope.
        """
        if not 0 < len(name) <= _NAME or not name.isprintable() or not name.strip():
            raise UsageError(f"a key cannot be named {name!r}: use 1 to 100 visible characters")
        if not scopes:
            raise UsageError(f"a key needs a scope: {', '.join(SCOPES)}")
        for scope in scopes:
            if scope not in SCOPES:
                raise UsageError(f"there is no scope {scope!r}; {suggestion(scope, SCOPES)}")
        if days is not None and not 0 < days < 100_000:
            raise UsageError(f"a key cannot expire after {days:g} days; give more than 0")
        secret, now = new_secret(PREFIX), self._clock()
        expires = None if days is None else now + days * DAY
        kept = ",".join(scope for scope in SCOPES if scope in scopes)
        with self._database.writing() as connection:
            if connection.execute("SELECT 1 FROM keys WHERE name = ?", (name,)).fetchone():
                raise UsageError(
                    f"there is a key {name!r} already; revoke it or choose another name"
                )
            connection.execute(
                "INSERT INTO keys (id, name, hash, scopes, created, expires)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (secret.id, name, secret.hash, kept, now, expires),
            )
        return secret.text

    def listed(self) -> list[Key]:
        """All keys, the oldest first; expired ones too."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, scopes, created, expires, used FROM keys ORDER BY number"
            ).fetchall()
        return [Key(id, name, scopes_of(scopes), *times) for id, name, scopes, *times in rows]

    def revoke(self, name: str) -> None:
        """Ends a key and the sessions that were begun with it, at once.

        What was stored for its owner stays, and can be read by nobody any more: what it shared is
        shared no longer.

        Raises:
            UsageError: there is no such key.
        """
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE conversations SET share = NULL WHERE owner ="
                " (SELECT id FROM keys WHERE name = ?)",
                (name,),
            )
            removed = connection.execute("DELETE FROM keys WHERE name = ?", (name,)).rowcount
        if not removed:
            known = [key.name for key in self.listed()]
            advice = suggestion(name, known) if known else "there is none at all"
            raise UsageError(f"there is no key {name!r}; {advice}")

    def client(self, text: str) -> Client | None:
        """Whose key it is; None if it is none, or expired, or revoked."""
        found = self.find(text)
        return found[1] if found else None

    def find(self, text: str) -> tuple[int, Client] | None:
        """As `client`, with the row of the key."""
        both = parted(text, PREFIX)
        if both is None:
            return None
        id, random = both
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT number, hash, name, scopes, expires, used FROM keys WHERE id = ?", (id,)
            ).fetchone()
        if row is None or not matches(random, row[1]):
            return None
        number, _, name, scopes, expires, used = row
        now = self._clock()
        if expires is not None and now >= expires:
            return None
        if used is None or abs(now - used) >= USED:
            self._note_use(number, now)
        return number, Client(id, frozenset(scopes_of(scopes)), name)

    def _note_use(self, number: int, now: float) -> None:
        with self._database.writing() as connection:
            connection.execute("UPDATE keys SET used = ? WHERE number = ?", (now, number))


def scopes_of(text: str) -> tuple[Scope, ...]:
    """The scopes of a stored list."""
    return tuple(scope for scope in SCOPES if scope in text.split(","))
