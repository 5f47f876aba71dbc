"""The socket of the server."""

from __future__ import annotations

import socket

import pytest

from anaphora.errors import AnaphoraError
from anaphora.serve.running import listen


def test_what_is_sent_does_not_wait() -> None:
    with listen("127.0.0.1", 0) as listening:
        listening.setblocking(True)
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_in_use_is_named() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(AnaphoraError, match=f"127.0.0.1:{port} cannot be used: .*--port"):
            listen("127.0.0.1", port)
