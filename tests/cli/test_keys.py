"""`anaphora keys`."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.store import Store


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "anaphora.toml"
    file.write_text(f"[serve]\nfolder = {str(tmp_path / 'data')!r}\n", "utf-8")
    return file


def keys_of(config):
    return Store.open(ServeSettings(folder=config.parent / "data")).keys


def test_a_key_is_printed_once_listed_and_revoked(anaphora, config):
    made = anaphora("keys", "add", "秀英", "--scope", "ask, search", "--config", config)
    assert made.code == 0
    key = made.out.strip()
    client = keys_of(config).client(key)
    assert (client.name, client.scopes) == ("秀英", {"ask", "search"})
    anaphora("keys", "add", "ci", "--scope", "ingest", "--days", "30", "--config", config)

    shown = anaphora("keys", "list", "--config", config).out
    assert [line.split("  ")[:2] for line in shown.splitlines()] == [
        ["秀英", "ask,search"],
        ["ci", "ingest"],
    ]
    assert "expires never, last used 20" in shown.splitlines()[0]
    one, other = anaphora("keys", "list", "--json", "--config", config).lines
    assert one["used"] > 0
    assert other["expires"] - other["created"] == 30 * 86_400
    for text in (shown, *(file.read_bytes() for file in (config.parent / "data").iterdir())):
        assert key.partition(".")[2] not in str(text)

    assert anaphora("keys", "revoke", "秀英", "--config", config).code == 0
    assert keys_of(config).client(key) is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["add", "x", "--scope", "aks"], "there is no scope 'aks'; did you mean 'ask'?"),
        (["add", "x", "--scope", ","], "a key needs a scope: ask, search, ingest, admin"),
        (["add", "x", "--days", "-1"], "a key cannot expire after -1 days; give more than 0"),
        (["add", "a\nb"], "a key cannot be named 'a\\nb': use 1 to 100 visible characters"),
        (["revoke", "y"], "there is no key 'y'; there is none at all"),
    ],
)
def test_what_cannot_be_is_one_sentence(anaphora, config, arguments, sentence):
    ran = anaphora("keys", *arguments, "--config", config)
    assert (ran.code, ran.err) == (2, f"anaphora: {sentence}\n")


def test_a_name_is_used_once(anaphora, config):
    assert anaphora("keys", "add", "x", "--config", config).code == 0
    ran = anaphora("keys", "add", "x", "--config", config)
    assert (ran.code, ran.out) == (2, "")
    assert "there is a key 'x' already; revoke it" in ran.err
