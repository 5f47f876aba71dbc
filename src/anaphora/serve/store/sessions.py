"""Sessions of browsers, and the tokens of the addresses that begin one.

They are kept in memory only: a new start of the server needs a new address.
"""

from __future__ import annotations

import secrets
import threading
from time import monotonic
from typing import Final

from anaphora.serve.security.clients import SCOPES, Client

TOKEN_SECONDS: Final = 600.0
LOCAL: Final = Client("local", frozenset(SCOPES), "local")
"""The person who started the server."""


class Sessions:
    """One-time tokens and the sessions that they begin."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: dict[str, float] = {}
        self._clients: dict[str, Client] = {}

    def start_token(self) -> str:
        """A token that begins one session of the owner "local" within some minutes."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._tokens[token] = monotonic() + TOKEN_SECONDS
        return token

    def redeem(self, token: str) -> str | None:
        """The id of a new session; None for a token that is unknown, used or too old."""
        with self._lock:
            until = self._tokens.pop(token, 0.0)
            if monotonic() > until:
                return None
            session = secrets.token_urlsafe(24)
            self._clients[session] = LOCAL
            return session

    def client(self, session: str) -> Client | None:
        with self._lock:
            return self._clients.get(session)
