"""Search, the stages by themselves, and the list of indexes."""

from __future__ import annotations

from fastapi.testclient import TestClient
from support.serving import QUESTIONS


def test_the_indexes_are_listed(client: TestClient) -> None:
    found = client.get("/api/v1/indexes").json()
    (only,) = found["indexes"]
    assert (only["name"], only["state"], only["detail"]) == ("harbour", "ready", "")
    assert only["documents"] == 11
    assert {"ar", "en", "ja", "th", "vi", "zh"} <= set(only["languages"])
    assert found["configurations"] == ["default", "quick"]


def test_a_search_finds_passages(client: TestClient) -> None:
    response = client.post("/api/v1/search", json={"query": QUESTIONS["ar"], "k": 3})
    form = response.json()
    assert form["lang"] == "ar"
    assert [hit["rank"] for hit in form["hits"]] == [1, 2, 3]
    assert "1887" in form["hits"][0]["text"]


def test_a_question_is_rewritten(client: TestClient) -> None:
    history = [
        {"role": "user", "text": "Who were The Mothers of Invention?"},
        {"role": "assistant", "text": "An American rock band."},
    ]
    body = {"question": "When did they disband?", "history": history}
    form = client.post("/api/v1/rewrite", json=body).json()
    assert "The Mothers of Invention" in form["rewrite"]
    assert form["decision"] == "rewrite"
    courtesy = client.post("/api/v1/rewrite", json={"question": "Merci beaucoup !"}).json()
    assert courtesy["decision"] == "no retrieval"


def test_passages_are_ranked_and_read(client: TestClient) -> None:
    passages = [
        {"_id": "1", "text": "Le phare est peint en rouge."},
        {"_id": "2", "text": "灯塔建于1887年。渡船中午开航。"},
    ]
    body = {"question": QUESTIONS["zh"], "passages": passages}
    ranking = client.post("/api/v1/rerank", json=body).json()["ranking"]
    assert [one["_id"] for one in ranking] == ["2", "1"]
    answer = client.post("/api/v1/read", json=body).json()
    assert "1887" in answer["answer"]
    assert answer["citations"][0]["passage_id"] == "2"
    assert client.post("/api/v1/read", json={**body, "passages": []}).json()["abstained"]


def test_two_passages_of_one_id_are_refused(client: TestClient) -> None:
    body = {"question": "Why?", "passages": [{"_id": "é", "text": "a"}, {"_id": "é", "text": "b"}]}
    assert client.post("/api/v1/rerank", json=body).status_code == 422
