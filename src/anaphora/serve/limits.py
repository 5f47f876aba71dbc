"""The size of request bodies."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anaphora.serve.problems import Problem, problem_response

BODY: Final = 1_000_000
"""Bytes of a request that is no upload."""
_UPLOAD: Final = re.compile(r"/api/v1/indexes/[^/]+/documents")
"""This route counts the bytes of each file."""


class BodyLimit:
    """Middleware that refuses larger bodies, whether or not they say their length before."""

    def __init__(self, app: ASGIApp, most: int = BODY) -> None:
        self.app = app
        self.most = most
        self.sentence = f"the request is larger than {most} bytes; send less text at a time"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _UPLOAD.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if length.isascii() and length.isdigit() and int(length[:20]) > self.most:
            refusal = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self.sentence)
            await problem_response(refusal)(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.most:
                # FastAPI turns other exceptions while it reads a body into a 400.
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self.sentence)
            return message

        await self.app(scope, counted, send)
