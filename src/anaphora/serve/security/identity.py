"""Finds the client of each request by its session."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from anaphora.serve.problems import Problem
from anaphora.serve.store.sessions import Sessions

COOKIE = "anaphora_session"
router = APIRouter(include_in_schema=False)


class Identity:
    """Middleware that sets `request.state.client`."""

    def __init__(self, app: ASGIApp, sessions: Sessions) -> None:
        self.app = app
        self.sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
            client = self.sessions.client(cookies.get(COOKIE, ""))
            if client is not None:
                scope.setdefault("state", {})["client"] = client
        await self.app(scope, receive, send)


@router.get("/start")
def start(request: Request, token: str) -> Response:
    """Begins the session of the person who started the server."""
    session = request.app.state.services.sessions.redeem(token)
    if session is None:
        raise Problem(
            HTTPStatus.UNAUTHORIZED,
            "this address was used already or is too old; start the server again for a new one",
        )
    response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    response.set_cookie(COOKIE, session, httponly=True, samesite="strict")
    return response
