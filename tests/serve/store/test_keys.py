"""Keys, sessions and one-time tokens: random, hashed, expiring, revocable."""

from __future__ import annotations

import pytest

from anaphora.serve.store.database import Database
from anaphora.serve.store.keys import DAY, Keys
from anaphora.serve.store.sessions import LOCAL, SESSION_SECONDS, TOKEN_SECONDS, Sessions


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(database, clock) -> Keys:
    return Keys(database, clock)


@pytest.fixture
def sessions(database, keys, clock) -> Sessions:
    return Sessions(database, keys, clock)


def changed(secret: str) -> list[str]:
    """Secrets that are nearly this one, or nothing like one."""
    last = "A" if secret[-1] != "A" else "B"
    return [secret[:-1] + last, secret[:-1], secret + "A", secret.upper(), "", ".", "a.b", "é.ü",
            secret.replace(".", "_"), "anaphora_" + secret, "x" * 500]  # fmt: skip


def test_only_the_key_itself_is_valid(keys):
    key = keys.add("a", ["search", "ask"])
    client = keys.client(key)
    assert (client.name, client.scopes) == ("a", {"ask", "search"})
    assert client.may("ask")
    assert not client.may("ingest")
    assert [keys.client(one) for one in changed(key)] == [None] * 11
    assert keys.add("b", ["ask"]) != key
    assert keys.client(key).owner != keys.client(keys.add("c", ["ask"])).owner


def test_a_key_expires(keys, clock):
    key = keys.add("a", ["ask"], days=2)
    clock.now += 2 * DAY - 1
    assert keys.client(key)
    clock.now += 1
    assert keys.client(key) is None


def test_a_key_is_revoked_at_once_also_by_another_process(keys, tmp_path):
    key = keys.add("a", ["ask"])
    other = Keys(Database(tmp_path / "store"))
    assert keys.client(key)
    other.revoke("a")
    assert keys.client(key) is None
    again = other.add("a", ["ask"])
    assert keys.client(again).owner != key


def test_the_last_use_is_noted_once_a_minute(keys, clock, database):
    key = keys.add("a", ["ask"])
    assert keys.listed()[0].used is None
    keys.client(key)
    assert keys.listed()[0].used == clock.now
    clock.now += 30
    keys.client(key)
    assert keys.listed()[0].used == clock.now - 30
    clock.now += 30
    keys.client(key)
    assert keys.listed()[0].used == clock.now
    clock.now -= 500_000
    keys.client(key)
    assert keys.listed()[0].used == clock.now


def test_a_start_token_works_once_and_for_some_minutes(sessions, clock):
    token = sessions.start_token()
    assert [sessions.redeem(one) for one in changed(token)] == [None] * 11
    session = sessions.redeem(token)
    assert sessions.client(session) == LOCAL
    assert sessions.redeem(token) is None
    late = sessions.start_token()
    clock.now += TOKEN_SECONDS
    assert sessions.redeem(late) is None


def test_a_session_ends(sessions, keys, clock):
    key = keys.add("a", ["ask"], days=1)
    one, two = sessions.sign_in(key), sessions.sign_in(key)
    assert one != two
    assert sessions.client(one) == keys.client(key)
    assert [sessions.client(other) for other in changed(one)] == [None] * 11
    sessions.end(two)
    assert (sessions.client(two), bool(sessions.client(one))) == (None, True)
    sessions.end(one[:-1])
    clock.now += DAY
    assert sessions.client(one) is None, "the key has expired"
    local = sessions.redeem(sessions.start_token())
    clock.now += SESSION_SECONDS
    assert sessions.client(local) is None


def test_revoking_a_key_ends_its_sessions_and_no_others(sessions, keys):
    one, two = (sessions.sign_in(keys.add(name, ["ask"])) for name in "ab")
    local = sessions.redeem(sessions.start_token())
    keys.revoke("a")
    assert sessions.client(one) is None
    assert sessions.client(two).name == "b"
    assert sessions.client(local) == LOCAL
    assert sessions.sign_in("no key") is None


def test_no_secret_is_in_a_file(sessions, keys, database):
    key = keys.add("a", ["ask"])
    secrets = [key, sessions.sign_in(key), sessions.start_token()]
    files = b"".join(file.read_bytes() for file in database.path.parent.iterdir())
    assert keys.client(key).owner.encode() in files
    for secret in secrets:
        assert secret.partition(".")[2].encode() not in files
