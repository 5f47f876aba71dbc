"""Causal models with tiny random weights of the real architectures."""

from __future__ import annotations

import importlib.util

import pytest
from support import tiny_causal

from anaphora.errors import ModelUnavailable
from anaphora.models.causal import CausalModel
from anaphora.models.chat import Finish, Message, PromptTooLong

TEXTS = [
    "When did they end?",
    "它在哪里？",
    "ที่ไหน",
    "متى",
    "Где он был?",
    "ở đâu?",
    "Nerede?",
    "どこ？",
]
LETTERS = ["".join(TEXTS) + "Answer briefly. "]


def chat(text, system="Answer briefly."):
    return [Message("system", system), Message("user", text)]


@pytest.fixture(scope="module", params=tiny_causal.KINDS)
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / request.param
    return tiny_causal.make(place, LETTERS, request.param)


@pytest.fixture(scope="module")
def model(folder):
    return CausalModel(str(folder), tokens=12)


def completion(model, messages):
    """The parts of a completion and how it ended."""
    stream, parts = model.stream(messages), []
    while True:
        try:
            parts.append(next(stream))
        except StopIteration as end:
            return parts, end.value


@pytest.mark.parametrize("text", TEXTS)
def test_a_completion_is_the_greedy_one_in_whole_characters(model, text):
    import torch

    ids = model.prompt(chat(text))
    (written,) = model.network.generate(
        torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids), dtype=torch.long),
        max_new_tokens=12,
        do_sample=False,
    )[:, len(ids) :].tolist()
    ended = 1 in written
    kept = written[: written.index(1)] if ended else written
    parts, finish = completion(model, chat(text))
    assert "".join(parts) == model.tokenizer.decode(kept, skip_special_tokens=True)
    assert all(parts)
    assert finish == Finish(ended, len(ids))
    assert completion(model, chat(text)) == (parts, finish)


def test_the_prompt_is_that_of_the_chat_template(model):
    text = model.tokenizer.decode(model.prompt(chat("Nerede?")))
    assert text.replace(" ", "") == ("<|system|>Answerbriefly.</s><|user|>Nerede?</s><|assistant|>")


def test_a_template_without_a_system_message(tmp_path):
    place = tiny_causal.make(tmp_path / "tiny", LETTERS, template=tiny_causal.WITHOUT_SYSTEM)
    model = CausalModel(str(place))
    text = model.tokenizer.decode(model.prompt(chat("متى")))
    # The empty line between both is unknown to this tokenizer.
    assert text.replace(" ", "") == "<|user|>Answerbriefly.<unk>متى</s><|assistant|>"


def test_a_checkpoint_without_a_template_gets_paragraphs(tmp_path):
    place = tiny_causal.make(tmp_path / "tiny", LETTERS, template=None)
    model = CausalModel(str(place), tokens=4)
    assert (
        model.prompt(chat("Nerede?")) == model.tokenizer("Answer briefly.\n\nNerede?")["input_ids"]
    )
    assert completion(model, chat("Nerede?"))[1].prompt_tokens == len(model.prompt(chat("Nerede?")))


def test_a_broken_template(tmp_path):
    place = tiny_causal.make(tmp_path / "tiny", LETTERS, template="{{ raise_exception('no') }}")
    with pytest.raises(ModelUnavailable, match=r"the chat template of .* fails"):
        CausalModel(str(place)).prompt([Message("user", "?")])


def test_a_prompt_that_does_not_fit(tmp_path):
    place = tiny_causal.make(tmp_path / "tiny", LETTERS, window=40)
    model = CausalModel(str(place), tokens=12)
    assert model.window() == 40
    assert completion(model, chat("Nerede?", "A"))[1].prompt_tokens <= 28
    with pytest.raises(PromptTooLong, match="12 of the answer do not fit into the window of 40"):
        next(model.stream(chat("Nerede?" * 6)))


def test_a_limit_of_seconds(model):
    with pytest.raises(ModelUnavailable, match="gave no whole answer within 0 seconds"):
        list(model.stream(chat(TEXTS[0]), seconds=0.0))


@pytest.mark.parametrize("quantized", ["int8", "int4"])
def test_weights_in_fewer_bits(folder, quantized):
    pytest.importorskip("bitsandbytes", reason="needs the extra anaphora[quantized]")
    model = CausalModel(str(folder), tokens=6, quantized=quantized)
    layer = model.network.model.layers[0].mlp.up_proj
    assert type(layer).__name__ == {"int8": "Linear8bitLt", "int4": "Linear4bit"}[quantized]
    assert completion(model, chat(TEXTS[0])) == completion(model, chat(TEXTS[0]))


def test_without_the_extra_one_sentence_says_what_to_install(folder, monkeypatch):
    def found(name):
        return None if name == "bitsandbytes" else importlib.util.find_spec(name)

    monkeypatch.setattr("anaphora.models.causal.find_spec", found)
    with pytest.raises(
        ModelUnavailable, match=r'int4 needs bitsandbytes: `pip install "anaphora\['
    ):
        CausalModel(str(folder), quantized="int4")
