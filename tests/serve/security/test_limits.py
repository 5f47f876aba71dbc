"""Limits of requests: counted by key and by address, whatever other headers say."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from anaphora.serve.security import limits
from anaphora.serve.security.identity import FAILURES
from anaphora.serve.security.limits import Limit

FORWARDED = "X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(st.integers(1, 50), st.lists(st.floats(0, 100), max_size=60))
def test_never_more_than_saved_and_earned(per_minute, pauses):
    clock = Clock()
    limit = Limit(per_minute, clock)
    taken = 0
    for pause in pauses:
        clock.now += pause
        wait = limit.take("a")
        taken += not wait
        assert taken <= per_minute + clock.now * per_minute / 60 + 1e-6
        if wait:
            assert limit.take("b") == 0 or per_minute == 1
            clock.now += wait + 1e-6
            assert limit.take("a") == 0
            taken += 1


def test_no_limit():
    assert [Limit(0).take("a") for _ in range(1000)] == [0.0] * 1000


def test_few_names_are_remembered(monkeypatch):
    monkeypatch.setattr(limits, "REMEMBERED", 3)
    limit = Limit(1, Clock())
    assert [limit.take(name) for name in "abcd"] == [0.0] * 4
    assert limit.take("d") > 0
    assert limit.take("a") == 0


@pytest.fixture
def few(app, services):
    """The application where a client may send five requests a minute."""
    app.user_middleware = [
        type(one)(one.cls, *one.args, **{**one.kwargs, "per_minute": 5})
        if "per_minute" in one.kwargs
        else one
        for one in app.user_middleware
    ]
    return lambda **options: TestClient(app, base_url="http://127.0.0.1", **options)


def statuses(client, count, address="/api/v1/session", **options):
    return [client.get(address, **options).status_code for _ in range(count)]


def test_a_key_is_counted_from_all_addresses(few, services):
    key = services.store.keys.add("a", ["ask"])
    headers = {"Authorization": f"Bearer {key}"}
    here, there = few(client=("192.0.2.1", 1)), few(client=("192.0.2.2", 2))
    assert statuses(here, 3, headers=headers) + statuses(there, 3, headers=headers) == [
        *[200] * 5,
        429,
    ]
    refused = there.get("/api/v1/session", headers=headers)
    assert refused.headers["retry-after"].isdigit()
    assert refused.json()["detail"].startswith("too many requests; try again in")
    other = {"Authorization": f"Bearer {services.store.keys.add('b', ['ask'])}"}
    assert statuses(here, 1, headers=other) == [200]


def test_an_address_is_counted_whatever_other_headers_say(few):
    client = few(client=("192.0.2.1", 1))
    found = [
        client.get(
            "/api/v1/session",
            headers=dict.fromkeys(
                ("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP"),
                f"198.51.100.{number}",
            ),
        ).status_code
        for number in range(7)
    ]
    assert found == [401] * 5 + [429] * 2
    assert statuses(few(client=("192.0.2.2", 1)), 1) == [401]
    # The addresses of one network of IPv6 count as one.
    network = [few(client=(f"2001:db8::{number}", 1)) for number in range(6)]
    assert [statuses(one, 1)[0] for one in network] == [401] * 5 + [429]
    # The page's own files are for everybody.
    assert statuses(client, 8, "/manifest.webmanifest") == [200] * 8


def test_wrong_keys_and_tokens_are_counted(stranger, client):
    def key(number):
        return stranger.get("/api/v1/session", headers={"Authorization": f"Bearer x{number}.y"})

    def sign_in(number):
        return stranger.post("/api/v1/session", json={"key": f"x{number}"})

    def start(number):
        return stranger.get("/start", params={"token": f"x{number}.y"})

    third = FAILURES // 3
    found = [attempt(n).status_code for attempt in (key, sign_in, start) for n in range(third)]
    assert found == [401] * FAILURES
    assert [attempt(99).status_code for attempt in (key, sign_in, start)] == [429] * 3
    # Whoever is signed in from the same address is not concerned.
    assert client.get("/api/v1/session").status_code == 200
