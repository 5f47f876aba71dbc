"""Names of the server: a page of another domain cannot reach it by that domain's name."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from anaphora.serve import problems
from anaphora.serve.security.hosts import Hosts


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    @app.get("/healthz")
    def found() -> str:
        return "found"

    app.add_middleware(Hosts, names=("192.0.2.7", "Docs.Example.org", "[2001:db8::7]"))
    return TestClient(app, base_url="http://198.51.100.1")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:8765", "192.0.2.7",
        "docs.example.org:443", "[2001:db8::7]", "198.51.100.1",
    ],
)  # fmt: skip
def test_its_own_names(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:127",
        "", "127.0.0.1@evil.example", "evil.example#127.0.0.1", "a.docs.example.org", "*",
        "127.0.0.1, evil.example", "192.0.2.8", "[::2]", "localhost:x", "2130706433", "127.1",
        "localhost/", "xn--lcalhost-n4a",
    ],
)  # fmt: skip
def test_names_of_others(client, host):
    response = client.get("/", headers={"Host": host})
    assert response.status_code == 421
    assert "add the name to the setting 'serve.hosts'" in response.json()["detail"]
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_two_names_are_none(client):
    response = client.get("/", headers=[("Host", "localhost"), ("Host", "evil.example")])
    assert response.status_code == 421


def test_no_websocket_is_accepted(client):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/"):
        raise AssertionError("it was accepted")
