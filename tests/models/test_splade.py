"""Sparse encoders of Hugging Face, on small random models of the real architecture."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import tiny_mlm

from anaphora.errors import ModelUnavailable
from anaphora.models import splade
from anaphora.models.splade import SpladeEncoder
from anaphora.retrieve.sparse import load_sparse_encoder

TEXTS = {
    "ar": "توقفت المضخة في القبو",
    "en": "The pump in the cellar stopped.",
    "hi": "पंप बंद हो गया",
    "ja": "地下のポンプが止まった",
    "ko": "펌프가 멈췄다",
    "ru": "Насос в подвале остановился",
    "th": "ปั๊มน้ำหยุดทำงาน",
    "tr": "Kışın pompa durdu",
    "vi": "Máy bơm dưới tầng hầm đã dừng",
    "zh": "地下室的水泵停了",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_mlm.make(tmp_path_factory.mktemp("mlm"), TEXTS.values())


def dense(encoder: SpladeEncoder, found: Any) -> Any:
    row = np.zeros(encoder.model.network.config.vocab_size)
    row[found.terms] = found.weights
    return row


def test_weights_are_those_of_splade_v2(folder: str) -> None:
    import torch
    import transformers

    encoder = load_sparse_encoder(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    found = encoder.encode_passages(list(TEXTS.values()))
    for text, mine in zip(TEXTS.values(), found, strict=True):
        with torch.inference_mode():
            logits = network(**tokenizer(text, return_tensors="pt")).logits[0]
        expected = torch.log1p(torch.relu(logits)).amax(dim=0).numpy()
        assert isinstance(encoder, SpladeEncoder)
        assert np.allclose(dense(encoder, mine), expected, atol=1e-5)
        assert 0 < len(mine.terms) < len(expected)
        assert (np.diff(mine.terms) > 0).all()
        assert (mine.weights > 0).all()


@pytest.mark.parametrize("lang", TEXTS)
def test_weights_do_not_depend_on_the_batch(folder: str, lang: str) -> None:
    encoder = SpladeEncoder(folder)
    counted: list[int] = []
    together = encoder.encode_passages([*TEXTS.values(), "Т " * 90], counted.append)
    (alone,) = encoder.encode_queries([TEXTS[lang]])
    found = together[list(TEXTS).index(lang)]
    assert np.allclose(dense(encoder, found), dense(encoder, alone), atol=1e-5)
    assert counted[-1] == len(TEXTS) + 1


def test_a_folder_is_named_by_its_path(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(folder).parent)
    relative = SpladeEncoder(Path(folder).name)
    assert relative.name == str(Path(folder).resolve()) == SpladeEncoder(folder).name
    assert relative.encode_passages([]) == []


def test_tokens_are_distinct_and_without_special_ones(folder: str) -> None:
    encoder = SpladeEncoder(folder)
    spelled, unknown = encoder.tokens(["pump pump 水泵", "𓀀"])
    convert = encoder.model.tokenizer.convert_ids_to_tokens
    assert set(convert(spelled)) == {"▁", "p", "u", "m", "水", "泵"}
    assert spelled == sorted(spelled)
    assert set(convert(unknown)) <= {"▁"}


def test_the_heaviest_terms_are_kept(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SpladeEncoder(folder)
    (every,) = encoder.encode_passages([TEXTS["en"]])
    monkeypatch.setattr(splade, "MOST_TERMS", 5)
    (few,) = encoder.encode_passages([TEXTS["en"]])
    assert len(few.terms) == 5 < len(every.terms)
    assert sorted(few.weights, reverse=True) == sorted(every.weights, reverse=True)[:5]
    assert (np.diff(few.terms) > 0).all()


def test_a_long_text_is_cut_at_the_window(folder: str) -> None:
    encoder = SpladeEncoder(folder)
    long, longer = encoder.encode_passages(["水" * 127, "水" * 3000])
    assert np.allclose(dense(encoder, long), dense(encoder, longer), atol=1e-5)


@pytest.mark.parametrize("kind", ["BertModel", "BertForSequenceClassification"])
def test_a_model_without_the_head_is_refused(tmp_path: Path, kind: str) -> None:
    place = tiny_mlm.make(tmp_path / "model", TEXTS.values(), kind)
    with pytest.raises(ModelUnavailable, match="is not a masked-language model"):
        SpladeEncoder(place)


def test_other_architectures_are_refused(tmp_path: Path) -> None:
    from support import tiny_seq2seq

    place = tiny_seq2seq.make(tmp_path, TEXTS.values(), "Bart")
    with pytest.raises(ModelUnavailable, match="is not a masked-language model"):
        SpladeEncoder(str(place))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}', "utf-8")
    with pytest.raises(ModelUnavailable, match="is not a masked-language model"):
        SpladeEncoder(str(place))
    with pytest.raises(ModelUnavailable, match=r"sparse encoder .* cannot be loaded"):
        SpladeEncoder(str(tmp_path / "nowhere"))


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ModelUnavailable) as raised:
        SpladeEncoder("naver/splade-v3")
    assert str(raised.value) == (
        "the sparse encoder naver/splade-v3 needs transformers and torch: "
        '`pip install "anaphora[hf]"`'
    )


def test_what_sentence_transformers_says_of_the_pooling_counts(tmp_path: Path) -> None:
    place = Path(tiny_mlm.make(tmp_path / "model", TEXTS.values()))
    modules = [
        {"type": "sentence_transformers.sparse_encoder.models.MLMTransformer", "path": ""},
        {
            "type": "sentence_transformers.sparse_encoder.models.SpladePooling",
            "path": "1_SpladePooling",
        },
    ]
    (place / "modules.json").write_text(json.dumps(modules), "utf-8")
    settings = place / "1_SpladePooling" / "config.json"
    settings.parent.mkdir()
    settings.write_text('{"pooling_strategy": "max", "activation_function": "relu"}', "utf-8")
    assert SpladeEncoder(str(place)).encode_passages([TEXTS["zh"]])
    settings.write_text('{"pooling_strategy": "sum"}', "utf-8")
    with pytest.raises(ModelUnavailable, match="has the pooling_strategy 'sum'"):
        SpladeEncoder(str(place))
    settings.write_text('{"activation_function": "log1p_relu"}', "utf-8")
    router = [{"type": "sentence_transformers.models.Router", "path": ""}]
    (place / "modules.json").write_text(json.dumps(router), "utf-8")
    types = {"1_SpladePooling": modules[1]["type"]}
    (place / "router_config.json").write_text(json.dumps({"types": types}), "utf-8")
    with pytest.raises(ModelUnavailable, match="has the activation_function 'log1p_relu'"):
        SpladeEncoder(str(place))


def test_weights_that_a_model_brings_for_tokens(tmp_path: Path) -> None:
    place = Path(tiny_mlm.make(tmp_path / "model", TEXTS.values()))
    assert SpladeEncoder(str(place)).idf is None
    (place / "idf.json").write_text(json.dumps({"水": 4.5, "p": 0.5}), "utf-8")
    encoder = SpladeEncoder(str(place))
    numbers = encoder.model.tokenizer.convert_tokens_to_ids(["水", "p"])
    assert encoder.idf == dict(zip(numbers, [4.5, 0.5], strict=True))
