"""The client of chat completions, against a server in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time

import pytest

from anaphora.errors import ModelUnavailable, UsageError
from anaphora.models.chat import Message
from anaphora.models.endpoint import KEY_VARIABLE, ChatModel

ASKED = [Message("user", "متى تأسست؟ 什么时候？ 🎸")]


def answer(text="fine", **more):
    return {"do": "answer", "text": text, **more}


def test_a_question_is_sent_and_the_answer_comes_back(endpoint, monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, "secret\n")
    server = endpoint(answer("东京 ภาษาไทย"))
    assert ChatModel(server.url + "/", "small").complete(ASKED) == "东京 ภาษาไทย"
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["authorization"] == "Bearer secret"
    body = request["body"]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0, 512)
    assert body["messages"] == [{"role": "user", "content": ASKED[0].content}]


def test_without_a_key_none_is_sent(endpoint, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    server = endpoint(answer())
    ChatModel(server.url, "m").complete(ASKED)
    assert "authorization" not in server.requests[0]["headers"]


@pytest.mark.parametrize(
    "trouble",
    [
        {"do": "status", "code": 500},
        {"do": "status", "code": 503},
        {"do": "status", "code": 429, "headers": {"Retry-After": "1"}},
        {"do": "close"},
        {"do": "garbage", "text": "<html>"},
        {"do": "garbage", "text": '{"choices": []}'},
    ],
)
def test_what_may_pass_is_tried_again(endpoint, trouble, monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    server = endpoint(trouble, answer("at last"))
    assert ChatModel(server.url, "m").complete(ASKED) == "at last"
    assert len(server.requests) == 2
    assert waits == [1.0 if "headers" in trouble else 0.5]


@pytest.mark.parametrize(
    ("step", "said", "tries"),
    [
        ({"do": "status", "code": 500, "message": "out of\nmemory"}, r"answered 500 \(out of m", 2),
        ({"do": "status", "code": 429, "headers": {"Retry-After": "3600"}}, "answered 429", 1),
        ({"do": "status", "code": 401}, f"put its key into {KEY_VARIABLE}", 1),
        ({"do": "status", "code": 404, "message": "no model m"}, r"answered 404 \(no model m\)", 1),
        ({"do": "status", "code": 307, "headers": {"Location": "/elsewhere"}}, "answered 307", 1),
        ({"do": "close"}, "with no whole chat completion", 2),
        ({"do": "hang_up"}, "cannot be reached", 2),
        ({"do": "garbage", "text": "[1, 2"}, "with no whole chat completion", 2),
        ({"do": "garbage", "text": "[" * 100_000}, "with no whole chat completion", 2),
        ({"do": "answer", "text": None}, "without text", 1),
        (answer("When did the", finish="length"), "within 512 tokens", 1),
    ],
)
def test_what_does_not_pass_is_said_in_one_sentence(endpoint, step, said, tries):
    server = endpoint(step)
    with pytest.raises(ModelUnavailable, match=said) as caught:
        ChatModel(server.url, "m", retries=1).complete(ASKED)
    assert str(caught.value).startswith(f"the endpoint {server.url} ")
    assert "\n" not in str(caught.value)
    assert len(server.requests) == tries


@pytest.mark.parametrize("step", [answer(after=30), {"do": "trickle"}], ids=["stalls", "trickles"])
def test_time_out_counts_from_the_beginning(endpoint, step):
    server = endpoint(step)
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.7 seconds"):
        ChatModel(server.url, "m", timeout=0.7).complete(ASKED)


def test_tries_share_the_time(endpoint):
    server = endpoint({"do": "status", "code": 500})
    with pytest.raises(ModelUnavailable, match="answered 500"):
        ChatModel(server.url, "m", timeout=1.0, retries=100).complete(ASKED)
    assert 1 <= len(server.requests) <= 2


@pytest.mark.parametrize("name", ["temperature", "max_tokens"])
def test_a_parameter_that_the_model_does_not_take_is_left_out(endpoint, name):
    server = endpoint({"do": "strict", "without": name, "text": "fine"})
    assert ChatModel(server.url, "m").complete(ASKED) == "fine"
    assert [name in request["body"] for request in server.requests] == [True, False]


def test_nobody_there():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            ChatModel(url, "m", retries=0).complete(ASKED)


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8000", "file:///etc", "ftp://x/v1", "http://", "http://a b", "http://x:y"],
)
def test_an_address_must_be_one(url):
    with pytest.raises(UsageError, match="must be an address such as"):
        ChatModel(url, "m")


def test_the_key_is_in_no_message(endpoint, monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, "sec\nret")
    model = ChatModel(endpoint(answer()).url, "m")
    with pytest.raises(ModelUnavailable, match=KEY_VARIABLE) as caught:
        model.complete(ASKED)
    assert "sec" not in str(caught.value)
    assert "hidden" not in repr(ChatModel("http://x", "m", key="hidden"))


def test_many_threads_share_a_model(endpoint):
    server = endpoint(answer(after=0.1))
    model = ChatModel(server.url, "m")
    got = []
    threads = [threading.Thread(target=lambda: got.append(model.complete(ASKED))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == ["fine"] * 8


def test_a_program_ends_though_an_endpoint_trickles(endpoint):
    server = endpoint({"do": "trickle"})
    program = (
        "from anaphora.models.endpoint import ChatModel, Message\n"
        f"try: ChatModel({server.url!r}, 'm', timeout=0.5).complete([Message('user', 'Hi')])\n"
        "except Exception as error: print(type(error).__name__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=10, check=True
    )
    assert run.stdout == "ModelUnavailable\n"
