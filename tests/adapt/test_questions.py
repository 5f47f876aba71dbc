"""Questions that are made from the passages of an index."""

from __future__ import annotations

from contextlib import closing

import pytest
from support import manuals

from anaphora.adapt.questions import generated, passages_by_document
from anaphora.adapt.questions import written as written_by
from anaphora.index import open_index
from anaphora.models.endpoint import ChatModel
from anaphora.records import Passage


@pytest.fixture
def documents(written):
    with closing(open_index(written / "plain")) as index:
        yield passages_by_document(index, 10_000, 0)


def test_every_script_is_asked_and_the_neighbours_answer(documents):
    asked = generated(documents, 10_000, 0)
    known = {one.passage_id: one for document in documents for one in document}
    found = {one.doc_id.removesuffix(".md")[-2:] for one in asked}
    # The Thai sentences of these manuals are longer than those that are asked.
    assert found >= set(manuals.SENTENCES) - {"th"}
    for one in asked:
        (own,) = one.without
        assert one.query.text in " ".join(known[own].text.split())
        assert own not in one.gains
        for id in one.gains:
            assert known[id].section == known[own].section
            assert known[id].doc_id == known[own].doc_id == one.doc_id
            assert one.query.text not in " ".join(known[id].text.split())


def test_the_seed_decides(documents):
    assert generated(documents, 50, 1) == generated(documents, 50, 1)
    assert generated(documents, 50, 1) != generated(documents, 50, 2)


def test_what_stands_in_two_passages_is_not_asked():
    said = "This long sentence about the red valve is said in two places."
    other = "Another sentence about the red valve is said in one place."
    texts = [f"{said} {other}", said.upper(), "Nothing long."]
    document = [Passage(f"a#{at}", "a", "A", text, "en") for at, text in enumerate(texts)]
    assert [one.query.text for one in generated([document], 10, 0)] == [other]


@pytest.mark.parametrize("text", ["水泵停了。", "The pump stopped.", "ปั๊มหยุด", "توقفت المضخة."])
def test_documents_of_one_passage_ask_nothing(text):
    assert generated([[Passage("a", "a", "", text * 3, "en")]], 10, 0) == []


def test_a_language_model_writes_questions(documents, endpoint):
    server = endpoint(
        {"do": "stream", "parts": ["«Wie öffne ich ", "das Ventil?»\n", "Oder nicht?"]}
    )
    few = [documents[0][:3]]
    asked = written_by(few, ChatModel(server.url, "m"), 0)
    assert [one.query.text for one in asked] == ["Wie öffne ich das Ventil?"] * 3
    assert {id for one in asked for id in one.gains} == {one.passage_id for one in few[0]}
    assert len(server.requests) == 3


def test_an_endpoint_that_fails_is_not_asked_again_and_again(documents, endpoint, caplog):
    server = endpoint({"do": "status", "code": 400, "message": "no such model"})
    assert written_by(documents, ChatModel(server.url, "m"), 0) == []
    assert len(server.requests) <= 8
    assert "the others are sentences of the documents" in caplog.text
