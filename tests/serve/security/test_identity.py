"""Who may send a request: keys, sessions, scopes, and requests that other sites' pages make."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from anaphora.serve.security.headers import HEADERS

SESSION, ALL = "/api/v1/session", "/api/v1/conversations"


def test_signing_in_and_out(stranger, services):
    key = services.store.keys.add("秀英", ["ask"])
    assert stranger.get(SESSION).status_code == 401
    response = stranger.post(SESSION, json={"key": key})
    assert response.status_code == 201
    assert response.json() == {"name": "秀英", "scopes": ["ask"], "conversations": True}
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    assert key.partition(".")[2] not in cookie
    assert stranger.get(SESSION).json() == response.json()
    held = dict(stranger.cookies)
    assert stranger.delete(SESSION).status_code == 204
    assert dict(stranger.cookies) == {}
    for name, value in held.items():
        stranger.cookies.set(name, value)
    assert stranger.get(SESSION).status_code == 401


def test_over_https_the_cookie_is_for_https_only(app, services):
    client = TestClient(app, base_url="https://localhost")
    response = client.get(
        "/start", params={"token": services.sessions.start_token()}, follow_redirects=False
    )
    assert (response.status_code, response.headers["location"]) == (303, "/")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("__Host-anaphora_session=")
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert client.get(SESSION).json()["name"] == "local"


def test_the_address_of_the_start_works_once(app, services):
    token = services.sessions.start_token()
    first, second = (TestClient(app, base_url="http://127.0.0.1") for _ in range(2))
    assert first.get("/start", params={"token": token}).status_code == 200
    again = second.get("/start", params={"token": token})
    assert again.status_code == 401
    assert "start the server again for a new one" in again.json()["detail"]
    assert token not in again.text
    assert second.get(SESSION).status_code == 401


def test_a_revoked_key_is_refused_at_once_with_its_sessions(with_key, stranger, services):
    client = with_key("a", "ask")
    key = client.headers["authorization"].removeprefix("Bearer ")
    stranger.post(SESSION, json={"key": key})
    assert [one.get(SESSION).status_code for one in (client, stranger)] == [200, 200]
    services.store.keys.revoke("a")
    assert [one.get(SESSION).status_code for one in (client, stranger)] == [401, 401]
    assert stranger.post(SESSION, json={"key": key}).status_code == 401


@pytest.mark.parametrize(
    "given", ["Bearer", "Bearer ", "Bearer x", "Basic YTpi", "bearer anaphora_0.0", "é", "x" * 900]
)
def test_a_wrong_key_is_not_made_good_by_a_session(client, given):
    response = client.get(ALL, headers={"Authorization": given.encode()})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"


def test_a_key_does_what_its_scopes_say(with_key):
    """A key for one thing is no key for all."""
    searcher, asker = with_key("a", "search"), with_key("b", "ask")
    query = {"query": "ferry"}
    assert searcher.post("/api/v1/search", json=query).status_code == 200
    refused = searcher.get(ALL)
    assert refused.status_code == 403
    assert refused.json()["detail"] == "the key 'a' lacks the scope 'ask'"
    assert asker.post("/api/v1/search", json=query).status_code == 403
    for client in (searcher, asker):
        assert client.get("/metrics").status_code == 403


OTHER_PAGES = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:3000"},
    {"Origin": "http://127.0.0.1.evil.example"},
]


@pytest.mark.parametrize("headers", OTHER_PAGES)
def test_pages_of_other_sites_cannot_use_a_session(client, stranger, services, headers):
    """Cross-site request forgery; another port of this computer is another site too."""
    asked = client.post("/api/v1/ask", json={"question": "Dogs?"}).json()["conversation"]
    for method, address, body in [
        ("POST", "/api/v1/ask", {"question": "Dogs?"}),
        ("DELETE", ALL, None),
        ("PATCH", f"{ALL}/{asked}", {"title": "x"}),
        ("GET", f"{ALL}/{asked}/export", None),
        ("DELETE", SESSION, None),
    ]:
        response = client.request(method, address, json=body, headers=headers)
        assert response.status_code == 403, address
        assert response.json()["detail"].startswith("a page of another site made this request")
    (kept,) = client.get(ALL).json()["conversations"]
    assert kept["title"] == "Dogs?"
    # Nor can they sign somebody in with a key of their own.
    key = services.store.keys.add("theirs", ["ask"])
    assert stranger.post(SESSION, json={"key": key}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://127.0.0.1"},
    ],
)
def test_the_own_page_can(client, headers):
    assert client.post(ALL, json={}, headers=headers).status_code == 201


def test_a_form_of_another_page_is_no_request(client):
    """A page can send these types without asking the browser's permission first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        response = client.post(ALL, content='{"title": "x"}', headers={"Content-Type": kind})
        assert response.status_code == 422
    assert client.get(ALL).json()["conversations"] == []


def test_no_origin_is_allowed_unless_it_is_named(client):
    preflight = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    response = client.options("/api/v1/ask", headers=preflight)
    assert response.status_code in (401, 403, 405)
    for one in (response, client.get(SESSION, headers={"Origin": "http://127.0.0.1"})):
        assert not [name for name in one.headers if name.startswith("access-control")]


def test_every_response_has_the_headers(client, stranger, app, services):
    @app.get("/api/v1/broken")
    def broken() -> None:
        raise RuntimeError("the secret is 1234")

    client = TestClient(
        app, base_url="http://127.0.0.1", cookies=client.cookies, raise_server_exceptions=False
    )
    for response, status in [
        (client.get("/"), 200),
        (client.get(SESSION), 200),
        (stranger.get(SESSION), 401),
        (client.get("/api/v1/nothing"), 404),
        (client.get("/api/v1/broken"), 500),
        (stranger.get("/", headers={"Host": "evil.example"}), 421),
        (client.post("/api/v1/ask", json={}), 422),
    ]:
        assert response.status_code == status
        for name, value in HEADERS.items():
            assert response.headers[name] == value
        assert "1234" not in response.text
    assert client.get(SESSION).headers["cache-control"] == "no-store"
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "data:" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self';")
