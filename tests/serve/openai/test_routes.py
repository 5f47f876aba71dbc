"""The routes of the OpenAI API, by plain JSON."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from support.serving import ANSWERS, QUESTIONS

from anaphora.pipeline import rewrite_all
from anaphora.records import Conversation, Turn
from anaphora.retrieve.encoders import load_encoder
from anaphora.serve.openai.forms import Message
from anaphora.serve.openai.messages import conversation
from anaphora.serve.openai.routes import find_model, names
from anaphora.serve.turns import THREADS


def chat(client, question, **further):
    body = {"model": "harbour", "messages": [{"role": "user", "content": question}], **further}
    return client.post("/v1/chat/completions", json=body)


def chunks(response):
    assert response.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in response.text.split("\n") if line.startswith("data: ")]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


def check_error(response, status, code, words, param=None):
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    error = response.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert (error["code"], error["param"]) == (code, param)
    assert words in error["message"]


def test_the_models_are_the_indexes_with_their_configurations(client):
    models = client.get("/v1/models").json()
    assert models["object"] == "list"
    assert [one["id"] for one in models["data"]] == ["anaphora", "harbour", "harbour:quick"]
    for one in models["data"]:
        assert client.get(f"/v1/models/{one['id']}").json() == one


def test_an_index_named_like_the_default_hides_nothing(services, shared_index):
    served = {"harbour": shared_index, "anaphora": shared_index}
    services.indexes.change(served, services.indexes.configs)
    found = {name: find_model(services.indexes, name) for name in names(services.indexes)}
    assert {name: (one.index, one.configuration) for name, one in found.items()} == {
        "anaphora": ("harbour", "default"),
        "harbour": ("harbour", "default"),
        "harbour:quick": ("harbour", "quick"),
        "anaphora:default": ("anaphora", "default"),
        "anaphora:quick": ("anaphora", "quick"),
    }
    services.indexes.change({"anaphora": shared_index}, services.indexes.configs)
    assert names(services.indexes) == ["anaphora", "anaphora:quick"]


def test_the_document_declares_the_statuses_that_are_sent(client):
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for method in methods.values():
            assert ("422" in method["responses"]) is not path.startswith("/v1/")
    assert "HTTPValidationError" not in client.get("/api/v1/openapi.json").text


@pytest.mark.parametrize("lang", QUESTIONS)
def test_an_answer_is_a_message_with_annotations(client, services, lang):
    completion = chat(client, QUESTIONS[lang]).json()
    assert completion["object"] == "chat.completion"
    (choice,) = completion["choices"]
    assert choice["finish_reason"] == "stop"
    text = choice["message"]["content"]
    assert ANSWERS[lang] in text
    assert choice["message"]["annotations"]
    with services.indexes.use("harbour") as assistant:
        answer = assistant.ask(QUESTIONS[lang])
    assert text == answer.text
    for annotation, citation in zip(
        choice["message"]["annotations"], answer.citations, strict=True
    ):
        cited = annotation["url_citation"]
        address = urlsplit(cited["url"])
        place = {name: value[0] for name, value in parse_qs(address.query).items()}
        assert text[cited["start_index"] : cited["end_index"]].strip("[]").isdigit()
        assert cited["title"] == citation.title
        assert f"{address.scheme}://{address.netloc}{address.path}" == "http://127.0.0.1/source"
        assert place == {
            "index": "harbour",
            "passage": citation.passage_id,
            "start": str(citation.start),
            "end": str(citation.end),
        }
    used = completion["usage"]
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]
    assert min(used.values()) > 0


@pytest.mark.parametrize("lang", ["en", "ar", "zh"])
def test_a_stream_adds_up_to_the_whole(client, lang):
    whole = chat(client, QUESTIONS[lang]).json()
    parts = chunks(
        chat(client, QUESTIONS[lang], stream=True, stream_options={"include_usage": True})
    )
    assert len({part["id"] for part in parts}) == 1
    assert {part["object"] for part in parts} == {"chat.completion.chunk"}
    *deltas, last = parts
    assert last["choices"] == []
    assert last["usage"] == whole["usage"]
    choices = [part["choices"][0] for part in deltas]
    assert choices[0]["delta"] == {"role": "assistant", "content": ""}
    text = "".join(choice["delta"].get("content", "") for choice in choices)
    found = [one for choice in choices for one in choice["delta"].get("annotations", ())]
    assert text == whole["choices"][0]["message"]["content"]
    assert found == whole["choices"][0]["message"]["annotations"]
    assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]


def test_a_stream_counts_tokens_only_when_asked(client):
    parts = chunks(chat(client, QUESTIONS["en"], stream=True))
    assert all(part["choices"] and "usage" not in part for part in parts)


def test_a_follow_up_is_understood_by_its_history(client):
    messages = [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "When does the last ferry leave in winter?"},
        {"role": "assistant", "content": "From November to March the last ferry leaves at 16:30."},
        {"role": "user", "content": "And in summer?"},
    ]
    completion = client.post("/v1/chat/completions", json={"messages": messages}).json()
    assert completion["model"] == "anaphora"
    assert "21:15" in completion["choices"][0]["message"]["content"]


EARLIER = {
    "en": ("Who designed the tower?", "Ray Collins designed it. [1]", "When was he born?"),
    "list": (
        "How do I buy a ticket?",
        "1. Choose the day.\n2. Pay at pier 3. [1]\n3. Keep the receipt. [2]\n[3]",
        "What about the second one?",
    ),
    "zh": ("灯塔是谁建造的？", "由王建国建造。[1][2]", "他什么时候出生？"),
    "ar": ("من بنى المنارة؟", "بناها أحمد الكاتب. [1]", "متى ولد؟"),
    "vi": ("Ai xây ngọn hải đăng?", "Nguyễn Văn An xây. [1]", "Ông ấy sinh năm nào?"),
    "ja": ("灯台は誰が建てましたか。", "山田太郎が建てました。[1]", "彼はいつ生まれましたか。"),
    "ru": ("Кто построил маяк?", "Его построил Иван Петров. [1]", "Когда он родился?"),
    "tr": ("Deniz fenerini kim yaptı?", "Onu Ahmet Yılmaz yaptı. [1]", "O ne zaman doğdu?"),
    "th": ("ใครสร้างประภาคาร", "สมชาย ใจดี สร้าง [1]", "เขาเกิดเมื่อไร"),
}


@pytest.mark.parametrize("case", EARLIER)
def test_marks_of_earlier_answers_change_nothing(services, case):
    asked, said, question = EARLIER[case]
    found = []
    for text in (said, re.sub(r"\s*\[\d\]", "", said)):
        messages = [
            Message(role="user", content=asked),
            Message(role="assistant", content=text),
            Message(role="user", content=question),
        ]
        last, history = conversation(messages)
        turns = Conversation((*history, Turn("user", last)))
        with services.indexes.use() as assistant:
            ((understood, rewrite),) = rewrite_all(
                assistant.understander, assistant.rewriter, [turns]
            )
        assert rewrite
        found.append((understood.lang, understood.intent, rewrite.text))
    assert found[0] == found[1]


def test_an_abstention_cites_the_nearest_sections(client):
    message = chat(client, "How tall is the Eiffel tower?").json()["choices"][0]["message"]
    assert "No passage clearly answers" in message["content"]
    assert message["annotations"]


def test_parameters_that_do_not_apply_are_ignored(client):
    response = chat(
        client,
        QUESTIONS["en"],
        temperature=2,
        max_tokens=1,
        max_completion_tokens=1,
        stop=["12"],
        tools=[{"type": "function", "function": {"name": "f"}}],
        response_format={"type": "json_object"},
        user="someone",
        seed=1,
        no_such_parameter=True,
    )
    assert "12 euros" in response.json()["choices"][0]["message"]["content"]


def test_errors_have_the_form_of_the_api(client, stranger):
    check_error(chat(client, "Hi?", model="harbor"), 404, "model_not_found", "harbour", "model")
    check_error(chat(client, "Hi?", model="harbour:q"), 404, "model_not_found", "quick", "model")
    check_error(chat(client, "Hi?", n=2), 400, None, "'n' must be 1", "n")
    check_error(chat(client, ""), 400, None, "the user's question", "messages")
    check_error(
        chat(client, [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/x"}}]),
        400,
        None,
        "only text can be read",
        "messages[0].content[0]",
    )
    check_error(
        client.post("/v1/chat/completions", json={"messages": "Hi?"}), 400, None, "list", "messages"
    )
    cut = client.post(
        "/v1/chat/completions", content=b"{", headers={"Content-Type": "application/json"}
    )
    check_error(cut, 400, None, "JSON", None)
    check_error(client.get("/v1/models/harbor"), 404, "model_not_found", "harbour", "model")
    check_error(client.get("/v1/images"), 404, "not_found", "there is nothing at /v1/images")
    check_error(chat(stranger, "Hi?"), 401, "invalid_api_key", "needs a key")
    assert chat(stranger, "Hi?").headers["www-authenticate"] == "Bearer"


def test_a_full_queue_says_when_to_try_again(client, services):
    release, begun = threading.Event(), threading.Semaphore(0)

    def work():
        begun.release()
        release.wait()
        yield None

    async def fill():
        for owner in range(THREADS):
            services.turns.submit(f"running {owner}", work)
        for _ in range(THREADS):
            await asyncio.to_thread(begun.acquire)
        for owner in range(services.settings.waiting):
            services.turns.submit(f"waiting {owner}", work)

    asyncio.run(fill())
    try:
        for stream in (False, True):
            response = chat(client, QUESTIONS["th"], stream=stream)
            check_error(response, 429, "rate_limit_exceeded", "try again in")
            assert int(response.headers["retry-after"]) >= 1
            assert f"try again in {response.headers['retry-after']} s" in response.text
    finally:
        release.set()


def test_a_stopping_server_says_so(client, services):
    services.turns.stop()
    check_error(chat(client, "Hi?"), 503, "service_unavailable", "stopping")


def test_embeddings_are_those_of_the_encoder(client):
    encoder = load_encoder()
    texts = ["灯塔建于1887年。", "The ferry costs 12 euros."]
    found = client.post("/v1/embeddings", json={"model": "harbour", "input": texts}).json()
    vectors = np.array([one["embedding"] for one in found["data"]], dtype=np.float32)
    assert [one["index"] for one in found["data"]] == [0, 1]
    assert np.array_equal(vectors, encoder.encode_passages(texts))
    assert found["usage"]["prompt_tokens"] == found["usage"]["total_tokens"] > 0
    asked = {"input": texts[1], "input_type": "query", "encoding_format": "base64"}
    (one,) = client.post("/v1/embeddings", json=asked).json()["data"]
    vector = np.frombuffer(base64.b64decode(one["embedding"]), "<f4")
    assert np.array_equal(vector, encoder.encode_queries([texts[1]])[0])


def test_many_embeddings_are_made_in_batches(client):
    texts = [f"{number} ferries" for number in range(70)]
    found = client.post("/v1/embeddings", json={"input": texts}).json()["data"]
    assert [one["index"] for one in found] == list(range(70))
    assert np.array_equal(
        np.array(found[69]["embedding"], dtype=np.float32),
        load_encoder().encode_passages([texts[69]])[0],
    )


def test_wrong_input_for_embeddings_is_named(client):
    def embed(**body):
        return client.post("/v1/embeddings", json=body)

    assert embed(input="a", dimensions=384).status_code == 200
    check_error(embed(input="a", dimensions=12), 400, None, "384 dimensions", "dimensions")
    check_error(embed(input=[1, 2]), 400, None, "token ids", "input")
    check_error(embed(input=[[1, 2]]), 400, None, "token ids", "input")
    check_error(embed(input=["a", " "]), 400, None, "empty", "input")
    assert embed(input=["a"] * 1025).status_code == 400
    assert embed(input=[]).status_code == 400


def test_a_ranking_puts_the_answer_first(client):
    documents = ["Dogs travel on the upper deck.", {"text": "灯塔建于1887年。"}, "…"]
    body = {"model": "harbour", "query": QUESTIONS["zh"], "documents": documents}
    results = client.post("/v1/rerank", json={**body, "return_documents": True}).json()["results"]
    assert [one["index"] for one in results] == [1, 0, 2]
    assert results[0]["document"] == {"text": "灯塔建于1887年。"}
    scores = [one["relevance_score"] for one in results]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.5 > scores[1]
    assert scores[2] == 0
    (best,) = client.post("/v1/rerank", json={**body, "top_n": 1}).json()["results"]
    assert best == {"index": 1, "relevance_score": scores[0]}
