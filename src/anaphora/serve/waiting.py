"""Routes that wait for a turn, and end it when their client leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from anaphora.serve.turns import Queued, Turns

T = TypeVar("T")
_CLIENT_CLOSED = 499
"""What nginx logs in this case; nobody receives it."""


class Gone(Exception):
    """The client has closed its connection; nobody reads a response."""


def install(app: FastAPI) -> None:
    """Makes the application pass over clients that have gone."""

    async def nobody(request: Request, error: Exception) -> Response:
        return Response(status_code=_CLIENT_CLOSED)

    app.add_exception_handler(Gone, nobody)
    app.add_exception_handler(ClientDisconnect, nobody)  # in the middle of an upload


async def result(request: Request, turns: Turns, owner: str, work: Callable[[], T]) -> T:
    """What `work` returns, which runs as a turn of its own.

    Raises:
        Gone: the client left before.
        Problem: as `Turns.submit` and `Turn.results`.
    """

    def alone() -> Iterator[T]:
        yield work()

    turn = turns.submit(owner, alone)

    async def wait() -> list[T]:
        found = [one async for one in turn.results()]
        return [one for one in found if one is not None and not isinstance(one, Queued)]

    (only,) = await unless_gone(request, wait())
    return only


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine, and cancels it when the client leaves.

    Raises:
        Gone: the client left.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Gone
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
