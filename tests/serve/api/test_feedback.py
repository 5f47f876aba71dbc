"""Feedback on answers, and the data set that it becomes."""

from __future__ import annotations

import json

from anaphora.datasets.answer_turns import load_answer_turns
from anaphora.serve.store.feedback import example

TICKET, WHERE = "How much does a day ticket for the ferry cost?", "Where can I pay for it?"
FEEDBACK = "/api/v1/feedback"


def ask(client, question, **fields):
    return client.post("/api/v1/ask", json={"question": question, **fields}).json()


def say(client, answer, verdict, **fields):
    own = {name: answer[name] for name in ("conversation", "turn")}
    response = client.post(FEEDBACK, json={**own, "verdict": verdict, **fields})
    assert response.status_code == 201, response.text


def test_feedback_becomes_a_test_of_the_pipeline(client, anaphora, corpus, tmp_path):
    first = ask(client, TICKET)
    say(client, first, "right")
    follow_up = ask(client, WHERE, conversation=first["conversation"])
    say(client, follow_up, "wrong", stage="reading", expected="pier 3", comment="短")
    other = ask(client, "Wann wurde der Leuchtturm gebaut?")
    say(client, other, "wrong", expected="1999")
    unknown = ask(client, "Who was the first king of Bhutan?")
    say(client, unknown, "should have abstained")
    say(client, ask(client, "What about dogs?"), "wrong source")

    listed = client.get(FEEDBACK, params={"limit": 3}).json()
    assert [one["verdict"] for one in listed["feedback"]][1:] == ["should have abstained", "wrong"]
    rest = client.get(FEEDBACK, params={"after": listed["next"]}).json()
    assert [(one["question"], one["stage"], one["comment"]) for one in rest["feedback"]] == [
        (WHERE, "reading", "短"),
        (TICKET, None, ""),
    ]
    assert rest["next"] is None

    exported = client.get(f"{FEEDBACK}/export")
    file = tmp_path / "feedback.jsonl"
    file.write_bytes(exported.content)
    turns = {turn.question: turn for turn in load_answer_turns([file])}
    assert list(turns) == [TICKET, WHERE, other["question"], unknown["question"]]
    assert turns[TICKET].nuggets == ((first["citations"][0]["span"],),)
    assert turns[TICKET].sources[0] == first["citations"][0]["doc_id"]
    assert turns[WHERE].nuggets == (("pier 3",),)
    assert [turn.text for turn in turns[WHERE].history] == [TICKET, first["answer"]]
    assert not turns[unknown["question"]].answerable

    ran = anaphora(
        *("eval", "answers", file, "--documents", f"harbour={corpus}"),
        *("--out", tmp_path / "out", "--lexical", "--json"),
    )
    assert ran.code == 0, ran.err
    (results,) = (tmp_path / "out" / "answers").glob("*.json")
    asked = json.loads(results.read_text("utf-8"))["turns"]
    assert {one["id"]: one["right"] for one in asked if one["answerable"]} == {
        first["turn"]: True,
        follow_up["turn"]: True,
        other["turn"]: False,
    }
    assert [one["kind"] for one in asked if not one["answerable"]] == ["should have abstained"]


def test_the_last_judgement_counts_and_can_be_withdrawn(client):
    answer = ask(client, TICKET)
    address = f"/api/v1/conversations/{answer['conversation']}"
    say(client, answer, "wrong", expected="13 euros")
    say(client, answer, "right")
    (turn,) = client.get(address).json()["turns"]
    assert turn["feedback"] == {"verdict": "right", "stage": None, "expected": "", "comment": ""}
    assert len(client.get(FEEDBACK).json()["feedback"]) == 1
    given = f"{address}/turns/{answer['turn']}/feedback"
    assert client.delete(given).status_code == 204
    assert client.delete(given).status_code == 404
    assert client.get(address).json()["turns"][0]["feedback"] is None
    say(client, answer, "right")
    client.delete(address)
    assert client.get(FEEDBACK).json()["feedback"] == []


def test_feedback_that_cannot_be(client):
    answer = ask(client, TICKET)
    own = {name: answer[name] for name in ("conversation", "turn")}
    for body, status in [
        ({**own, "turn": "none", "verdict": "right"}, 404),
        ({**own, "verdict": "nice"}, 422),
        ({**own, "verdict": "wrong", "stage": "the model"}, 422),
        ({**own, "verdict": "wrong", "expected": "x" * 20_000}, 422),
        ({**own, "verdict": "wrong", "expected": "\udc00", "owner": "b"}, 422),
    ]:
        response = client.post(
            FEEDBACK, content=json.dumps(body), headers={"Content-Type": "application/json"}
        )
        assert response.status_code == status
        assert response.json()["detail"]


def test_what_a_judgement_asks_of_the_pipeline():
    def cited(span="", quote="The quote."):
        return {"span": span, "quote": quote, "doc_id": "docs/a.md"}

    answer = {"question": "?", "citations": [cited(), cited()], "abstained": False, "lang": "zh"}
    assert example("1", answer, "right", "") == {
        "id": "1",
        "collection": "documents",
        "question": "?",
        "nuggets": [["The quote."]],
        "sources": ["docs/a.md"],
        "kind": "right",
        "lang": "zh",
        "answerable": True,
    }
    assert example("1", {**answer, "citations": []}, "right", "") is None
    abstained = example("1", {**answer, "abstained": True}, "right", "")
    assert (abstained["nuggets"], abstained["sources"]) == ([], [])
    for nothing in ("", "  ", "[1]"):
        assert example("1", answer, "wrong", nothing) is None
    assert example("1", answer, "wrong source", "答案")["nuggets"] == [["答案"]]
    # Words of a person are no pattern.
    assert example("1", answer, "wrong", "re: [x")["nuggets"] == [[" re: [x"]]
