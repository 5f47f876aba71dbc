"""`anaphora models`, against a server in a process of its own."""

from __future__ import annotations

import json

from tools.pages import ROOT, table

LISTED = [{"id": "qwen3:8b", "context_length": 40960}, {"id": "模型"}]


def test_the_models_of_an_endpoint_are_listed(endpoint, anaphora):
    server = endpoint({"do": "answer", "text": "", "models": LISTED})
    done = anaphora("models", server.url)
    assert (done.code, done.out) == (0, "qwen3:8b  (40,960 tokens)\n模型\n")
    form = json.loads(anaphora("models", server.url, "--json").out)
    assert form == [{"name": "qwen3:8b", "window": 40960}, {"name": "模型", "window": None}]
    documented = table(ROOT / "docs" / "json.md", "Output of models")
    assert [f"[].{field}" for field in form[0]] == list(documented)


def test_an_endpoint_that_does_not_answer_is_one_sentence(endpoint, anaphora):
    server = endpoint({"do": "answer", "text": ""})
    done = anaphora("models", server.url)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"anaphora: the endpoint {server.url} answered 404")
    assert anaphora("models", "localhost").code == 2
