"""Late interaction with tiny random encoders."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from anaphora.errors import ModelUnavailable
from anaphora.records import Passage, Query
from anaphora.rerank.late import LateInteraction

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]", "a", "bridge"]
WORDS += ["was", "opened", "桥"]
ASKED = Query("a bridge")
TEXTS = ["was opened", "a bridge was opened " * 3, "桥", "мост ส ا", "cầu köprü", "", "a " * 3000]


def bert(folder: Path) -> Path:
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    torch.set_num_threads(1)
    torch.manual_seed(3)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    vocabulary = str(folder / "vocab.txt")
    transformers.BertTokenizerFast(vocabulary, model_max_length=64).save_pretrained(folder)
    settings = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    transformers.BertModel(settings).save_pretrained(folder)
    return folder


def vectors(folder: Path, text: str, marker: str = "", weight=None):
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModel.from_pretrained(folder).eval()
    limit = 63 if marker else 64
    ids = tokenizer(text, truncation=True, max_length=limit)["input_ids"]
    if marker:
        ids = [ids[0], tokenizer.convert_tokens_to_ids(marker), *ids[1:]]
    with torch.no_grad():
        hidden = network(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
    hidden = hidden if weight is None else hidden @ weight.T
    return hidden / np.linalg.norm(hidden, axis=1, keepdims=True)


def max_sim(asked, said):
    return float((asked @ said.T).max(axis=1).mean())


def passages():
    return [Passage(f"p{at}", "d", "", text, "en") for at, text in enumerate(TEXTS)]


def values(scores):
    return [[one.value for one in found] for found in scores]


def test_max_sim_of_any_encoder(tmp_path, caplog):
    folder = bert(tmp_path / "tiny")
    with caplog.at_level("INFO", "anaphora"):
        model = LateInteraction(str(folder))
    assert caplog.messages == [f"loading {folder}"]
    (scores,) = values(model.score([(ASKED, passages())]))
    asked = vectors(folder, ASKED.text)
    for text, score in zip(TEXTS, scores, strict=True):
        assert score == pytest.approx(max_sim(asked, vectors(folder, text)), abs=1e-5)
    assert model.score([]) == []
    assert model.score([(Query("桥"), [])]) == [[]]
    both = values(model.score([(ASKED, passages()), (Query("桥"), passages()[:2])]))
    assert both[0] == pytest.approx(scores, abs=1e-5)
    assert len(both[1] or []) == 2


@pytest.mark.parametrize("layout", ["colbert", "pylate"])
def test_a_colbert_checkpoint_has_its_projection_and_markers(tmp_path, layout):
    folder = bert(tmp_path / "tiny")
    from safetensors.numpy import load_file, save_file

    weight = np.random.default_rng(1).normal(size=(8, 16)).astype(np.float32)
    if layout == "colbert":
        state = load_file(folder / "model.safetensors")
        save_file(
            {**state, "linear.weight": weight}, folder / "model.safetensors", {"format": "pt"}
        )
        markers = {"query_token_id": "[unused0]", "doc_token_id": "[unused1]"}
        (folder / "artifact.metadata").write_text(json.dumps(markers))
    else:
        (folder / "1_Dense").mkdir()
        save_file({"linear.weight": weight}, folder / "1_Dense/model.safetensors")
        modules = [{"path": "", "type": "x.Transformer"}, {"path": "1_Dense", "type": "x.Dense"}]
        (folder / "modules.json").write_text(json.dumps(modules))
        prefixes = {"query_prefix": "[unused0] ", "document_prefix": "[unused1] "}
        (folder / "config_sentence_transformers.json").write_text(json.dumps(prefixes))
    (scores,) = values(LateInteraction(str(folder)).score([(ASKED, passages())]))
    asked = vectors(folder, ASKED.text, "[unused0]", weight)
    for text, score in zip(TEXTS, scores, strict=True):
        said = vectors(folder, text, "[unused1]", weight)
        assert score == pytest.approx(max_sim(asked, said), abs=1e-4)


def test_a_model_that_cannot_be_loaded(tmp_path):
    if importlib.util.find_spec("torch") is None or not importlib.util.find_spec("transformers"):
        said = r'needs transformers and torch: `pip install "anaphora\[hf\]"`'
    else:
        said = "cannot be loaded"
        (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match=said) as caught:
        LateInteraction(str(tmp_path))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)
