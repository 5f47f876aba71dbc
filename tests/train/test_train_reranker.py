"""Training rerankers on tiny models made here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support import tiny_encoder, towns

from anaphora.crossencoder.model import CrossEncoder, shared_crossencoder
from anaphora.datasets.registry import open_dataset
from anaphora.errors import AnaphoraError, UsageError
from anaphora.models.backbone import shared_backbone
from anaphora.records import Passage, Query

pytest.importorskip("torch", reason="needs the extra train")
import torch

from anaphora.rerank.huggingface import HuggingFaceCrossEncoder
from anaphora.train.reranker.networks import JUDGE
from anaphora.train.reranker.trainer import Recipe, _loss, train_reranker
from anaphora.train.retriever.questions import Mining

RECIPE = Recipe(
    epochs=6,
    batch=8,
    at_once=8,
    learning_rate=3e-3,
    warmup=5,
    asked="question",
    mining=Mining(search="none"),
)


def tiny(folder):
    return tiny_encoder.make(folder, [towns.letters()])


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("towns")
    return [open_dataset(towns.write(folder / "towns.jsonl", towns.pairs(1, 64)))]


def losses(folder):
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "step"]


def preferred(folder, triples):
    """The share of questions whose passage scores higher than the passage before it."""
    scorer = HuggingFaceCrossEncoder(str(folder))
    passages = [Passage(str(at), "d", "", text, lang) for at, (_, text, lang) in enumerate(triples)]
    found = scorer.score(
        [
            (Query(question), [passages[row], passages[row - 1]])
            for row, (question, _, _) in enumerate(triples)
        ]
    )
    return sum(right.value > wrong.value for right, wrong in found) / len(triples)


@pytest.mark.parametrize("loss", ["listwise", "pointwise"])
def test_a_tiny_model_learns_and_reranks_what_it_never_saw(tmp_path, data, loss):
    folder = train_reranker(
        data, tiny(tmp_path / "base"), tmp_path / "out", replace(RECIPE, loss=loss)
    )
    assert preferred(folder, towns.pairs(5, 64)) > 0.8


def test_our_own_cross_encoder_learns_and_reranks(tmp_path, data):
    """From "judge", and again from the folder of the first training."""
    triples = towns.pairs(5, 16)

    def gaps(model):
        scored = model.score(
            [
                (question, Passage("p", "d", "", triples[row - other][1], lang))
                for row, (question, _, lang) in enumerate(triples)
                for other in (0, 1)
            ]
        )
        found = [one.relevance for one in scored]
        return sum(found[::2]) / 16 - sum(found[1::2]) / 16

    shipped = shared_crossencoder()
    recipe = replace(RECIPE, epochs=1, batch=8, layers=2, learning_rate=1e-3)
    first = train_reranker(data, JUDGE, tmp_path / "first", recipe)
    trained = CrossEncoder(shared_backbone(), first)
    assert trained.name != shipped.name
    assert trained.card["support"] == shipped.card["support"]
    assert gaps(trained) > gaps(shipped)
    second = train_reranker(data, str(first), tmp_path / "second", recipe)
    assert gaps(CrossEncoder(shared_backbone(), second)) > gaps(shipped)


def test_the_losses_by_hand():
    scores = torch.tensor([1.0, 0.0, -1.0])
    odds = scores.exp()
    assert float(_loss(scores, "listwise")) == pytest.approx(float(-(odds[0] / odds.sum()).log()))
    each = torch.stack([scores[0].sigmoid(), (-scores[1]).sigmoid(), (-scores[2]).sigmoid()])
    assert float(_loss(scores, "pointwise")) == pytest.approx(float(-each.log().mean()))


def test_an_interrupted_run_ends_with_the_same_weights(tmp_path, data):
    from safetensors.torch import load_file

    base = tiny(tmp_path / "base")
    recipe = replace(RECIPE, epochs=1, at_once=3, checkpoint_seconds=0)
    straight = train_reranker(data, base, tmp_path / "straight", recipe)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if task == "training" and done == 4:
            raise Stop

    again = tmp_path / "stopped"
    with pytest.raises(Stop):
        train_reranker(data, base, again, recipe, progress=stop)
    train_reranker(data, base, again, recipe)
    mine, theirs = (load_file(folder / "model.safetensors") for folder in (straight, again))
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    assert losses(again)
    with pytest.raises(UsageError, match="a training run with loss listwise"):
        train_reranker(data, base, again, replace(recipe, loss="pointwise"))


def test_there_must_be_a_negative(tmp_path):
    path = tmp_path / "own.jsonl"
    line = {"query": "Где порт?", "positives": ["Порт в городе."]}
    path.write_text(json.dumps(line) + "\n", "utf-8")
    with pytest.raises(AnaphoraError, match="a relevant passage and another one"):
        train_reranker([open_dataset(path)], tiny(tmp_path / "base"), tmp_path / "out", RECIPE)
