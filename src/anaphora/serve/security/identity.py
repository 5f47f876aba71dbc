"""Who sends a request, whether the page of another site makes it, and how often it comes."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Final

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anaphora.serve.problems import Problem, problem_response
from anaphora.serve.security.clients import Client, unidentified
from anaphora.serve.security.limits import Limit, network_of
from anaphora.serve.store.store import Store

COOKIE: Final = "anaphora_session"
SECURE_COOKIE: Final = "__Host-anaphora_session"
"""Browsers take a cookie with this prefix from the server itself over HTTPS only."""
PUBLIC: Final = frozenset(
    {"/", "/source", "/start", "/manifest.webmanifest", "/service-worker.js", "/healthz", "/readyz"}
)
PUBLIC_BELOW: Final = ("/page/", "/c/", "/s/")
"""The files of the page, which are the same for everybody; what they show needs an identity."""
SESSION: Final = "/api/v1/session"
FAILURES: Final = 30
"""Wrong keys, tokens and sessions a minute, from one address, before the answer is 429."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Identity:
    """Middleware that sets `request.state.client`, and refuses every request without a client that
    is not for the page's own files or for signing in. So a new route is closed until somebody asks
    for its scope.

    Args:
        per_minute: requests of a client, and of an address without a client; 0 for no limit.
    """

    def __init__(self, app: ASGIApp, store: Store, per_minute: int) -> None:
        self.app = app
        self.store = store
        self.requests = Limit(per_minute)
        self.failures = Limit(FAILURES)
        # Threads of its own: routes that wait for a disk or a file may hold all the others.
        self.threads = anyio.CapacityLimiter(4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            client = await self._checked(scope)
        except Problem as problem:
            await problem_response(problem)(scope, receive, send)
            return
        # In place: the log, which is outside, names the client and the route.
        scope["state"] = {**scope.get("state", {}), "client": client}
        await self.app(scope, receive, self._watched(scope, send))

    async def _checked(self, scope: Scope) -> Client | None:
        """The client, None where none is needed.

        Raises:
            Problem: the request is refused.
        """
        headers, path, peer = Headers(scope=scope), scope["path"], peer_of(scope)
        key, session = bearer(headers), session_of(scope)
        if key is None and (session or (path, scope["method"]) == (SESSION, "POST")):
            check_same_origin(scope, headers)
        if path == "/start":
            check_visited(headers)
        client = await anyio.to_thread.run_sync(self._client, key, session, limiter=self.threads)
        if path in PUBLIC - {"/start"} or path.startswith(PUBLIC_BELOW):
            return client
        refuse_after(self.requests.take(f"client {client.owner}" if client else f"peer {peer}"))
        if client is None:
            # A page may keep the cookie of a session that is over: that is no attempt.
            if key is not None or path in (SESSION, "/start"):
                refuse_after(self.failures.wait(peer))
            if key is not None:
                self.failures.take(peer)
            if (path, scope["method"]) != (SESSION, "POST") and path != "/start":
                raise unidentified()
        return client

    def _client(self, key: str | None, session: str) -> Client | None:
        """A key that is sent is decisive, also where the session of a cookie would do."""
        if key is not None:
            return self.store.keys.client(key)
        return self.store.sessions.client(session) if session else None

    def _watched(self, scope: Scope, send: Send) -> Send:
        """Counts keys and tokens that a route refuses."""
        if scope["path"] not in (SESSION, "/start"):
            return send

        async def watched(message: Message) -> None:
            refused = message.get("status") == HTTPStatus.UNAUTHORIZED
            if message["type"] == "http.response.start" and refused:
                self.failures.take(peer_of(scope))
            await send(message)

        return watched


def peer_of(scope: Scope) -> str:
    """The address that the request came from. A header about it counts only from the proxies of
    the settings, and is read by uvicorn."""
    return network_of((scope.get("client") or ("unknown", 0))[0])


def bearer(headers: Headers) -> str | None:
    """The key of the header `Authorization`; empty where that is of another kind."""
    given = headers.get("authorization")
    if given is None:
        return None
    scheme, _, key = given.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def cookie_name(scope: Scope) -> str:
    return SECURE_COOKIE if scope.get("scheme") == "https" else COOKIE


def session_of(scope: Scope) -> str:
    """The session of the cookie; may be empty."""
    cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
    return cookies.get(cookie_name(scope), "")


def check_same_origin(scope: Scope, headers: Headers) -> None:
    """Refuses what the page of another site, or of another port of this computer, makes a browser
    send with its cookie (cross-site request forgery).

    Raises:
        Problem: 403.
    """
    if not scope["path"].startswith("/api/") and scope["method"] in _SAFE:
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None and origin is not None:
        # An old browser, or an address without TLS.
        own = f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
        site = "same-origin" if origin == own else "cross-site"
    if site not in ("same-origin", "none", None):
        raise Problem(
            HTTPStatus.FORBIDDEN,
            "a page of another site made this request; open the server's own page, or send a key",
        )


def check_visited(headers: Headers) -> None:
    """Refuses the address of the start as an image or a frame of a page: a page of another site
    could use up the attempts of this computer's address, so that nobody signs in.

    Raises:
        Problem: 403.
    """
    if headers.get("sec-fetch-dest", "document") != "document":
        raise Problem(
            HTTPStatus.FORBIDDEN, "this address begins a session: open it in a browser's window"
        )


def refuse_after(wait: float) -> None:
    """Refuses a request if it must wait.

    Raises:
        Problem: 429, with the whole seconds to wait.
    """
    if wait:
        seconds = math.ceil(wait)
        raise Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"too many requests; try again in {seconds} s",
            {"Retry-After": str(seconds)},
        )
