"""Tiny random NLI models of a real architecture."""

import pytest

from anaphora.check.nli import NliChecker
from anaphora.config import Config
from anaphora.errors import ModelUnavailable, UsageError
from anaphora.records import Claim
from anaphora.registry import build

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "bridge", "was", "opened", "桥", "1932"]
CLAIMS = [
    Claim("a bridge was opened", ("a bridge", "was opened")),
    Claim("桥", ("桥 1932",), "桥 ？"),
    Claim("สะพาน", ("สะพาน เก่า",)),
    Claim("جسر", ("الجسر",)),
    Claim("cầu", ("cây cầu",)),
    Claim("opened 1935", ("opened 1932 " * 400, "")),
    Claim("a bridge", ()),
]


def tiny(folder, labels=("entailment", "neutral", "contradiction")):
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    torch.set_num_threads(1)
    torch.manual_seed(3)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(
        folder
    )
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


def test_the_class_entailment_is_the_probability(tmp_path):
    first = NliChecker(tiny(tmp_path / "first"))
    last = NliChecker(tiny(tmp_path / "last", ("contradiction", "neutral", "ENTAILMENT")))
    pairs = [("a bridge was opened", "a bridge"), ("桥", "1932")]
    for one, other in zip(first.entailment(pairs), last.entailment(pairs), strict=True):
        assert 0 < one < 1
        assert 0 < one + other < 1
    found = first.check(CLAIMS)
    assert found == [first.check([claim])[0] for claim in CLAIMS]
    assert found[5].unsupported == ((7, 11),)
    assert not found[5].supported
    assert (found[6].supported, found[6].probability) == (False, 0.0)


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1"), ("no", "yes", "perhaps")])
def test_another_classifier_is_refused(tmp_path, labels):
    with pytest.raises(ModelUnavailable, match="entailment"):
        NliChecker(tiny(tmp_path / "model", labels))


def test_the_settings_name_the_model(tmp_path):
    with pytest.raises(UsageError, match=r"needs 'check\.model'"):
        Config.of({"check": {"method": "nli"}})
    settings = Config.of({"check": {"method": "nli", "model": tiny(tmp_path / "model")}}).check
    assert isinstance(build(settings, None), NliChecker)
