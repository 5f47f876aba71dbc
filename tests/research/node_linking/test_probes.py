"""CSF and RCF against the same figures worked out prefix by prefix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from support.tiny_linking_models import DIALOGUES, conversation, texts  # noqa: E402

from anaphora.errors import ModelUnavailable  # noqa: E402
from anaphora.rewrite.linking.sequence import lay_out  # noqa: E402
from research.node_linking.causal import Causal, Shape, train_causal  # noqa: E402
from research.node_linking.probes import probes  # noqa: E402
from research.node_linking.tokens import Words  # noqa: E402

SHAPE = Shape(vocabulary=300, width=16, layers=1, heads=2, epochs=8, rate=1e-2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return train_causal(texts(), tmp_path_factory.mktemp("causal") / "model", 1, SHAPE)


@pytest.fixture(scope="module")
def layouts() -> list[Any]:
    words = Words.of(texts())
    return [lay_out(conversation(dialogue), words) for dialogue in DIALOGUES]


def test_what_is_trained_is_any_causal_model(folder: Path) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert model.config.vocab_size == len(tokenizer)
    assert tokenizer.tokenize("鲁迅是谁")[:2] == ["鲁", "迅"]


def test_a_folder_with_a_model_is_not_trained_again(folder: Path) -> None:
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert train_causal(["other"], folder, 2, SHAPE) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == before


def test_the_features_are_those_of_the_equations(
    folder: Path, layouts: list[Any], tmp_path: Path
) -> None:
    causal = Causal(str(folder))
    found = probes(layouts, causal, tmp_path)
    for layout, (csf, rcf) in zip(layouts, found, strict=True):
        words = layout.words
        question = layout.utterances[-1].text
        begun = {start for start, _ in causal.tokens(question)[1]}
        asked = [word.start for word in words[layout.context :]]
        for place, start in enumerate([*asked, len(question)]):
            if start < len(question) and start not in begun:
                continue
            prefix = question[:start]
            after = _next(causal, prefix)
            for number, word in enumerate(words[: layout.context]):
                text = layout.utterances[word.utterance].text
                ids, ranges = causal.tokens(text)
                if not {word.start, word.end} <= {at for one in ranges for at in one}:
                    continue  # inside a token no prefix ends as the model read it
                told = _next(causal, text[: word.start])
                divergence = (after.exp() * (after - told)).sum()
                assert csf[place, number] == pytest.approx(float(divergence), rel=0.05, abs=0.05)
                first = next(n for n, (_, end) in enumerate(ranges) if end > word.start)
                chance = float(after[ids[first]].exp())
                assert rcf[place, number] == pytest.approx(chance, abs=0.01)
        # Nothing said before either of them: the same distribution.
        assert csf[0, 0] == pytest.approx(0, abs=1e-3)


def _next(causal: Causal, prefix: str) -> Any:
    ids, _ = causal.tokens(prefix.rstrip())
    return causal.distributions([ids])[0][-1]


def test_what_was_computed_is_read_again(
    folder: Path, layouts: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    causal = Causal(str(folder))
    first = probes(layouts, causal, tmp_path)

    def refuse(texts: object) -> None:
        raise AssertionError("asked once more")

    monkeypatch.setattr(causal, "distributions", refuse)
    again = probes(layouts, causal, tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    with pytest.raises(AssertionError, match="once more"):
        probes(layouts[:-1], causal, tmp_path)
    causal.identity = "another model"
    with pytest.raises(AssertionError, match="once more"):
        probes(layouts, causal, tmp_path)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"causal language model .*cannot be loaded"):
        Causal(str(tmp_path / "nowhere"))
