"""The unchanged official clients, with a server in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("openai")

import openai
from support.server import served
from support.serving import ANSWERS, QUESTIONS

from anaphora.retrieve.encoders import load_encoder


@pytest.fixture(scope="module")
def server(shared_index, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    with served(["--index", str(shared_index)], folder) as running:
        yield running


@pytest.fixture
def client(server, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    base = f"{server.address}/v1"
    with openai.OpenAI(base_url=base, api_key=server.key, max_retries=0) as client:
        yield client


def asked(question):
    return {"model": "harbour", "messages": [{"role": "user", "content": question}]}


@pytest.mark.parametrize("lang", QUESTIONS)
def test_openai_gets_an_answer_with_annotations(client, server, lang):
    completion = client.chat.completions.create(**asked(QUESTIONS[lang]))
    message = completion.choices[0].message
    assert ANSWERS[lang] in message.content
    for annotation in message.annotations:
        cited = annotation.url_citation
        assert message.content[cited.start_index : cited.end_index].strip("[]").isdigit()
        assert cited.url.startswith(f"{server.address}/source?index=harbour&passage=")
    assert completion.usage.total_tokens > 0


def test_openai_streams(client):
    parts = list(
        client.chat.completions.create(
            **asked(QUESTIONS["ar"]), stream=True, stream_options={"include_usage": True}
        )
    )
    deltas = [part.choices[0].delta for part in parts if part.choices]
    whole = client.chat.completions.create(**asked(QUESTIONS["ar"]))
    assert "".join(delta.content or "" for delta in deltas) == whole.choices[0].message.content
    streamed = [one for delta in deltas for one in (delta.model_extra or {}).get("annotations", ())]
    assert streamed == [one.model_dump() for one in whole.choices[0].message.annotations]
    assert parts[-1].usage == whole.usage


def test_openai_continues_a_conversation_with_the_message_that_it_got(client):
    first = asked("When does the last ferry leave in winter?")
    answer = client.chat.completions.create(**first).choices[0].message
    messages = [*first["messages"], answer, {"role": "user", "content": "And in summer?"}]
    second = client.chat.completions.create(model="harbour", messages=messages)
    assert "21:15" in second.choices[0].message.content


def test_openai_lists_models_and_embeds(client):
    assert [one.id for one in client.models.list()] == ["anaphora", "harbour"]
    texts = ["灯塔建于1887年。", "متى بنيت المنارة؟"]
    # The client asks for base64 by itself, and decodes it.
    found = client.embeddings.create(model="harbour", input=texts)
    vectors = np.array([one.embedding for one in found.data], dtype=np.float32)
    assert np.array_equal(vectors, load_encoder().encode_passages(texts))


def test_openai_raises_its_own_errors(client, server):
    with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'") as missing:
        client.chat.completions.create(**{**asked("Hi?"), "model": "gpt"})
    assert missing.value.code == "model_not_found"
    with pytest.raises(openai.BadRequestError, match="'n' must be 1"):
        client.chat.completions.create(**asked("Hi?"), n=2)
    image = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]
    with pytest.raises(openai.BadRequestError, match="only text can be read"):
        client.chat.completions.create(**asked(image))
    with (
        openai.OpenAI(base_url=client.base_url, api_key="wrong", max_retries=0) as stranger,
        pytest.raises(openai.AuthenticationError),
    ):
        stranger.models.list()


def test_llm_asks_and_continues(server, tmp_path):
    pytest.importorskip("llm")
    model = {
        "model_id": "harbour",
        "model_name": "harbour",
        "api_base": f"{server.address}/v1",
        "api_key_name": "harbour",
    }
    # JSON is YAML.
    (tmp_path / "extra-openai-models.yaml").write_text(json.dumps([model]), "utf-8")
    (tmp_path / "keys.json").write_text(json.dumps({"harbour": server.key}), "utf-8")
    environment = {**os.environ, "NO_PROXY": "*", "LLM_USER_PATH": str(tmp_path)}

    def llm(*arguments: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "llm", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr.decode()
        return ran.stdout.decode()

    assert ANSWERS["zh"] in llm("-m", "harbour", "--no-stream", QUESTIONS["zh"])
    assert "16:30" in llm("-m", "harbour", "When does the last ferry leave in winter?")
    assert "21:15" in llm("-c", "And in summer?")
