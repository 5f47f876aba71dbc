"""What the people who run a server see."""

from __future__ import annotations

import json
import logging
import re
import shutil
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from support.serving import QUESTIONS

from anaphora.serve.operations import JsonLines
from anaphora.serve.services import Services


def test_anyone_may_ask_whether_it_works(stranger: TestClient, services: Services) -> None:
    assert stranger.get("/healthz").json() == {"status": "ok"}
    assert stranger.get("/readyz").json() == {"status": "ready"}
    services.turns.stop()
    assert stranger.get("/readyz").status_code == 503
    assert stranger.get("/healthz").status_code == 200


def test_a_lost_index_makes_it_not_ready(
    stranger: TestClient, services: Services, index: Path
) -> None:
    services.indexes.change({"harbour": index}, services.indexes.configs)
    shutil.rmtree(index)
    response = stranger.get("/readyz")
    assert response.status_code == 503
    assert str(index) not in response.text


def test_figures_are_counted(client: TestClient, stranger: TestClient) -> None:
    assert stranger.get("/metrics").status_code == 401
    client.post("/api/v1/ask", json={"question": QUESTIONS["vi"]})
    text = client.get("/metrics").text
    assert 'anaphora_turns_total{outcome="done"} 1.0' in text
    assert 'anaphora_requests_total{method="POST",route="/api/v1/ask",status="200"} 1.0' in text
    assert 'anaphora_stage_seconds_count{stage="retrieve"} 1.0' in text
    assert "anaphora_turns_waiting 0.0" in text


def test_unknown_addresses_do_not_fill_the_figures(client: TestClient) -> None:
    for number in range(5):
        client.get(f"/nothing/{number}")
        client.request(f"METHOD{number}", "/healthz")
    text = client.get("/metrics").text
    assert "/nothing" not in text
    assert "METHOD" not in text


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_3", True), ("x" * 65, False), ("a b", False), ("a\x7f", False)]
)
def test_a_request_has_an_id(stranger: TestClient, given: str, kept: bool) -> None:
    id = stranger.get("/healthz", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    assert (id == given) is kept
    assert re.fullmatch(r"[\w.-]{1,64}", id)


def test_the_log_says_what_happened_and_no_text(
    client: TestClient, app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "秘密"

    @app.get("/api/v1/broken")
    def broken() -> None:
        raise KeyError(secret)

    client = TestClient(app, raise_server_exceptions=False, cookies=client.cookies)
    client.base_url = "http://127.0.0.1"
    with caplog.at_level(logging.INFO, "anaphora"):
        client.post(
            "/api/v1/ask?q=秘密",
            json={"question": "秘密の質問"},
            headers={"X-Request-ID": "one"},
        )
        client.get("/api/v1/broken")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert "秘密" not in "".join(lines)
    asked, error, broken_request = [
        json.loads(line) for line in lines if '"message": "HTTP Request' not in line
    ]
    assert (asked["route"], asked["status"], asked["client"]) == ("/api/v1/ask", 200, "local")
    assert error["error"] == "KeyError"
    assert "in broken" in error["trace"]
    assert broken_request["status"] == 500
