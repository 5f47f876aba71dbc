"""Training readers on DialDoc's format, on tiny models made here."""

from __future__ import annotations

import json

import pytest
from support import dialogues, tiny_seq2seq

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.registry import open_dataset
from anaphora.errors import AnaphoraError, UsageError
from anaphora.protocols import no_progress
from anaphora.records import Query
from anaphora.registry import build

pytest.importorskip("torch", reason="needs the extra train")
from anaphora.train.reader import Recipe, _passages, train_reader

RECIPE = Recipe(steps=150, batch=8, at_once=8, learning_rate=1e-2, passages=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return open_dataset(dialogues.write(tmp_path_factory.mktemp("data") / "dialdoc"))


def base(folder, kind="T5"):
    return str(tiny_seq2seq.make(folder / "base", [dialogues.LETTERS], kind))


def train(data, kind, model, out, recipe=RECIPE, **more):
    return train_reader(data.examples(), data.documents(), kind, model, out, recipe, **more)


def losses(folder):
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "step"]


def read(folder, method, data):
    """What the trained reader answers to the questions of the data set."""
    settings = {
        "method": method,
        "model": str(folder),
        "min_length": 0,
        "beams": 1,
    }
    config = Config.of({"read": settings, "check": {"method": "none"}})
    reader = build(config.read, Assistant(None, config))
    examples = list(data.examples())
    queries = [Query(one.question, "fr", conversation=one.conversation) for one in examples]
    found = _passages(examples, data.documents(), RECIPE.passages, folder, no_progress)
    return [answer.text for answer in reader.read(queries, found)]


@pytest.mark.parametrize(("kind", "method"), [("T5", "fid"), ("MT5", "seq2seq")])
def test_a_tiny_model_learns_its_examples_and_is_loaded_by_its_path(tmp_path, data, kind, method):
    folder = train(data, method, base(tmp_path, kind), tmp_path / "out")
    first, *_, last = losses(folder)
    assert last < first / 4
    assert json.loads((folder / "reader.json").read_text()) == {"kind": method, "input": "history"}
    assert read(folder, method, data) == [answer for _, _, answer in dialogues.FACTS]


@pytest.mark.parametrize(
    ("kind", "method"), [("Bart", "seq2seq"), ("Bart", "fid"), ("Pegasus", "seq2seq")]
)
def test_other_architectures_learn_too(tmp_path, data, kind, method):
    recipe = Recipe(steps=100, batch=8, at_once=8, learning_rate=3e-3, passages=2)
    folder = train(data, method, base(tmp_path, kind), tmp_path / "out", recipe)
    first, *_, last = losses(folder)
    assert last < first / 2
    assert all(read(folder, method, data))


def test_an_interrupted_run_ends_with_the_same_weights(tmp_path, data):
    import torch
    from safetensors.torch import load_file

    model = base(tmp_path)
    recipe = Recipe(steps=6, batch=4, at_once=2, learning_rate=1e-3, checkpoint_seconds=0)
    straight = train(data, "fid", model, tmp_path / "straight", recipe)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if task == "training" and done == 4:
            raise Stop

    again = tmp_path / "stopped"
    with pytest.raises(Stop):
        train(data, "fid", model, again, recipe, progress=stop)
    assert not (again / "model.safetensors").exists()
    train(data, "fid", model, again, recipe)
    mine, theirs = (load_file(folder / "model.safetensors") for folder in (straight, again))
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    with pytest.raises(UsageError, match="a training run with kind fid"):
        train(data, "seq2seq", model, again, recipe)


def test_the_passages_are_those_that_a_search_finds_with_one_that_answers(tmp_path, data):
    examples = list(data.examples())
    found = _passages(examples, data.documents(), 3, tmp_path, no_progress)
    for example, hits in zip(examples, found, strict=True):
        assert 1 <= len(hits) <= 3
        assert set(example.relevant) & {hit.passage.passage_id for hit in hits}


def test_there_must_be_something_to_learn_from(tmp_path, data):
    model = base(tmp_path)
    with pytest.raises(AnaphoraError, match="none of the examples has an answer and a relevant"):
        train_reader([], data.documents(), "fid", model, tmp_path / "out", RECIPE)
    with pytest.raises(AnaphoraError, match="none of the examples has an answer and a relevant"):
        train_reader(data.examples(), [], "fid", model, tmp_path / "out", RECIPE)
