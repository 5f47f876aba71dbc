"""Greedy generation with tiny random models of the real architectures."""

from __future__ import annotations

import importlib.util
import math

import pytest
from support import tiny_seq2seq

from anaphora.errors import ModelUnavailable
from anaphora.models.seq2seq import Seq2SeqModel

TEXTS = ["when did they end", "它在哪里", "ที่ไหน", "متى", "a", "где он родился " * 20]


@pytest.mark.parametrize("kind", ["T5", "MT5"])
def test_generation_is_greedy_and_a_text_does_not_depend_on_its_batch(tmp_path, kind):
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS, kind)
    model = Seq2SeqModel(str(folder))
    import torch
    import transformers

    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    together = model.generate(TEXTS, 100, 8)
    for text, made in zip(TEXTS, together, strict=True):
        (alone,) = model.generate([text], 100, 8)
        assert alone.text == made.text
        assert math.isclose(alone.confidence, made.confidence, rel_tol=1e-3)
        ids = model.tokenizer(text, return_tensors="pt", truncation=True, max_length=100)
        written, logs = [0], []
        with torch.no_grad():
            while len(written) <= 8 and written[-1] != 1:
                logits = network(**ids, decoder_input_ids=torch.tensor([written])).logits[0, -1]
                logs.append(logits.log_softmax(-1).max().item())
                written.append(int(logits.argmax()))
        assert made.text == model.tokenizer.decode(written, skip_special_tokens=True)
        assert made.whole == (written[-1] == 1)
        # A pad token inside a text counts for nothing.
        kept = [log for log, token in zip(logs, written[1:], strict=True) if token != 0]
        assert math.isclose(made.confidence, math.exp(sum(kept) / max(1, len(kept))), rel_tol=1e-3)


def test_no_texts(tmp_path):
    folder = tiny_seq2seq.make(tmp_path / "tiny", TEXTS)
    assert Seq2SeqModel(str(folder)).generate([], 100, 8) == []


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
