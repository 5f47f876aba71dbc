"""The server over HTTP, as a part of the service, and over standard input and output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from anaphora.serve.indexes import Indexes
from anaphora.serve.mcp.server import Desk, create_server
from anaphora.serve.running import read_settings
from anaphora.serve.store.sessions import LOCAL
from anaphora.serve.turns import THREADS, Turns


class Endpoint:
    """Streamable HTTP as an ASGI application: each request by itself, without sessions.

    Hosts, origins, keys and sizes are checked by the middleware of the service.
    """

    def __init__(self, desk: Desk) -> None:
        self._manager = StreamableHTTPSessionManager(create_server(desk), stateless=True)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Requests are answered within this block; it can be entered once."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def run_stdio(folders: Mapping[str, Path], config: Path | None = None) -> None:
    """Serves one client on standard input and output, until the input ends.

    Standard output then carries the protocol alone: what else is written to it goes to standard
    error.

    Raises:
        AnaphoraError: an index or a model is missing or damaged.
    """
    settings, configs = read_settings(config)
    indexes = Indexes(folders, configs)
    indexes.load()
    turns = Turns(THREADS, settings.waiting, settings.turn_seconds)
    server = create_server(Desk(indexes, turns), LOCAL)

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        turns.close()
        indexes.close()
