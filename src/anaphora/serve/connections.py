"""Connections of clients that send slowly, nothing, or too many of them."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from anaphora.serve.security.limits import network_of

PATIENCE: Final = 30.0
"""Seconds in which the head of a request must be complete, and the next part of its body come."""
MOST: Final = 512
"""Connections from one address. A process can hold some thousand files open."""


class Connection(H11Protocol):
    """A connection that is closed when its client keeps the server waiting.

    Without it, a client without a key could hold all connections that the system allows, by
    sending one byte at a time or none ("Slowloris"). Behind a proxy, the number of connections is
    the proxy's to limit.
    """

    peer = ""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.peer = network_of(self.client[0]) if self.client else ""
        others = sum(getattr(one, "peer", None) == self.peer for one in self.connections)
        if others > MOST and not self.config.proxy_headers:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        runs = self.cycle is not None and not self.cycle.response_complete
        if runs:
            self._stop()
        if self.transport.is_closing() or (runs and not self.cycle.more_body):
            return
        if self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def _stop(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.flow.read_paused:  # what was sent has not been read yet
            self._wait()
        elif self.transport:
            self.transport.abort()
