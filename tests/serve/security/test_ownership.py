"""What belongs to one owner is read and changed by nobody else, on any route.

The routes are taken from the application: one that is not in a list here fails the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.routing import Mount

from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.security.clients import SCOPES
from anaphora.serve.services import Services
from anaphora.serve.settings import ServeSettings

SECRET = "Where do dogs travel?"
EVENTS = {"Accept": "text/event-stream"}
CONVERSATION = "/api/v1/conversations/{conversation}"
TURN = f"{CONVERSATION}/turns/{{turn}}"

OWNED: dict[tuple[str, str], dict[str, Any]] = {
    ("GET", CONVERSATION): {},
    ("PATCH", CONVERSATION): {"json": {"title": "x"}},
    ("GET", f"{CONVERSATION}/export"): {"params": {"format": "markdown"}},
    ("POST", f"{CONVERSATION}/share"): {},
    ("GET", f"{TURN}/trace"): {},
    ("POST", "/api/v1/feedback"): {
        "json": {"conversation": "{conversation}", "turn": "{turn}", "verdict": "right"}
    },
    ("POST", "/api/v1/ask"): {"json": {"question": "Why?", "conversation": "{conversation}"}},
    ("GET", "/api/v1/jobs/{job}"): {"headers": EVENTS},
    ("DELETE", f"{CONVERSATION}/share"): {},
    ("DELETE", f"{TURN}/feedback"): {},
    ("DELETE", CONVERSATION): {},
}
"""Routes that name what somebody owns, in an order in which the owner may send them. To everybody
else they are 404."""
LISTS = {
    ("GET", "/api/v1/conversations"),
    ("GET", "/api/v1/feedback"),
    ("GET", "/api/v1/feedback/export"),
    ("DELETE", "/api/v1/conversations"),
}
"""Routes that list, or delete, what one owns."""
COMMON = {
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/api/v1/session"),
    ("DELETE", "/api/v1/session"),
    ("POST", "/api/v1/conversations"),
    ("POST", "/api/v1/search"),
    ("POST", "/api/v1/rewrite"),
    ("POST", "/api/v1/rerank"),
    ("POST", "/api/v1/read"),
    ("POST", "/api/v1/attribution"),
    ("GET", "/api/v1/indexes"),
    ("GET", "/api/v1/indexes/{name}/documents"),
    ("GET", "/api/v1/indexes/{name}/document"),
    ("GET", "/api/v1/indexes/{name}/passage"),
    ("GET", "/api/v1/indexes/{name}/page"),
    ("GET", "/api/v1/indexes/{name}/boxes"),
    ("DELETE", "/api/v1/indexes/{name}/document"),
    ("POST", "/api/v1/indexes/{name}/documents"),
    ("GET", "/metrics"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/{name}"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/embeddings"),
    ("POST", "/v1/rerank"),
    ("GET", "/mcp"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
}
"""Routes for whoever has their scope: about the client itself, or the documents that all share."""
SHARED = {("GET", "/api/v1/shared/{share}")}
"""For everybody who is signed in and was given the address."""
PUBLIC = {
    ("GET", path)
    for path in (
        "/", "/c/{conversation}", "/s/{token}", "/source", "/manifest.webmanifest",
        "/service-worker.js", "/healthz", "/readyz", "/start",
    )
} | {("POST", "/api/v1/session")}  # fmt: skip
"""Without an identity: the page's files, which are the same for all, probes, and signing in."""
FILES = "/page"


def routes(app: FastAPI) -> set[tuple[str, str]]:
    """Methods and paths of all routes of the application."""
    found: set[tuple[str, str]] = set()
    waiting = list(app.routes)
    while waiting:
        route = waiting.pop()
        if isinstance(route, Mount):
            assert route.path == FILES, f"nobody said to whom {route.path} is open"
        elif hasattr(route, "original_router"):
            waiting += route.original_router.routes
        else:
            found |= {(method, route.path) for method in route.methods - {"HEAD"}}
    return found


@pytest.fixture
def services(index, tmp_path) -> Iterator[Services]:
    """Over an index that the tests may change."""
    settings = ServeSettings(port=0, folder=tmp_path / "data")
    built = build_services(settings, {"harbour": index}, configurations({}, {}))
    yield built
    built.close()


@pytest.fixture
def owner(with_key: Callable[..., TestClient]) -> TestClient:
    return with_key("owner", *SCOPES)


@pytest.fixture
def other(with_key: Callable[..., TestClient]) -> TestClient:
    """Somebody else, who may do everything."""
    return with_key("other", *SCOPES)


@pytest.fixture
def held(owner: TestClient) -> dict[str, str]:
    """What the owner has."""
    answer = owner.post("/api/v1/ask", json={"question": SECRET}).json()
    where = {name: answer[name] for name in ("conversation", "turn")}
    said = {**where, "verdict": "wrong", "expected": "In the cargo hold"}
    assert owner.post("/api/v1/feedback", json=said).status_code == 201
    share = owner.post(CONVERSATION.format(**where) + "/share").json()["url"]
    files = {"files": ("new.md", "# New\n\nThe lift is behind pier 4.")}
    upload = owner.post("/api/v1/indexes/harbour/documents", files=files)
    assert upload.status_code == 202, upload.text
    return {
        **where,
        "job": upload.json()["job"],
        "share": share.removeprefix("/s/"),
        "name": "harbour",
        "token": "t",
    }


def send(client: TestClient, route: tuple[str, str], held: dict[str, str], **options: Any):
    """A request to a route about what somebody has."""
    method, path = route
    options = {**OWNED.get(route, {}), **options}
    if "json" in options:
        options["json"] = {
            name: value.format(**held) if value.startswith("{") else value
            for name, value in options["json"].items()
        }
    return client.request(method, path.format(**held), **options)


def test_every_route_is_in_a_list(app):
    known = set(OWNED) | LISTS | COMMON | SHARED | PUBLIC
    assert routes(app) == known


def test_without_an_identity_no_route_answers(app, stranger, held):
    for route in sorted(routes(app) - PUBLIC):
        response = send(stranger, route, held)
        assert response.status_code == 401, route
        assert SECRET not in response.text


def test_another_owner_finds_nothing(owner, other, held):
    """Neither reads nor changes; with every scope, also admin. The owner does."""
    for route in OWNED:
        refused = send(other, route, held)
        assert refused.status_code == 404, route
        assert SECRET not in refused.text
    for route in sorted(LISTS):
        assert send(other, route, held).status_code == 200, route
        assert SECRET not in send(other, route, held).text
    for route in OWNED:
        assert send(owner, route, held).status_code < 300, route


def test_others_go_on_with_nobodys_conversation(other, held, owner):
    """CVE-2026-45349 of Open WebUI: whoever knew the id of a chat could continue it with a key of
    their own, and so read it. Streams are not another way."""
    body = {"question": "What did I ask before?", "conversation": held["conversation"]}
    assert other.post("/api/v1/ask", json=body).status_code == 404
    streamed = other.post("/api/v1/ask", json=body, headers=EVENTS)
    assert streamed.status_code == 404
    for parent in (held["turn"], None):
        assert other.post("/api/v1/ask", json={**body, "parent": parent}).status_code == 404
    own = other.post("/api/v1/ask", json={"question": "Hello?"}).json()["conversation"]
    stolen = {"question": "Why?", "conversation": own, "parent": held["turn"]}
    assert other.post("/api/v1/ask", json=stolen).status_code == 404
    turns = owner.get(CONVERSATION.format(**held)).json()["turns"]
    assert [turn["question"] for turn in turns] == [SECRET]


def test_others_follow_nobodys_stream(other, owner, held):
    """CVE-2026-31950 of LibreChat: any signed-in client could subscribe to the stream of another
    one by its id. The only streams with ids are those of uploads."""
    address = f"/api/v1/jobs/{held['job']}"
    for headers in ({}, EVENTS):
        assert other.get(address, headers=headers).status_code == 404
    assert "new.md" in owner.get(address, headers=EVENTS).text


def test_a_shared_conversation_is_for_clients_of_this_server(other, stranger, held, owner):
    address = f"/api/v1/shared/{held['share']}"
    assert stranger.get(address).status_code == 401
    form = other.get(address).json()
    assert [turn["question"] for turn in form["turns"]] == [SECRET]
    assert form["turns"][0]["feedback"] is None
    assert "cargo" not in other.get(address).text
    assert other.get(CONVERSATION.format(**held)).status_code == 404
    owner.delete(CONVERSATION.format(**held) + "/share")
    assert other.get(address).status_code == 404


def test_an_administrator_reads_feedback_without_conversations(other, held):
    (one,) = other.get("/api/v1/feedback").json()["feedback"]
    assert (one["verdict"], one["expected"]) == ("wrong", "In the cargo hold")
    assert (one["conversation"], one["turn"], one["question"]) == (None, None, None)
    assert other.get("/api/v1/feedback/export").text == ""


def test_what_a_revoked_key_shared_is_shared_no_longer(other, services, held):
    """Nobody could end the sharing any more."""
    services.store.keys.revoke("owner")
    assert other.get(f"/api/v1/shared/{held['share']}").status_code == 404


def test_a_new_key_of_an_old_name_inherits_nothing(owner, with_key, services, held):
    services.store.keys.revoke("owner")
    again = with_key("owner", *SCOPES)
    assert again.get("/api/v1/conversations").json()["conversations"] == []
    assert again.get(CONVERSATION.format(**held)).status_code == 404
