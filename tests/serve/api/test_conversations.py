"""Conversations over HTTP, asked of the real index."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from support.serving import QUESTIONS, events

from anaphora.serve.app import create_app
from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.settings import ServeSettings

TICKET, WHERE = "How much does a day ticket for the ferry cost?", "Where can I pay for it?"
ALL = "/api/v1/conversations"


def ask(client: TestClient, question: str, **fields) -> dict:
    response = client.post("/api/v1/ask", json={"question": question, **fields})
    assert response.status_code == 200, response.text
    return response.json()


def test_a_conversation_goes_on_where_it_was(client):
    first = ask(client, TICKET)
    assert first["conversation"]
    second = ask(client, WHERE, conversation=first["conversation"])
    assert second["conversation"] == first["conversation"]
    assert "pier 3" in second["answer"]
    form = client.get(f"{ALL}/{first['conversation']}").json()
    assert (form["title"], form["index"], form["next"]) == (TICKET, "harbour", None)
    one, two = form["turns"]
    assert (one["id"], one["parent"]) == (first["turn"], None)
    assert (two["id"], two["parent"]) == (second["turn"], first["turn"])
    assert [one["answer"], two["answer"]] == [first, second]
    (listed,) = client.get(ALL).json()["conversations"]
    assert (listed["id"], listed["turns"]) == (form["id"], 2)


def test_the_same_question_after_another_turn_is_a_branch(client):
    first = ask(client, TICKET)
    own = {"conversation": first["conversation"]}
    ask(client, "What about dogs?", **own)
    branch = ask(client, WHERE, **own, parent=first["turn"])
    begun = ask(client, WHERE, **own, parent=None)
    assert "pier 3" in branch["answer"]
    assert branch["rewrite"] != begun["rewrite"]
    turns = client.get(f"{ALL}/{first['conversation']}").json()["turns"]
    assert [turn["parent"] for turn in turns] == [None, first["turn"], first["turn"], None]


def test_the_events_of_a_turn_name_where_it_is_stored(client):
    found = events(
        client.post(
            "/api/v1/ask",
            json={"question": QUESTIONS["zh"]},
            headers={"Accept": "text/event-stream"},
        ).text
    )
    done = found[-1][1]
    turn = client.get(f"{ALL}/{done['conversation']}").json()["turns"][0]
    assert turn["id"] == done["turn"]
    trace = client.get(f"{ALL}/{done['conversation']}/turns/{done['turn']}/trace").json()
    assert trace["rewrite"]["rewrite"] == done["rewrite"]


@pytest.mark.parametrize(
    "fields", [{"store": False}, {"history": []}, {"history": [{"role": "user", "text": "Hi"}]}]
)
def test_what_is_not_to_be_stored_is_not(client, fields):
    form = ask(client, TICKET, **fields)
    assert (form["conversation"], form["turn"]) == (None, None)
    assert client.get(ALL).json() == {"conversations": [], "next": None}


@pytest.mark.parametrize(
    ("fields", "status", "detail"),
    [
        ({"conversation": "none"}, 404, "there is no such conversation"),
        ({"parent": "t"}, 400, "'parent' needs the 'conversation' that it is of"),
        ({"conversation": "c", "history": []}, 400, "'history' and 'conversation' exclude"),
    ],
)
def test_a_question_that_stands_nowhere(client, fields, status, detail):
    response = client.post("/api/v1/ask", json={"question": TICKET, **fields})
    assert response.status_code == status
    assert detail in response.json()["detail"]


def test_search_rename_pages_and_deletion(client):
    asked = {lang: ask(client, question) for lang, question in QUESTIONS.items()}
    for lang, query in {"zh": "灯塔", "ar": "المنار", "vi": "hai dang", "th": "ประภา"}.items():
        found = client.get(ALL, params={"q": query}).json()["conversations"]
        assert [one["id"] for one in found] == [asked[lang]["conversation"]]
    pages, after = [], None
    while pages == [] or after:
        page = client.get(ALL, params={"limit": 4} | ({"after": after} if after else {})).json()
        pages.append([one["title"] for one in page["conversations"]])
        after = page["next"]
    assert [len(page) for page in pages] == [4, 2]
    assert [*pages[0], *pages[1]] == list(QUESTIONS.values())[::-1]

    address = f"{ALL}/{asked['vi']['conversation']}"
    assert client.patch(address, json={"title": "Hải đăng"}).json()["title"] == "Hải đăng"
    assert client.get(address).json()["title"] == "Hải đăng"
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404
    assert client.delete(ALL).json() == {"deleted": 5}
    assert client.get(ALL).json()["conversations"] == []


def test_an_empty_conversation_takes_the_index_of_its_first_question(client):
    made = client.post(ALL, json={})
    assert made.status_code == 201
    form = ask(client, TICKET, conversation=made.json()["id"])
    assert form["conversation"] == made.json()["id"]


def test_exports_are_files(client):
    form = ask(client, QUESTIONS["zh"])
    address = f"{ALL}/{form['conversation']}/export"
    exported = client.get(address)
    assert exported.json()["turns"][0]["answer"] == form
    assert exported.headers["content-disposition"].startswith("attachment; filename*=UTF-8''%E7")
    written = client.get(address, params={"format": "markdown"})
    assert written.headers["content-type"] == "text/markdown; charset=utf-8"
    assert QUESTIONS["zh"] in written.text
    assert "1887" in written.text
    assert client.get(address, params={"format": "pdf"}).status_code == 422


def test_bad_requests_get_a_sentence(client):
    conversation = ask(client, TICKET)["conversation"]
    for response, status in [
        (client.get(ALL, params={"after": "x"}), 400),
        (client.get(ALL, params={"after": "9" * 30}), 400),
        (client.get(ALL, params={"limit": 0}), 422),
        (client.patch(f"{ALL}/{conversation}", json={"title": ""}), 422),
        (client.patch(f"{ALL}/{conversation}", json={"title": "x", "owner": "b"}), 422),
        (client.get(f"{ALL}/../../etc/passwd"), 404),
        (client.get(f"{ALL}/{conversation}/turns/none/trace"), 404),
    ]:
        assert response.status_code == status
        assert response.json()["detail"]


def test_a_server_that_stores_nothing(shared_index, tmp_path):
    settings = ServeSettings(folder=tmp_path, conversations=False)
    services = build_services(settings, {"harbour": shared_index}, configurations({}, {}))
    client = TestClient(create_app(services), base_url="http://127.0.0.1")
    client.get("/start", params={"token": services.sessions.start_token()})
    form = ask(client, QUESTIONS["vi"])
    assert (form["conversation"], form["turn"]) == (None, None)
    assert client.get("/api/v1/session").json()["conversations"] is False
    for response in (
        client.get(ALL),
        client.post("/api/v1/ask", json={"question": "?", "conversation": "c"}),
    ):
        assert response.status_code == 404
        assert response.json()["detail"].startswith("this server stores no conversations, because")
    services.close()
    for file in tmp_path.iterdir():
        assert "Ngọn hải đăng".encode() not in file.read_bytes()


def test_the_store_is_full(client, services):
    with services.store.database.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    answers = [client.post("/api/v1/ask", json={"question": TICKET}) for _ in range(8)]
    full = [one for one in answers if one.status_code != 200]
    assert full
    assert {one.status_code for one in full} == {507}
    assert "nothing was stored; free some space" in full[0].json()["detail"]
    kept = client.get(ALL).json()["conversations"]
    assert len(kept) == len(answers) - len(full)


def test_deleted_conversations_are_in_no_file(client, services):
    form = ask(client, QUESTIONS["ja"])
    folder = services.store.database.path.parent

    def held(text):
        return any(text.encode() in file.read_bytes() for file in folder.iterdir())

    assert held("灯台はいつ")
    client.delete(f"{ALL}/{form['conversation']}")
    assert not held("灯台")
