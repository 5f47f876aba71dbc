"""The commands of the page on the service: the servers start, answer and stop."""

from __future__ import annotations

import json
import shlex

import pytest

pytest.importorskip("uvicorn")

from support.server import served

from tools.pages import GUIDE, commands


@pytest.mark.parametrize(
    "line", [line for line in commands(GUIDE / "serve.md") if line.startswith("anaphora serve")]
)
def test_a_server_starts_answers_and_stops(place, line):
    with served(shlex.split(line)[2:], place) as server:
        indexes = server.client.get("/api/v1/indexes").json()["indexes"]
        assert len(indexes) == max(1, line.count("--index"))
        assert {one["state"] for one in indexes} == {"ready"}
        code, err = server.stop()
    assert code == 0
    assert {json.loads(line)["level"] for line in err.splitlines()} == {"info"}
