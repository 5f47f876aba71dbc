"""Routes that wait for a turn, and end it when their client leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from fastapi import Request

from anaphora.serve.turns import Queued, Turns

T = TypeVar("T")


class Gone(Exception):
    """The client has closed its connection; nobody reads a response."""


async def result(request: Request, turns: Turns, owner: str, work: Callable[[], T]) -> T:
    """What `work` returns, which runs as a turn of its own.

    Raises:
        Gone: the client left before.
        Problem: as `Turns.submit` and `Turn.results`.
    """

    def alone() -> Iterator[T]:
        yield work()

    turn = turns.submit(owner, alone)

    async def wait() -> T:
        async for one in turn.results():
            if one is not None and not isinstance(one, Queued):
                return one
        raise AssertionError("the work has one result")

    return await unless_gone(request, wait())


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
