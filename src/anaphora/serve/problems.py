"""Errors over HTTP: one JSON object with one sentence (RFC 9457, "Problem Details")."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from anaphora.errors import AnaphoraError, IndexDamaged, ModelUnavailable, UsageError
from anaphora.serve.store.conversations import NotFound
from anaphora.serve.store.database import StoreBusy, StoreDamaged, StoreFull

MEDIA_TYPE = "application/problem+json"

_log = logging.getLogger(__name__)


class Problem(Exception):
    """A request that gets no result: a status and one sentence that says why and what to do.

    Args:
        headers: further headers of the response, such as `Retry-After`.
        param: the field of the request that is wrong; empty where it is none by itself.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        headers: Mapping[str, str] | None = None,
        param: str = "",
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.param = param

    def to_dict(self) -> dict[str, Any]:
        """The object that is sent."""
        problem = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        return {**problem, "param": self.param} if self.param else problem


def problem_of(error: Exception) -> Problem:
    """The problem that is sent for an error; the text of an unexpected one is not sent."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, UsageError):
        return Problem(HTTPStatus.BAD_REQUEST, str(error))
    if isinstance(error, NotFound):
        return Problem(HTTPStatus.NOT_FOUND, str(error))
    if isinstance(error, StoreFull):
        return Problem(HTTPStatus.INSUFFICIENT_STORAGE, str(error))
    if isinstance(error, IndexDamaged | ModelUnavailable | StoreBusy | StoreDamaged):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
    if isinstance(error, AnaphoraError):
        return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
    _log.error("unexpected error", exc_info=error)
    return Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "an unexpected error occurred; the server's log has its details under the request's id",
    )


def problem_response(problem: Problem) -> Response:
    return _Sent(problem.to_dict(), problem.status, problem.headers, media_type=MEDIA_TYPE)


class _Sent(JSONResponse):
    """A problem may quote what the client sent, which may be half of a character."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")


def install(app: FastAPI) -> None:
    """Makes the application send every error as a problem."""

    async def send(request: Request, error: Exception) -> Response:
        return problem_response(problem_of(error))

    async def send_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = error.detail
        if detail == HTTPStatus.NOT_FOUND.phrase:
            detail = f"there is nothing at {request.url.path}"
        elif detail == HTTPStatus.METHOD_NOT_ALLOWED.phrase:
            detail = f"{request.url.path} takes no requests with the method {request.method}"
        return problem_response(Problem(error.status_code, detail, error.headers))

    async def send_invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_response(_invalid(error))

    app.add_exception_handler(Problem, send)
    app.add_exception_handler(AnaphoraError, send)
    app.add_exception_handler(HTTPException, send_http)
    app.add_exception_handler(RequestValidationError, send_invalid)
    app.add_exception_handler(Exception, send)


def _invalid(error: RequestValidationError) -> Problem:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        reason, at = first["ctx"]["error"], first["loc"][-1]
        return Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"the request is not valid JSON: {reason} at character {at}",
        )
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    detail = f"{place or 'the request'}: {first['msg']}"
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, param=place)
