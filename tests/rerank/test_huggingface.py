"""Tiny random cross-encoders of the real architectures."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from typing import Any

import pytest

from anaphora.errors import ModelUnavailable
from anaphora.records import Hit, Passage, Query
from anaphora.rerank.huggingface import HuggingFaceCrossEncoder
from anaphora.rerank.scoring import ScoringReranker

PIECES = ["▁", *"abdegiorw", "桥", "ส", "ж", "ا", "ş", "ạ", "다", "न", "橋"]
BERT_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "bridge", "was", "opened", "桥"]
ASKED = Query("a bridge")
TEXTS = [
    "was opened",
    "a bridge was opened " * 3,
    "桥",
    "สะพาน ж",
    "الجسر",
    "köprü açıldı",
    "cây cầu",
    "다리 橋 पुल",
    "",
    "a " * 3000,
]


def passages(texts: list[str] = TEXTS) -> list[Passage]:
    return [
        Passage(f"p{at}", "d", "bridge" if at % 2 else "", text, "en")
        for at, text in enumerate(texts)
    ]


def bert(folder: Path, labels: int, kind: str = "BertForSequenceClassification") -> Path:
    """A BERT with token types, as monoBERT is."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    torch.set_num_threads(1)
    torch.manual_seed(labels)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(BERT_WORDS), "utf-8")
    vocabulary = str(folder / "vocab.txt")
    transformers.BertTokenizerFast(vocabulary, model_max_length=64).save_pretrained(folder)
    settings = transformers.BertConfig(
        vocab_size=len(BERT_WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=0.5,
    )
    getattr(transformers, kind)(settings).save_pretrained(folder)
    return folder


def xlmr(folder: Path, labels: int) -> Path:
    """An XLM-R without token types whose first two places are unused, as bge-reranker is."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    import tokenizers

    torch.set_num_threads(1)
    torch.manual_seed(labels)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *PIECES]
    unigram = tokenizers.models.Unigram([(piece, -1.0) for piece in pieces], unk_id=3)
    fast = tokenizers.Tokenizer(unigram)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    fast.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", unk_token="<unk>"
    ).save_pretrained(folder)
    settings = transformers.XLMRobertaConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        pad_token_id=1,
        num_labels=labels,
        initializer_range=0.5,
    )
    transformers.XLMRobertaForSequenceClassification(settings).save_pretrained(folder)
    return folder


def expected(folder: Path, passage: Passage, limit: int) -> float:
    """The probability, worked out for one pair alone."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    # In lists: an empty second text alone would count as none.
    given = tokenizer(
        [ASKED.text],
        [passage.searched_text],
        truncation="longest_first",
        max_length=limit,
        return_tensors="pt",
    )
    with torch.no_grad():
        logits = network(**given).logits[0].tolist()
    if len(logits) == 1:
        return 1 / (1 + math.exp(-logits[0]))
    not_relevant, relevant = map(math.exp, logits)
    return relevant / (not_relevant + relevant)


def values(scores):
    return [[one.value for one in found] for found in scores]


@pytest.mark.parametrize(("make", "limit"), [(bert, 64), (xlmr, 64)])
@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_probabilities_and_do_not_depend_on_the_batch(
    tmp_path, caplog, make, limit, labels
):
    folder = make(tmp_path / "tiny", labels)
    with caplog.at_level("INFO", "anaphora"):
        model = HuggingFaceCrossEncoder(str(folder))
    assert caplog.messages == [f"loading {folder}"]
    assert model.max_tokens == limit
    (scores,) = values(model.score([(ASKED, passages())]))
    assert all(0 <= score <= 1 for score in scores)
    assert len({round(score, 6) for score in scores}) > 3
    for one, score in zip(passages(), scores, strict=True):
        assert score == pytest.approx(expected(folder, one, limit), abs=1e-5)


def test_each_question_has_its_scores(tmp_path):
    model = HuggingFaceCrossEncoder(str(xlmr(tmp_path / "tiny", 1)))
    others = passages(["bridge", "桥 a"])
    asked = [
        (ASKED, passages()),
        (Query("桥"), others),
        (Query(""), []),
        (Query("ж " * 900), others),
    ]
    together = values(model.score(asked))
    for one, scores in zip(asked, together, strict=True):
        (alone,) = values(model.score([one]))
        assert scores == pytest.approx(alone, abs=1e-5)
        assert len(scores) == len(one[1])
    assert model.score([]) == []


def test_it_reranks(tmp_path):
    folder = bert(tmp_path / "tiny", 2)
    hits = [Hit(one, 1.0 - at / 20, at + 1, {"dense": 0.5}) for at, one in enumerate(passages())]
    after = ScoringReranker(lambda: HuggingFaceCrossEncoder(str(folder))).rerank(
        [ASKED], [hits], 5
    )[0]
    wanted = sorted(
        (one for one in passages() if any(map(str.isalnum, one.searched_text))),
        key=lambda one: -expected(folder, one, 64),
    )
    assert [hit.passage for hit in after] == wanted[:5]
    assert after[0].sources == {"dense": 0.5, "crossencoder": pytest.approx(after[0].score)}


def test_a_model_that_cannot_be_loaded(tmp_path):
    if importlib.util.find_spec("torch") is None or not importlib.util.find_spec("transformers"):
        said = r'needs transformers and torch: `pip install "anaphora\[hf\]"`'
    else:
        said = "cannot be loaded"
        (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match=said) as caught:
        HuggingFaceCrossEncoder(str(tmp_path))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_encoder_without_a_head_and_one_of_many_classes_are_refused(tmp_path):
    plain = bert(tmp_path / "plain", 2, "BertModel")
    with pytest.raises(ModelUnavailable, match="no trained head"):
        HuggingFaceCrossEncoder(str(plain))
    many: Any = bert(tmp_path / "many", 3)
    with pytest.raises(ModelUnavailable, match="3 classes"):
        HuggingFaceCrossEncoder(str(many))
