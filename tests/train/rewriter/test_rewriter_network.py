"""The network memorises a few conversations, and its exported weights rewrite them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from support.conversations import understood

torch = pytest.importorskip("torch")

from anaphora.datasets.example import Example  # noqa: E402
from anaphora.models.backbone import SHARED_LAYERS, Backbone  # noqa: E402
from anaphora.models.weights import Weights  # noqa: E402
from anaphora.records import Conversation, Turn  # noqa: E402
from anaphora.rewrite.linking.rewriter import LinkingRewriter  # noqa: E402
from anaphora.train.rewriter.batches import assemble, by_length  # noqa: E402
from anaphora.train.rewriter.features import Labeller, compute, prepare  # noqa: E402
from anaphora.train.rewriter.network import Linker  # noqa: E402
from anaphora.train.rewriter.thresholds import export  # noqa: E402

DIALOGUES = [
    ("en", "Who were the Mothers?", "A band.", "When did they end?", "When did the Mothers end?"),
    ("en", "Who was Marie Curie?", "A chemist.", "Her prizes?", "Marie Curie's prizes?"),
    ("en", "Where is Bergen?", "In Norway.", "How big is Norway?", "How big is Norway?"),
    ("zh", "鲁迅是谁？", "作家。", "他的代表作？", "鲁迅的代表作？"),
    ("ar", "من هو نجيب محفوظ؟", "كاتب.", "متى ولد؟", "متى ولد نجيب محفوظ؟"),
    ("ru", "Кто такой Гагарин?", "Космонавт.", "Когда он родился?", "Когда Гагарин родился?"),
]
PHRASES = {"en": ["'s"], "zh": ["的"]}


class _NoModel:
    dimensions = 384

    def hidden(self, ids: object) -> None:
        raise AssertionError("asked once more")


def example(lang: str, first: str, answer: str, asked: str, full: str) -> Example:
    turns = (Turn("user", first), Turn("assistant", answer), Turn("user", asked, lang))
    return Example(Conversation(turns), rewrites=(full,))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("linker")
    backbone = Backbone()
    labeller = Labeller(backbone.tokenizer)
    prepared = prepare([example(*dialogue) for dialogue in DIALOGUES], labeller, PHRASES)
    features = compute(prepared, backbone, folder / "features.f16")
    known = ["'s", "的"]
    sizes = Weights().sizes
    model = Linker(Weights(), range(SHARED_LAYERS, sizes.layers), len(known), dropout=0.0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    batch = assemble(features, list(range(len(DIALOGUES))), {"'s": 1, "的": 2})
    losses = []
    for _ in range(60):
        loss = torch.stack(list(model.losses(batch).values())).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    export(folder / "weights", model, known, PHRASES, {})
    return folder / "weights", losses


def test_the_loss_falls(trained: tuple[Path, list[float]]) -> None:
    _, losses = trained
    assert losses[-1] < losses[0] / 20


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue[3])
def test_the_exported_weights_rewrite(trained: tuple[Path, list[float]], dialogue: Any) -> None:
    rewriter = LinkingRewriter(Backbone(), trained[0])
    made = rewriter.rewrite([understood(example(*dialogue).conversation)])[0]
    assert made.text == dialogue[4]


def test_features_are_computed_once(tmp_path: Path) -> None:
    backbone = Backbone()
    prepared = prepare(
        [example(*dialogue) for dialogue in DIALOGUES], Labeller(backbone.tokenizer), PHRASES
    )
    first = compute(prepared, backbone, tmp_path / "f.f16")
    again = compute(prepared, _NoModel(), tmp_path / "f.f16")  # type: ignore[arg-type]
    assert all((a == b).all() for a, b in zip(first.hidden, again.hidden, strict=True))
    with pytest.raises(AssertionError, match="once"):
        compute(prepared[:-1], _NoModel(), tmp_path / "f.f16")  # type: ignore[arg-type]


def test_every_example_is_in_one_batch_of_its_size(tmp_path: Path) -> None:
    backbone = Backbone()
    prepared = prepare(
        [example(*dialogue) for dialogue in DIALOGUES], Labeller(backbone.tokenizer), PHRASES
    )
    sizes = [len(one.layout.ids) for one in prepared]
    groups = by_length(sizes, 60, random.Random(0))
    assert sorted(number for group in groups for number in group) == list(range(len(DIALOGUES)))
    for group in groups:
        longest = max(sizes[number] for number in group)
        assert len(group) == 1 or longest * len(group) <= 60
