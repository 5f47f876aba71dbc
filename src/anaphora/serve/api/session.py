"""Signing in and out."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field, SecretStr
from starlette.responses import JSONResponse, RedirectResponse, Response

from anaphora.serve import forms
from anaphora.serve.forms import Form
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import SCOPES, Client, Scope, identified
from anaphora.serve.security.identity import cookie_name, session_of
from anaphora.serve.services import Services, services
from anaphora.serve.store.sessions import SESSION_SECONDS

router = APIRouter(prefix="/api/v1", tags=["session"], responses=forms.EVERY)
start_router = APIRouter(include_in_schema=False)

Shared = Annotated[Services, Depends(services)]


class SignIn(Form):
    key: SecretStr = Field(max_length=200)


class SessionForm(BaseModel):
    """A client. `conversations` says whether the server stores conversations."""

    name: str
    scopes: list[Scope]
    conversations: bool


@router.get("/session", response_model=SessionForm)
def get_session(client: Annotated[Client, Depends(identified)], shared: Shared) -> JSONResponse:
    """Who one is for the server, and what one may do."""
    return JSONResponse(_session(client, shared))


@router.post("/session", status_code=HTTPStatus.CREATED, response_model=SessionForm)
def sign_in(body: SignIn, request: Request, shared: Shared) -> JSONResponse:
    """Begins a session with a key; the response sets its cookie."""
    session = shared.sessions.sign_in(body.key.get_secret_value())
    client = shared.sessions.client(session) if session else None
    if session is None or client is None:
        raise Problem(
            HTTPStatus.UNAUTHORIZED,
            "this key is not valid: it may be mistyped, expired or revoked",
            {"WWW-Authenticate": "Bearer"},
        )
    shared.sessions.end(session_of(request.scope))  # nobody could sign out of it any more
    response = JSONResponse(_session(client, shared), HTTPStatus.CREATED)
    _set_cookie(request, response, session)
    return response


@router.delete("/session", status_code=HTTPStatus.NO_CONTENT)
def sign_out(request: Request, shared: Shared) -> Response:
    """Ends the session of the cookie."""
    shared.sessions.end(session_of(request.scope))
    response = Response(status_code=HTTPStatus.NO_CONTENT)
    response.delete_cookie(
        cookie_name(request.scope), secure=_secure(request), httponly=True, samesite="strict"
    )
    return response


@start_router.get("/start")
def start(request: Request, shared: Shared, token: str = "") -> Response:
    """Begins the session of the person who started the server."""
    session = shared.sessions.redeem(token)
    if session is None:
        raise Problem(
            HTTPStatus.UNAUTHORIZED,
            "this address was used already or is too old; start the server again for a new one",
        )
    response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    _set_cookie(request, response, session)
    return response


def _session(client: Client, shared: Services) -> dict[str, Any]:
    scopes = [scope for scope in SCOPES if client.may(scope)]
    return {
        "name": client.name,
        "scopes": scopes,
        "conversations": shared.store.conversations is not None,
    }


def _set_cookie(request: Request, response: Response, session: str) -> None:
    response.set_cookie(
        cookie_name(request.scope),
        session,
        max_age=int(SESSION_SECONDS),
        secure=_secure(request),
        httponly=True,
        samesite="strict",
    )


def _secure(request: Request) -> bool:
    return bool(request.scope.get("scheme") == "https")
