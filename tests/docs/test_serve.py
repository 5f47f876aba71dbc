"""The page on the service is true: servers start, answer and stop, and its requests work."""

from __future__ import annotations

import json
import shlex

import pytest

pytest.importorskip("uvicorn")

from support.server import served
from support.serving import events

from anaphora.serve.running import read_settings
from tools.pages import GUIDE, blocks, commands

PAGE = GUIDE / "serve.md"


@pytest.mark.parametrize(
    "line", [line for line in commands(PAGE) if line.startswith("anaphora serve")]
)
def test_a_server_starts_answers_and_stops(place, line):
    with served(shlex.split(line)[2:], place) as server:
        indexes = server.client.get("/api/v1/indexes").json()["indexes"]
        assert len(indexes) == max(1, line.count("--index"))
        assert {one["state"] for one in indexes} == {"ready"}
        code, err = server.stop()
    assert code == 0
    assert {json.loads(line)["level"] for line in err.splitlines()} == {"info"}


def test_the_requests_work(place):
    lines = [
        line
        for block in blocks(PAGE)
        for line in block.text.split("\n")
        if line.startswith("curl ")
    ]
    with served([], place) as server:
        for line in lines:
            words = shlex.split(line.replace("$KEY", server.key))
            (address,) = [word for word in words if word.startswith("http")]
            headers = dict(
                word.split(": ", 1) for at, word in enumerate(words) if words[at - 1] == "-H"
            )
            data = words[words.index("-d") + 1] if "-d" in words else None
            server.client.cookies.clear()
            response = server.client.request(
                "POST" if data else "GET",
                address.replace("http://127.0.0.1:8765", server.address),
                headers=headers,
                content=data.encode() if data else None,
            )
            assert response.status_code == 200, response.text
            if "text/event-stream" in line:
                assert events(response.text)[-1][0] == "done"
    assert len(lines) == 4


def test_the_settings_are_those_of_the_service(tmp_path):
    *_, text = [block.text for block in blocks(PAGE) if block.kind == "toml"]
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8")
    settings, configs = read_settings(file)
    assert (settings.port, settings.hosts) == (9000, ("search.example",))
    assert list(configs) == ["default", "quick"]
