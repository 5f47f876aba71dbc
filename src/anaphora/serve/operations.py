"""What the people who run a server see: whether it works, metrics, and a log without texts."""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import datetime, timezone
from http import HTTPStatus
from time import perf_counter
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Depends
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anaphora.serve.metrics import Metrics
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import Client, require
from anaphora.serve.services import Services, services
from anaphora.serve.tracing import Tracing

REQUEST_ID: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_request: ContextVar[str] = ContextVar("request", default="")
_log = logging.getLogger(__name__)
router = APIRouter(include_in_schema=False)
Shared = Annotated[Services, Depends(services)]


@router.get("/healthz")
async def health() -> JSONResponse:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
def ready(shared: Shared) -> JSONResponse:
    """It takes questions: the queue is open and every index can be searched."""
    if not shared.turns.open:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the server is stopping")
    for name in shared.indexes.names:
        status = shared.indexes.status(name)
        if status.state == "damaged":
            # Anybody may ask here: the answer names no path of the server.
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"the index {name!r} cannot be opened")
    return JSONResponse({"status": "ready"})


@router.get("/metrics")
def metrics(shared: Shared, client: Annotated[Client, Depends(require("admin"))]) -> Response:
    """Figures in the text format of Prometheus."""
    return Response(generate_latest(shared.metrics.registry), media_type=CONTENT_TYPE_LATEST)


class Observed:
    """Middleware that gives each request an id and a span, counts it and logs a line about it.

    A line holds the address's pattern, not the address: that may hold names of documents.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, tracing: Tracing) -> None:
        self.app = app
        self.metrics = metrics
        self.tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with self.tracing.request(scope) as attributes:
            await self._observe(scope, receive, send, attributes)

    async def _observe(
        self, scope: Scope, receive: Receive, send: Send, attributes: dict[str, Any]
    ) -> None:
        given = Headers(scope=scope).get(REQUEST_ID, "")
        id = given if _VALID_ID.fullmatch(given) else uuid4().hex
        _request.set(id)
        began = perf_counter()
        status = 0

        async def numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = id
            await send(message)

        try:
            await self.app(scope, receive, numbered)
        finally:
            seconds = perf_counter() - began
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.request(scope["method"], route, status)
            attributes["http.request.method"] = scope["method"]
            attributes["http.route"] = route
            attributes["http.response.status_code"] = status
            attributes["anaphora.request"] = id
            client = scope.get("state", {}).get("client")
            values = {
                "method": scope["method"],
                "route": route,
                "status": status,
                "seconds": round(seconds, 4),
                "client": client.owner if client else None,
            }
            _log.info("request", extra={"values": values})


class JsonLines(logging.Formatter):
    """A JSON object a line: time, level, message, the request's id, and what else is known.

    Of an error its type and place are logged, not its message, which may quote a text.
    """

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(dict(self._fields(record)), ensure_ascii=False)

    def _fields(self, record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
        yield "time", datetime.fromtimestamp(record.created, timezone.utc).isoformat()
        yield "level", record.levelname.lower()
        yield "message", record.getMessage()
        if id := _request.get():
            yield "request", id
        yield from getattr(record, "values", {}).items()
        if record.exc_info and record.exc_info[0]:
            kind, _, trace = record.exc_info
            yield "error", kind.__name__
            yield "trace", "".join(traceback.format_tb(trace))


def log_to_stderr() -> None:
    """Logs what the service and its HTTP server say, from "info" on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name, level in (
        ("anaphora", logging.INFO),
        ("uvicorn", logging.WARNING),
        ("opentelemetry", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
