"""Models converted for CTranslate2, on tiny models of the real architectures."""

from __future__ import annotations

import math

import pytest
from support import tiny_seq2seq, tiny_translators
from support.dialogues import FACTS, LETTERS

from anaphora.errors import ModelUnavailable
from anaphora.models.ctranslate import ConvertedSeq2Seq
from anaphora.models.decoding import Decoding
from anaphora.models.seq2seq import Seq2SeqModel

pytest.importorskip("ctranslate2", reason="needs the extra anaphora[ctranslate2]")

TEXTS = [text for text, _, _ in FACTS]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ANAPHORA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("kind", ["T5", "MT5"])
def test_a_converted_model_generates_what_the_model_does(tmp_path, cache, kind):
    folder = tiny_seq2seq.make(tmp_path / "tiny", [LETTERS], kind)
    tiny_seq2seq.teach(folder, [(text, answer) for text, _, answer in FACTS])
    one, other = ConvertedSeq2Seq(str(folder)), Seq2SeqModel(str(folder))
    made = one.generate(TEXTS, Decoding(9), 100)
    expected = other.generate(TEXTS, Decoding(9), 100)
    assert [text.text for text in made] == [text.text for text in expected]
    assert [text.whole for text in made] == [text.whole for text in expected]
    assert one.size(TEXTS[0]) == other.size(TEXTS[0])
    for text, alone in zip(made, TEXTS, strict=True):
        assert 0 < text.confidence <= 1
        (again,) = one.generate([alone], Decoding(9), 100)
        assert again.text == text.text
        assert math.isclose(again.confidence, text.confidence, rel_tol=1e-3)
    paper = Decoding(20, min_tokens=10, beams=4, early=True, no_repeat=3)
    beams = one.generate(TEXTS, paper, 100)
    assert beams == one.generate(TEXTS, paper, 100)
    for text in beams:
        ids = one.tokenizer(text.text, add_special_tokens=False)["input_ids"]
        trigrams = list(zip(ids, ids[1:], ids[2:], strict=False))
        assert len(set(trigrams)) == len(trigrams)
    assert one.generate([], Decoding(9), 100) == []


def test_a_model_is_converted_once_and_again_when_it_changes(tmp_path, cache):
    folder = tiny_seq2seq.make(tmp_path / "tiny", [LETTERS])
    ConvertedSeq2Seq(str(folder))
    (converted,) = cache.glob("ctranslate2-*")
    written = (converted / "model.bin").stat().st_mtime_ns
    ConvertedSeq2Seq(str(folder))
    assert (converted / "model.bin").stat().st_mtime_ns == written
    tiny_seq2seq.make(folder, [LETTERS], seed=2)
    ConvertedSeq2Seq(str(folder))
    assert len(list(cache.glob("ctranslate2-*"))) == 2


def test_a_translation_model(tmp_path, cache):
    from anaphora.assistant import Assistant
    from anaphora.config import Config

    pairs = [("La cave.", "地下室。"), ("Elle date de 1932.", "它建于1932年。")]
    folder = tiny_translators.nllb(tmp_path / "tiny", [text for pair in pairs for text in pair])
    tiny_translators.teach(folder, "fr", "zh", pairs)
    settings = {"method": "seq2seq", "model": str(folder), "engine": "ctranslate2", "beams": 2}
    translator = Assistant(None, Config.of({"translate": settings})).translator
    assert translator.translate(["La cave. Elle date de 1932."], "fr", "zh") == [
        "地下室。它建于1932年。"
    ]


def test_a_model_that_cannot_be_converted(tmp_path, cache):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        ConvertedSeq2Seq(str(tmp_path))
