"""The client of a request, and what it may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal, TypeAlias

from fastapi import Request

from anaphora.serve.problems import Problem

Scope: TypeAlias = Literal["ask", "search", "ingest", "admin"]
SCOPES: Final[tuple[Scope, ...]] = ("ask", "search", "ingest", "admin")


@dataclass(frozen=True, slots=True)
class Client:
    """Who a key or a session identifies.

    Attributes:
        owner: owns conversations, uploads and feedback: the id of a key, or "local" for the person
            who started the server.
        scopes: what it may do; "admin" includes the others.
        name: for people.
    """

    owner: str
    scopes: frozenset[Scope]
    name: str = ""

    def may(self, scope: Scope) -> bool:
        return scope in self.scopes or "admin" in self.scopes


def unidentified() -> Problem:
    """What a request without an identity gets."""
    return Problem(
        HTTPStatus.UNAUTHORIZED,
        "this request needs a key or a session: open the address that the server printed, "
        "or send a key made by 'anaphora keys add'",
        {"WWW-Authenticate": "Bearer"},
    )


def identified(request: Request) -> Client:
    """A dependency of routes: the client, whatever it may do.

    The middleware of `security` finds the identity and sets `request.state.client`.

    Raises:
        Problem: 401 without an identity.
    """
    client: Client | None = getattr(request.state, "client", None)
    if client is None:
        raise unidentified()
    return client


def require(*scopes: Scope) -> Callable[[Request], Client]:
    """A dependency of routes: the client, which must have one of the scopes.

    Raises:
        Problem: 401 without an identity, 403 without such a scope.
    """

    def client_of(request: Request) -> Client:
        client = identified(request)
        if not any(client.may(scope) for scope in scopes):
            raise Problem(
                HTTPStatus.FORBIDDEN, f"the key {client.name!r} lacks the scope {scopes[0]!r}"
            )
        return client

    return client_of
