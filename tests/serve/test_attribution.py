"""The cause of one wrong answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import Conversation, Turn
from anaphora.serve.api.attribution import AttributionForm
from anaphora.serve.attribution import attribute, holding

TEXTS = {
    "lighthouse.md": "The lighthouse was built in 1887. It is painted red.",
    "ferry.md": "The ferry leaves at noon and costs four crowns.",
    "灯塔.md": "灯塔建于1887年，漆成红色。",
    "маяк.md": "Маяк построен в 1887 году и окрашен в красный цвет.",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("attribution")
    (home / "docs").mkdir()
    for name, text in TEXTS.items():
        (home / "docs" / name).write_text(text, "utf-8")
    update(home / "index", [home / "docs"], None)
    return home / "index"


@pytest.fixture(scope="module")
def assistant(folder: Path) -> Iterator[Assistant]:
    with Assistant(open_index(folder)) as opened:
        yield opened


def conversation(*texts: str) -> Conversation:
    return Conversation(
        tuple(Turn("assistant" if at % 2 else "user", text) for at, text in enumerate(texts))
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the lighthouse built?", "1887"),
        ("灯塔建于哪一年？", "1887年"),
        ("Когда построен маяк?", "в 1887 году"),
    ],
)
def test_a_right_answer_has_no_cause(assistant: Assistant, question: str, expected: str) -> None:
    found = attribute(assistant, conversation(question), expected)
    assert found["right"]
    assert found["cause"] is None
    assert found["relevant"]
    assert expected in found["phrasings"]["rewritten"]["answer"]


def test_a_question_that_is_not_rewritten_fails_for_that_reason(folder: Path) -> None:
    config = Config.of({"rewrite": {"method": "none"}})
    with Assistant(open_index(folder), config) as plain:
        turns = conversation("What does the ferry cost?", "Four crowns.", "When was it built?")
        found = attribute(plain, turns, "four crowns", "What does the ferry cost?")
    assert not found["right"]
    assert found["cause"] == "rewriting"
    assert found["phrasings"]["human"]["score"] == 1.0


def test_an_answer_where_there_is_none_is_a_fault_of_reading(assistant: Assistant) -> None:
    found = attribute(assistant, conversation("When was the lighthouse built?"), "")
    assert not found["right"]
    assert found["cause"] == "reading"
    assert found["relevant"] == []


@pytest.mark.parametrize(
    ("words", "document"), [("Painted  RED", "lighthouse.md"), ("漆成红色", "灯塔.md")]
)
def test_passages_are_found_by_their_words(assistant: Assistant, words: str, document: str) -> None:
    ids = holding(assistant, ("lighthouse 灯塔",), words)
    assert [id.split("#")[0].rpartition("/")[2] for id in ids] == [document]


def test_the_cause_is_asked_for_over_http(client: TestClient) -> None:
    wrong = {
        "question": "When was it built?",
        "history": [
            {"role": "user", "text": "What does the ferry cost?"},
            {"role": "assistant", "text": "Four crowns."},
        ],
        "expected": "a hundred years ago",
    }
    found = client.post("/api/v1/attribution", json=wrong).json()
    assert not found["right"]
    assert set(found["phrasings"]) == {"original", "rewritten"}
    assert AttributionForm.model_validate(found).relevant == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"question": "ما هذا؟", "index": "لا شيء"}, 404),
        ({"question": "灯塔建于哪一年？", "relevant": ["灯塔.md#99"]}, 404),
        ({"question": "?", "expectd": ""}, 422),
        ({"question": "Warum?", "lang": "xx-unknown"}, 400),
    ],
)
def test_a_bad_request_is_a_problem(
    client: TestClient, body: dict[str, object], status: int
) -> None:
    response = client.post("/api/v1/attribution", json=body)
    assert response.status_code == status
    assert response.json()["detail"]
