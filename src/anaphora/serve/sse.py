"""Server-sent events, for clients that may read slowly or leave at any moment.

WHATWG, "HTML Standard", section "Server-sent events".
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

HEARTBEAT: Final = 15.0
"""Seconds without an event after which a comment is sent: proxies close idle connections."""
PATIENCE: Final = 60.0
"""Seconds that a client may take to read what fills its connection's buffers."""


def named(event: tuple[str, Any], id: int) -> bytes:
    """An event with its name; its data is JSON on one line."""
    name, data = event
    return f"id: {id}\nevent: {name}\ndata: {_json(data)}\n\n".encode()


def unnamed(data: Any, id: int) -> bytes:
    """An event that has only data: JSON on one line, or a text as it is."""
    return f"data: {data if isinstance(data, str) else _json(data)}\n\n".encode()


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("\u2028", "\\u2028")


class EventStream(Response):
    """Sends events as they come; a client that leaves or does not read closes their iterator.

    Args:
        events: what `form` takes; None becomes a heartbeat.
        form: the bytes of an event and its number.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        events: AsyncGenerator[Any, None],
        form: Callable[[Any, int], bytes] = named,
    ) -> None:
        self.events = events
        self.form = form
        self.status_code = 200
        self.background = None
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        # A response has no length before it is known.
        self.raw_headers = [one for one in self.raw_headers if one[0] != b"content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._watch, receive, group.cancel_scope)
                await self._send(send)
                group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await self.events.aclose()

    async def _watch(self, receive: Receive, stop: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        stop.cancel()

    async def _send(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        number = 0
        async for one in self.events:
            number += one is not None
            body = b": waiting\n\n" if one is None else self.form(one, number)
            with anyio.move_on_after(PATIENCE) as limit:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            if limit.cancelled_caught:
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
