"""Errors in the form of the OpenAI API."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anaphora.serve.problems import MEDIA_TYPE, Problem, problem_of

PREFIX: Final = "/v1/"
_CODES: Final = {
    HTTPStatus.UNAUTHORIZED: ("authentication_error", "invalid_api_key"),
    HTTPStatus.FORBIDDEN: ("permission_error", "insufficient_permissions"),
    HTTPStatus.NOT_FOUND: ("invalid_request_error", "not_found"),
    HTTPStatus.TOO_MANY_REQUESTS: ("rate_limit_error", "rate_limit_exceeded"),
    HTTPStatus.SERVICE_UNAVAILABLE: ("server_error", "service_unavailable"),
}


class OpenAIErrors:
    """Middleware that gives the problems under `/v1/` the form of the OpenAI API.

    It stands around all others, so that theirs have that form too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, _Translation(send))


class _Translation:
    """Sends the messages of a response; the body of a problem is gathered and translated."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            kind = Headers(raw=message["headers"]).get("content-type", "")
            if kind.startswith(MEDIA_TYPE):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)
            return
        await self._send(message)

    async def _finish(self, start: Message) -> None:
        problem = json.loads(self._body)
        status = HTTPStatus(start["status"])
        if status is HTTPStatus.UNPROCESSABLE_ENTITY:
            status = HTTPStatus.BAD_REQUEST
        body = json.dumps(
            error_of(status, problem["detail"], problem.get("param", "")), ensure_ascii=False
        ).encode()
        start["status"] = int(status)
        headers = MutableHeaders(raw=start["headers"])
        headers["content-type"] = "application/json"
        headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def error_of(status: int, detail: str, param: str = "") -> dict[str, Any]:
    """The object of an error.

    >>> error_of(400, "'n' must be 1", "n")["error"]["type"]
    'invalid_request_error'
    """
    usual = ("server_error" if status >= 500 else "invalid_request_error", None)
    kind, code = _CODES.get(HTTPStatus(status), usual)
    if code == "not_found" and param == "model":
        code = "model_not_found"
    return {"error": {"message": detail, "type": kind, "param": param or None, "code": code}}


def streamed(error: Exception) -> dict[str, Any]:
    """The object of an error in a stream that has begun."""
    problem: Problem = problem_of(error)
    return error_of(problem.status, problem.detail, problem.param)
