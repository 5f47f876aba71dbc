"""Connections that hold a server without asking it anything."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn

from anaphora.serve import connections
from anaphora.serve.connections import Connection

PART = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONGEST = 60.0
"""Seconds after which a test fails; nothing takes nearly as long."""


async def echo(scope, receive, send):
    if scope["type"] == "lifespan":
        return
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        if not message["more_body"]:
            break
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
    )
    await send({"type": "http.response.body", "body": b"done"})


@pytest.fixture
def port(monkeypatch) -> Iterator[int]:
    """A server whose patience is short."""
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    monkeypatch.setattr(connections, "MOST", 5)
    config = uvicorn.Config(
        echo, http=Connection, log_config=None, lifespan="off", proxy_headers=False
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=LONGEST)


def answered(connection: socket.socket) -> bool:
    """Whether a response comes, to its end."""
    found = b""
    while not found.endswith(b"done"):
        part = connection.recv(65536)
        if not part:
            return False
        found += part
    return b"200 OK" in found


def rest(connection: socket.socket) -> bytes:
    """All that comes until the server closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize("sent", [b"", b"GET", PART, PART + b"\r\n", PART + b"\r\n1234"], ids=repr)
def test_a_client_that_sends_no_more_is_let_go(port, sent):
    with connect(port) as slow:
        slow.sendall(sent)
        assert rest(slow) == b""


def test_a_head_that_comes_byte_by_byte_has_no_more_time(port):
    with connect(port) as slow:
        reader = threading.Thread(target=rest, args=(slow,))
        reader.start()
        slow.sendall(b"GET / HTTP/1.1\r\n")
        sent = 0
        while reader.is_alive() and sent < 1_000:
            with suppress(ConnectionError):
                slow.sendall(b"X: 1\r\n")
            reader.join(0.02)
            sent += 1
        assert not reader.is_alive()


def test_a_body_may_come_slowly(port):
    """Each part has its own time, and so has the next request on the connection."""
    pause = threading.Event()
    with connect(port) as slow:
        slow.sendall(PART + b"\r\n")
        for byte in b"123456789":
            pause.wait(0.06)
            slow.sendall(bytes([byte]))
        assert answered(slow)
        slow.sendall(WHOLE[:9])
        pause.wait(0.06)
        slow.sendall(WHOLE[9:])
        assert answered(slow)


def test_one_address_holds_so_many_connections(port, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", LONGEST)
    held = [connect(port) for _ in range(5)]
    for one in held:
        one.sendall(WHOLE)
        assert answered(one)
    with connect(port) as sixth:
        assert rest(sixth) == b""
    held.pop().close()
    held[0].sendall(WHOLE)
    assert answered(held[0])
    for one in held:
        one.close()
