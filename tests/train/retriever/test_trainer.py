"""Training retrievers: on layers of the backbone, and on tiny models of Hugging Face made here."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from support import dialogues, tiny_encoder, towns

from anaphora.datasets.registry import open_dataset
from anaphora.errors import AnaphoraError, ModelUnavailable, UsageError
from anaphora.retrieve.encoders import load_encoder

pytest.importorskip("torch", reason="needs the extra train")
import torch

from anaphora.train.retriever.networks import network
from anaphora.train.retriever.questions import Mining, gathered
from anaphora.train.retriever.trainer import Recipe, train_retriever

UNMINED = Mining(search="none")
TINY = Recipe(
    epochs=12, batch=24, chunk=16, learning_rate=3e-3, warmup=5, asked="question", mining=UNMINED
)
LAYERS = Recipe(
    epochs=4, batch=8, chunk=8, learning_rate=2e-4, warmup=1, asked="question", mining=UNMINED
)


def tiny(folder):
    return tiny_encoder.make(folder, [towns.letters(), dialogues.LETTERS])


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("towns")
    return [open_dataset(towns.write(folder / "towns.jsonl", towns.pairs(1, 96)))]


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few")
    return [open_dataset(towns.write(folder / "few.jsonl", towns.pairs(2, 16)))]


def losses(folder):
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if line["event"] == "step"]


def mrr(encoder, triples):
    """Mean reciprocal rank of each question's passage among all."""
    similar = (
        encoder.encode_queries([question for question, _, _ in triples])
        @ encoder.encode_passages([passage for _, passage, _ in triples]).T
    )
    ranks = (similar >= similar.diagonal()[:, None]).sum(axis=1)
    return float((1 / ranks).mean())


def test_a_tiny_model_finds_towns_that_it_never_saw(tmp_path, data):
    base = tiny(tmp_path / "base")
    held_out = towns.pairs(5, 64)
    before = mrr(load_encoder(base), held_out)
    folder = train_retriever(data, tmp_path / "out", TINY, base)
    after = mrr(load_encoder(str(folder)), held_out)
    assert after > before + 0.1


def test_the_pooling_and_prefixes_of_training_are_the_encoder_s(tmp_path, few):
    recipe = replace(TINY, epochs=1, pooling="cls", query_prefix="? ", passage_prefix="// ")
    folder = train_retriever(few, tmp_path / "out", recipe, tiny(tmp_path / "base"))
    encoder = load_encoder(str(folder))
    assert (encoder.pooling, encoder.query_prefix, encoder.passage_prefix) == ("cls", "? ", "// ")


def test_a_dense_layer_is_trained_and_written(tmp_path, few):
    start = network(tiny(tmp_path / "base"), 4, 64, None)
    start._encoder.dense = [torch.nn.Sequential(torch.nn.Linear(32, 8), torch.nn.Tanh())]
    (tmp_path / "dense").mkdir()
    start.export(tmp_path / "dense")
    folder = train_retriever(
        few, tmp_path / "out", replace(TINY, epochs=1), str(tmp_path / "dense")
    )
    old, new = load_encoder(str(tmp_path / "dense")), load_encoder(str(folder))
    assert new.encode_queries(["Ville"]).shape == (1, 8)
    assert not torch.equal(old.dense[0][0].weight, new.dense[0][0].weight)


def test_an_interrupted_run_ends_with_the_same_weights(tmp_path, few):
    from safetensors.torch import load_file

    base = tiny(tmp_path / "base")
    recipe = replace(TINY, epochs=4, batch=4, chunk=3, checkpoint_seconds=0)
    straight = train_retriever(few, tmp_path / "straight", recipe, base)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if task == "training" and done == 6:
            raise Stop

    again = tmp_path / "stopped"
    with pytest.raises(Stop):
        train_retriever(few, again, recipe, base, progress=stop)
    assert not (again / "model.safetensors").exists()
    train_retriever(few, again, recipe, base)
    mine, theirs = (load_file(folder / "model.safetensors") for folder in (straight, again))
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    other = train_retriever(few, tmp_path / "other", replace(recipe, seed=8), base)
    assert any(
        not torch.equal(mine[name], one)
        for name, one in load_file(other / "model.safetensors").items()
    )
    with pytest.raises(UsageError, match="a training run with temperature"):
        train_retriever(few, again, replace(recipe, temperature=0.5), base)


def test_layers_of_the_backbone_learn_and_are_exported_as_they_are(tmp_path, few):
    folder = train_retriever(few, tmp_path / "out", replace(LAYERS, epochs=1))
    first = losses(folder)[-1]["contrastive"]
    again = train_retriever(few, tmp_path / "again", replace(LAYERS, epochs=1))
    assert (again / "encoder.onnx").read_bytes() == (folder / "encoder.onnx").read_bytes()
    stage = train_retriever(few, tmp_path / "stage", LAYERS, str(folder))
    assert losses(stage)[-1]["contrastive"] < first
    encoder = load_encoder(str(stage))
    model = network(str(stage), 4, 256, None)
    texts = [model.passage_prefix + passage for _, passage, _ in towns.pairs(3, 16)]
    with torch.no_grad():
        mine = model.embed(model.prepared(texts)).numpy()
    theirs = encoder.encode_passages([text.removeprefix("passage: ") for text in texts])
    assert (mine * theirs).sum(axis=1).min() > 0.985
    plain = load_encoder().encode_passages([text.removeprefix("passage: ") for text in texts])
    assert (plain * theirs).sum(axis=1).mean() < 0.98


@pytest.mark.parametrize("count", [4, 9, 12])
def test_untrained_layers_are_those_of_the_default_encoder(tmp_path, count):
    network("multilingual-e5-small", count, 256, None).export(tmp_path)
    texts = [passage for _, passage, _ in towns.pairs(4, 8)] + ["", "a " * 600]
    mine = load_encoder(str(tmp_path)).encode_passages(texts)
    theirs = load_encoder().encode_passages(texts)
    assert mine.dtype == np.float32
    assert (mine * theirs).sum(axis=1).min() > 0.98


def test_an_encoder_that_was_trained_again_does_not_search_old_vectors(tmp_path):
    start = network("multilingual-e5-small", 4, 256, None)
    start.export(tmp_path)
    name = load_encoder(str(tmp_path)).name
    assert load_encoder(name).name == name
    with torch.no_grad():
        next(iter(start.module.parameters())).mul_(1.5)
    start.export(tmp_path)
    with pytest.raises(ModelUnavailable, match="was trained again after its vectors were indexed"):
        load_encoder(name)
    assert load_encoder(str(tmp_path)).name != name


def test_scores_of_a_teacher_are_distilled(tmp_path, few):
    folder = train_retriever(
        few, tmp_path / "out", replace(LAYERS, epochs=1, distillation="margin"), teacher="judge"
    )
    assert losses(folder)[-1]["distillation"] > 0


@pytest.mark.parametrize("search", ["bm25", "dense", "hybrid"])
def test_negatives_are_searched_and_never_known_answers(tmp_path, search):
    triples = towns.pairs(6, 24)
    data = open_dataset(towns.write(tmp_path / "towns.jsonl", triples, negatives=False))
    found = gathered([data], "question", Mining(search, last=3, margin=1.0), tmp_path / "index")
    assert [one.text for one in found.questions] == [question for question, _, _ in triples]
    assert any(one.negatives for one in found.questions)
    for one, (_, passage, _) in zip(found.questions, triples, strict=True):
        assert [found.passages[key].text for key in one.positives] == [passage]
        assert passage not in [found.passages[key].text for key in one.negatives]
        assert len(one.negatives) <= 3


@pytest.mark.parametrize(
    ("asked", "text"),
    [("newest", "{} merci oui ?"), ("oldest", "{} oui ? merci"), ("question", "{}")],
)
def test_a_question_of_a_conversation_is_asked_with_its_history(tmp_path, asked, text):
    data = open_dataset(dialogues.write(tmp_path / "dialdoc"))
    found = gathered([data], asked, UNMINED, tmp_path / "index")
    assert [one.text for one in found.questions] == [
        text.format(question) for _, question, _ in dialogues.FACTS
    ]
    rewritten = gathered([data], "linking", UNMINED, tmp_path / "index")
    assert len(rewritten.questions) == len(dialogues.FACTS)


def test_there_must_be_something_to_learn_from(tmp_path):
    path = tmp_path / "own.jsonl"
    line = {"id": "1", "turns": [{"role": "user", "text": "Где?"}]}
    path.write_text(json.dumps(line) + "\n", "utf-8")
    with pytest.raises(AnaphoraError, match="none of the questions has a relevant passage"):
        train_retriever([open_dataset(path)], tmp_path / "out", LAYERS)
