"""Readers by causal models, on tiny ones of the real architectures."""

from __future__ import annotations

import pytest
from support import tiny_causal
from support.lighthouse import QUESTIONS, TEXTS

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.models.causal import CausalModel
from anaphora.read.prompts import Request
from anaphora.read.sources import section
from anaphora.records import Hit, Passage, Query
from anaphora.registry import build

ANSWER = "The lighthouse was built in 1887 [1]."
LETTERS = [chr(code) for code in range(33, 127)]
LETTERS += [*TEXTS.values(), *QUESTIONS.values(), "…‹›–’"]


def hit(lang, rank=1):
    text = TEXTS[lang]
    return Hit(Passage(f"p{rank}", "d", "Coast", text, lang, end=len(text)), 1 / rank, rank)


def query(lang):
    return Query(QUESTIONS[lang], lang)


def reader(folder, check="support", **settings):
    read = {"method": "causal", "model": str(folder), **settings}
    config = Config.of({"read": read, "check": {"method": check}})
    return build(config.read, Assistant(None, config))


@pytest.fixture(scope="module", params=tiny_causal.KINDS)
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / request.param
    return tiny_causal.make(place, LETTERS, request.param, window=4096)


def test_unchecked_an_answer_is_what_the_model_wrote_from_passages_or_without(folder):
    one = reader(folder, "none", tokens=8, passages=2)
    langs = ["en", "zh", "th", "ar", "ru"]
    found = [[hit(lang), hit("en", 2), hit("de", 3)] for lang in langs]
    found[1] = []
    answers = one.read(list(map(query, langs)), found)
    for lang, hits, answer in zip(langs, found, answers, strict=True):
        (again,) = one.read([query(lang)], [hits])
        assert (again.text, again.citations) == (answer.text, answer.citations)
        assert answer.text
        assert not answer.abstained
        assert [one.quote for one in answer.citations] == [hit.passage.text for hit in hits[:2]]


def test_checked_it_shows_nothing_that_a_random_model_writes(folder):
    (answer,) = reader(folder, tokens=20).read([query("en")], [[hit("en")]])
    assert answer.writing.model == str(folder)
    assert answer.writing.fallback
    assert answer.citations
    assert "[1]" in answer.text


def test_checked_it_shows_what_its_sources_support(folder, tmp_path):
    """The model learns to write one answer to one prompt."""
    import torch

    model = CausalModel(str(folder))
    one, _ = section(hit("en"))
    messages = Request(query("en"), (one,), "translated-names").messages()
    ids = model.prompt(messages)
    wanted = model.tokenizer(ANSWER, add_special_tokens=False)["input_ids"]
    tokens = torch.tensor([[*ids, *wanted, 1]])
    labels = tokens.clone()
    labels[:, : len(ids)] = -100
    network = model.network.train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    losses = []
    while not losses or losses[-1] > 0.003:
        loss = network(input_ids=tokens, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        assert len(losses) < 300
    network.eval().save_pretrained(tmp_path / "out")
    model.tokenizer.save_pretrained(tmp_path / "out")
    (answer,) = reader(tmp_path / "out").read([query("en")], [[hit("en")]])
    assert not answer.writing.fallback
    assert answer.text == "The lighthouse was built in 1887. [1]"
    assert answer.citations[0].quote == "The lighthouse was built in 1887."
    assert answer.writing.requests == 1
