"""Generation with tiny random models of the real architectures."""

from __future__ import annotations

import importlib.util
import math

import pytest
from support import tiny_seq2seq

from anaphora.errors import ModelUnavailable
from anaphora.models.decoding import Decoding
from anaphora.models.seq2seq import Seq2SeqModel

TEXTS = [
    "when did they end",
    "它在哪里",
    "ที่ไหน",
    "متى",
    "a",
    "где он родился " * 20,
    "Nó ở đâu? İki",
]
PAPER = Decoding(40, min_tokens=10, beams=4, early=True, no_repeat=3)
"""The decoding of Ferreira et al. (2021), section 4.2, for shorter texts."""


def assert_same(made, other):
    assert (made.text, made.whole) == (other.text, other.whole)
    assert math.isclose(made.confidence, other.confidence, rel_tol=1e-5)


@pytest.mark.parametrize("kind", tiny_seq2seq.KINDS)
def test_generation_is_greedy_and_a_text_does_not_depend_on_its_batch(tmp_path, kind):
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS, kind)
    model = Seq2SeqModel(str(folder))
    import torch
    import transformers

    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    start = network.config.decoder_start_token_id
    forced = network.generation_config.forced_eos_token_id is not None
    together = model.generate(TEXTS, Decoding(9), 100)
    for text, made in zip(TEXTS, together, strict=True):
        (alone,) = model.generate([text], Decoding(9), 100)
        assert alone.text == made.text
        assert math.isclose(alone.confidence, made.confidence, rel_tol=1e-3)
        ids = model.tokenizer(text, return_tensors="pt", truncation=True, max_length=100)
        written, logs = [], []
        with torch.no_grad():
            while len(written) < 9 and written[-1:] != [1]:
                inputs = torch.tensor([[start, *written]])
                logits = network(**ids, decoder_input_ids=inputs).logits[0, -1]
                if len(written) == 8 and forced:
                    logits[[at for at in range(len(logits)) if at != 1]] = -math.inf
                logs.append(logits.log_softmax(-1).max().item())
                written.append(int(logits.argmax()))
        assert made.text == model.tokenizer.decode(written, skip_special_tokens=True).strip()
        assert made.whole == (1 in written[: 9 - forced])
        # A pad token inside a text counts for nothing.
        kept = [log for log, token in zip(logs, written, strict=True) if token != 0]
        assert math.isclose(made.confidence, math.exp(sum(kept) / max(1, len(kept))), rel_tol=1e-3)


@pytest.mark.parametrize("kind", tiny_seq2seq.KINDS)
def test_beam_search_is_that_of_transformers_and_a_text_does_not_depend_on_its_batch(
    tmp_path, kind
):
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS, kind)
    model = Seq2SeqModel(str(folder))
    import transformers

    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for text, made in zip(TEXTS, model.generate(TEXTS, PAPER, 100), strict=True):
        ids = model.tokenizer(text, return_tensors="pt", truncation=True, max_length=100)
        (written,) = network.generate(
            **ids,
            max_new_tokens=40,
            min_new_tokens=10,
            num_beams=4,
            no_repeat_ngram_size=3,
            early_stopping=True,
        ).tolist()
        assert made.text == model.tokenizer.decode(written, skip_special_tokens=True).strip()
        assert model.generate([text], PAPER, 100)[0].text == made.text
        written = written[1:]
        assert len(written) >= 10
        trigrams = list(zip(written, written[1:], written[2:], strict=False))
        assert len(set(trigrams)) == len(trigrams)
        assert 0 < made.confidence <= 1


@pytest.mark.parametrize("kind", tiny_seq2seq.KINDS)
def test_the_decoder_sees_every_text_of_a_group(tmp_path, kind):
    """Fusion-in-Decoder is generation from the encoder's states of all texts, one after another."""
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS, kind)
    model = Seq2SeqModel(str(folder))
    import torch
    import transformers

    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    groups = [TEXTS[:3], TEXTS[3:4], TEXTS[4:6]]
    made = model.fuse(groups, Decoding(6), 100)
    assert_same(made[1], model.generate([TEXTS[3]], Decoding(6), 100)[0])
    start = network.config.decoder_start_token_id
    for group, one in zip(groups, made, strict=True):
        assert_same(one, model.fuse([group], Decoding(6), 100)[0])
        with torch.no_grad():
            states = []
            for text in group:
                ids = model.tokenizer(text, return_tensors="pt", truncation=True, max_length=100)
                states.append(network.get_encoder()(**ids).last_hidden_state)
            logits = network(
                encoder_outputs=(torch.cat(states, dim=1),),
                decoder_input_ids=torch.tensor([[start]]),
            ).logits[0, -1]
        first = model.tokenizer.decode([int(logits.argmax())], skip_special_tokens=True)
        assert one.text.startswith(first.strip())


def test_a_minimum_of_the_checkpoint_does_not_count(tmp_path):
    transformers = pytest.importorskip("transformers")

    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS, "Bart")
    before = Seq2SeqModel(str(folder)).generate(TEXTS, Decoding(30), 100)
    configuration = transformers.GenerationConfig.from_pretrained(folder)
    configuration.update(min_length=25, max_length=142, num_beams=4, no_repeat_ngram_size=3)
    configuration.save_pretrained(folder)
    assert Seq2SeqModel(str(folder)).generate(TEXTS, Decoding(30), 100) == before


def test_no_texts(tmp_path):
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS)
    assert Seq2SeqModel(str(folder)).generate([], Decoding(8), 100) == []


def test_a_model_that_cannot_be_loaded(tmp_path):
    if importlib.util.find_spec("torch") is None or not importlib.util.find_spec("transformers"):
        expected = r'needs transformers and torch: `pip install "anaphora\[hf\]"`'
    else:
        expected = "cannot be loaded"
        (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match=expected) as caught:
        Seq2SeqModel(str(tmp_path))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)
