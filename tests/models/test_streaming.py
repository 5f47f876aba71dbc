"""Completions that arrive in parts, from a server in a process of its own."""

from __future__ import annotations

import time

import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models.chat import Finish, Message, PromptTooLong
from anaphora.models.endpoint import ChatModel, Offered
from anaphora.models.streaming import MalformedStream, deltas

ASKED = [Message("user", "متى تأسست؟ 什么时候？")]
SCHEMA = {"type": "object"}


def folded(parts):
    texts = []
    while True:
        try:
            texts.append(next(parts))
        except StopIteration as end:
            return texts, end.value


def stream(*parts, **more):
    return {"do": "stream", "parts": list(parts), **more}


def test_parts_arrive_one_by_one_with_the_count_of_the_prompt(endpoint):
    server = endpoint(stream("东京", " ภาษา", "🎸", prompt_tokens=77))
    assert folded(ChatModel(server.url, "m").stream(ASKED, SCHEMA)) == (
        ["东京", " ภาษา", "🎸"],
        Finish(True, 77),
    )
    body = server.requests[0]["body"]
    assert body["stream"] is True
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_that_does_not_stream_is_read_at_once(endpoint):
    server = endpoint({"do": "answer", "text": "whole"})
    assert folded(ChatModel(server.url, "m").stream(ASKED)) == (["whole"], Finish())


def test_reasoning_and_tool_calls_are_no_text(endpoint):
    server = endpoint(stream({"reasoning_content": "hm"}, {"tool_calls": [{"id": "1"}]}, "a"))
    texts, finish = folded(ChatModel(server.url, "m").stream(ASKED))
    assert (texts, finish.tool_calls) == (["a"], True)


def test_the_limit_on_tokens_is_reported(endpoint):
    server = endpoint(stream("a", finish="length"))
    assert folded(ChatModel(server.url, "m").stream(ASKED))[1].complete is False


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (stream("a", cut=True), "ended its answer in the middle"),
        (stream("a", raw=["data: \xe6\x9d\n\n"]), "sent text that is not UTF-8"),
        (stream("a", raw=["data: {half\n\n"]), "sent an event that is not JSON"),
        (stream("a", raw=["data: [1]\n\n"]), "no chat completion"),
        (stream("a", raw=['data: {"choices": [{"delta": 5}]}\n\n']), "no chat completion"),
        (stream("a", raw=['data: {"choices": "x"}\n\n']), "no chat completion"),
        (stream("a", raw=['data: {"choices": [{"delta": {"content": 5}}]}\n\n']), "without text"),
        (stream("a", raw=['data: {"error": {"message": "out of\\nmemory"}}\n\n']), "out of memory"),
        (stream("a", raw=["<html>\n"]), "no chat completion"),
        (stream("a", stall=3, cut=True), "gave no whole answer within 1 seconds"),
        (stream("a", raw=["data: " + "[" * 100_000 + "\n\n"]), "not JSON"),
    ],
)
def test_what_ends_a_stream_is_said_in_one_sentence(endpoint, step, said):
    server = endpoint(step)
    parts = ChatModel(server.url, "m", timeout=1.0).stream(ASKED)
    assert next(parts) == "a"
    with pytest.raises(ModelUnavailable, match=said) as caught:
        next(parts)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


def test_before_the_first_part_a_busy_endpoint_is_asked_again(endpoint, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    server = endpoint({"do": "status", "code": 503}, stream("a"))
    assert folded(ChatModel(server.url, "m").stream(ASKED))[0] == ["a"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, "unknown field"),
        (400, "response_format is not supported"),
        (500, "1 validation error: Input should be 'text' or 'json_object'"),
    ],
)
def test_without_schemas_the_model_is_asked_for_text(endpoint, code, message):
    refusal = {"do": "status", "code": code, "message": message}
    server = endpoint(refusal, refusal, stream("a"))
    assert folded(ChatModel(server.url, "m").stream(ASKED, SCHEMA))[0] == ["a"]
    forms = [one["body"].get("response_format", {}).get("type") for one in server.requests]
    assert forms == ["json_schema", "json_object", None]


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("This model's maximum context length is 4097 tokens, however you requested 5000", 4097),
        ("the request exceeds the available context size (2048 tokens), try increasing it", 2048),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200000),
        ("context length exceeded", None),
    ],
)
def test_a_prompt_that_is_too_long_is_told_from_other_errors(endpoint, message, window):
    server = endpoint({"do": "status", "code": 400, "message": message})
    with pytest.raises(PromptTooLong) as caught:
        folded(ChatModel(server.url, "m").stream(ASKED, SCHEMA))
    assert caught.value.window == window


def test_closing_leaves_the_rest(endpoint):
    server = endpoint(stream(*["a"] * 1000, pause=0.05))
    parts = ChatModel(server.url, "m").stream(ASKED)
    assert next(parts) == "a"
    parts.close()
    assert list(parts) == []


def test_models_and_windows_are_listed(endpoint):
    models = [
        {"id": "a", "max_model_len": 8192},
        {"id": "b", "meta": {"n_ctx": 2048, "n_ctx_train": 8192}},
        {"id": "c"},
    ]
    server = endpoint({"do": "answer", "text": "", "models": models})
    model = ChatModel(server.url, "b")
    assert model.models() == [Offered("a", 8192), Offered("b", 2048), Offered("c", None)]
    assert (model.window(), ChatModel(server.url, "c").window()) == (2048, None)


def test_an_endpoint_without_a_list_says_so(endpoint):
    server = endpoint({"do": "answer", "text": ""})
    with pytest.raises(ModelUnavailable, match="answered 404"):
        ChatModel(server.url, "m").models()
    assert ChatModel(server.url, "m").window() is None


def test_lines_that_are_no_data_are_passed_over():
    lines = [b": ping\n", b"event: x\n", b'data: {"choices": [{"delta": {"content": "a"}}]}\r\n']
    assert list(deltas([*lines, b"data: [DONE]\n"])) == ["a"]
    with pytest.raises(MalformedStream):
        list(deltas([]))
