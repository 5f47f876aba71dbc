"""Asking over HTTP."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from support.serving import ANSWERS, QUESTIONS, events

EVENTS = {"Accept": "text/event-stream"}


@pytest.mark.parametrize("lang", QUESTIONS)
def test_a_question_is_answered_with_its_source(client: TestClient, lang: str) -> None:
    response = client.post("/api/v1/ask", json={"question": QUESTIONS[lang]})
    assert response.status_code == 200
    form = response.json()
    assert form["lang"] == lang
    assert ANSWERS[lang] in form["answer"]
    assert (form["index"], form["configuration"]) == ("harbour", "default")
    first = form["citations"][0]
    address = urlsplit(first["url"])
    assert address.path == "/source"
    assert parse_qs(address.query) == {
        "index": ["harbour"],
        "passage": [first["passage_id"]],
        "start": [str(first["start"])],
        "end": [str(first["end"])],
    }


def test_the_events_of_a_turn_add_up_to_its_answer(client: TestClient) -> None:
    body = {"question": QUESTIONS["zh"], "trace": True}
    response = client.post("/api/v1/ask", json=body, headers=EVENTS)
    assert response.headers["content-type"].startswith("text/event-stream")
    found = events(response.text)
    names = [name for name, _ in found]
    assert names[:4] == ["understood", "rewrite", "hits", "hits"]
    assert names[-1] == "done"
    done = found[-1][1]
    assert "".join(data["text"] for name, data in found if name == "delta") == done["answer"]
    cited = [data for name, data in found if name == "citation"]
    assert [one.pop("number") for one in cited] == list(range(1, len(cited) + 1))
    assert cited == done["citations"]
    assert [one["name"] for one in done["trace"]["stages"]][:2] == ["understand", "rewrite"]


def test_a_follow_up_is_understood_from_the_history(client: TestClient) -> None:
    history = [
        {"role": "user", "text": "How much does a day ticket for the ferry cost?"},
        {"role": "assistant", "text": "A day ticket for the ferry costs 12 euros."},
    ]
    body = {"question": "Where can I pay for it?", "history": history}
    assert "pier 3" in client.post("/api/v1/ask", json=body).json()["answer"]


def test_a_configuration_is_chosen_by_name(client: TestClient) -> None:
    body = {"question": QUESTIONS["en"], "configuration": "quick"}
    form = client.post("/api/v1/ask", json=body).json()
    assert form["configuration"] == "quick"
    assert "rerank" not in form["timings"]


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({}, 422, "question"),
        ({"question": "  \n"}, 422, "question"),
        ({"question": "x" * 20_001}, 422, "20000"),
        ({"question": "Why?", "colour": "red"}, 422, "colour"),
        ({"question": "Why?", "lang": "gibberish"}, 400, "gibberish"),
        ({"question": "Why?", "index": "../etc"}, 404, "there is no index '../etc'"),
        ({"question": "Why?", "configuration": "quikc"}, 404, "did you mean 'quick'"),
        ({"question": "Why?", "history": [], "conversation": "a"}, 400, "exclude each other"),
        ({"question": "Why?", "history": [{"role": "system", "text": "x"}]}, 422, "role"),
    ],
)
def test_a_wrong_question_is_refused_in_one_sentence(
    client: TestClient, body: dict[str, object], status: int, sentence: str
) -> None:
    for headers in ({}, EVENTS):
        response = client.post("/api/v1/ask", json=body, headers=headers)
        assert response.status_code == status
        assert sentence in response.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"question": "\\ud800?"}',
        b'{"question": "Why?", "\\udfff": 1}',
        b'{"question": "\xff"}',
        b'{"question": NaN}',
        b'{"question": 1e999}',
        b'{"question": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b"",
        b"null",
    ],
)
def test_malformed_json_is_a_problem(client: TestClient, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = client.post("/api/v1/ask", content=body, headers=headers)
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"
    assert json.loads(response.content)["detail"]


def test_the_place_of_an_error_in_json_is_named(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    response = client.post("/api/v1/ask", content='{"question": ', headers=headers)
    detail = "the request is not valid JSON: Expecting value at character 13"
    assert (response.json()["detail"], "param" in response.json()) == (detail, False)


def test_asking_needs_an_identity(stranger: TestClient) -> None:
    response = stranger.post("/api/v1/ask", json={"question": "Why?"})
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
