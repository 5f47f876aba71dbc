"""What a server writes into its log: no key, no token, no session and no text."""

from __future__ import annotations

from support.server import served


def test_no_secret_and_no_text_is_logged(shared_index, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    settings = tmp_path / "settings.toml"
    settings.write_text('[rerank]\nmethod = "none"\n', "utf-8")
    arguments = ["--index", str(shared_index), "--config", str(settings)]
    with served(arguments, tmp_path) as server:
        client = server.client
        cookies = dict(client.cookies)
        assert len(cookies) == 1
        question = {"question": "Wo ist die Geheimsache?"}
        assert client.post("/api/v1/ask", json=question).status_code == 200
        client.get("/api/v1/conversations", params={"q": "Geheimsache"})
        client.get("/start", params={"token": "wrongtoken.x"})
        client.post("/api/v1/session", json={"key": "wrongkey.x"})
        client.get("/api/v1/session", headers={"Authorization": "Bearer wrongbearer.x"})
        code, log = server.stop()
    assert code == 0
    assert log.count('"route"') >= 5
    secrets = ["wrongtoken", "wrongkey", "wrongbearer", "Geheimsache", *cookies.values()]
    assert [secret for secret in secrets if secret in log] == []
