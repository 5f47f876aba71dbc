"""The whole of training the rewriter, on data sets of a few turns each."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.conversations import understood

pytest.importorskip("torch")
pytest.importorskip("sacrebleu")

from anaphora.errors import UsageError
from anaphora.models.backbone import shared_backbone
from anaphora.models.card import read_card
from anaphora.records import Conversation, Turn
from anaphora.rewrite.linking.model import CARD, HEADS, LAYERS, read_gate
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.train.corpora import check
from anaphora.train.loop import decayed_rate
from anaphora.train.rewriter.examples import FILES
from anaphora.train.rewriter.trainer import CONTINUED, Recipe, train_rewriter
from anaphora.train.text import TrainingText

RECIPE = Recipe(epochs=1, phrase_at_least=2, batch=600, limit=24)


@pytest.fixture(scope="module")
def trained(
    data: Path, text: TrainingText, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, set[str]]:
    tasks: set[str] = set()
    out = tmp_path_factory.mktemp("out")
    weights = train_rewriter(data, text, out, RECIPE, progress=lambda task, *_: tasks.add(task))
    assert weights == out / "weights"
    return out, tasks


def test_training_leaves_weights_that_rewrite(trained: tuple[Path, set[str]]) -> None:
    out, tasks = trained
    assert {"training", "encoding partial", "encoding synthetic"} <= tasks
    conversation = Conversation((Turn("user", "Who was Ann?"), Turn("user", "And when?")))
    gate = read_gate(out / "weights")
    rewriter = LinkingRewriter(shared_backbone(), out / "weights", gate=gate)
    [rewrite] = rewriter.rewrite([understood(conversation)])
    assert rewrite.text
    assert gate != read_gate()
    events = [json.loads(line)["event"] for line in (out / "log.jsonl").read_text().splitlines()]
    assert events[0] == "labelled"
    assert "evaluation" in events


def test_a_finished_run_is_continued_with_more_epochs(
    data: Path, text: TrainingText, trained: tuple[Path, set[str]]
) -> None:
    out, _ = trained
    events = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    before = [one["step"] for one in events if one["event"] == "step"][-1]
    done: list[tuple[str, int, int]] = []
    longer = replace(RECIPE, epochs=2)
    train_rewriter(data, text, out, longer, progress=lambda *now: done.append(now))
    steps = [(step, of) for task, step, of in done if task == "training"]
    assert steps[-1][0] == steps[-1][1]
    assert steps[0][0] == before + 1
    assert not any(task.startswith("encoding") for task, _, _ in done)


def test_a_training_begins_with_the_weights_of_another(
    data: Path, text: TrainingText, trained: tuple[Path, set[str]], tmp_path: Path
) -> None:
    start = trained[0] / "weights"
    recipe = replace(CONTINUED, learning_rate=0.0, heads_learning_rate=0.0, batch=600, limit=4)
    weights = train_rewriter(data, text, tmp_path / "out", recipe, start)
    before, after = (read_card(folder / CARD, "rewriter") for folder in (start, weights))
    assert before["phrases"] == after["phrases"]
    # Nothing was learnt: the weights are those of before.
    assert (weights / LAYERS).read_bytes() == (start / LAYERS).read_bytes()
    old, new = (np.load(folder / HEADS) for folder in (start, weights))
    assert all(np.array_equal(old[name], new[name]) for name in old)


def test_another_recipe_needs_another_folder(
    data: Path, text: TrainingText, trained: tuple[Path, set[str]]
) -> None:
    with pytest.raises(UsageError, match=r"training run with seed 7; choose another folder"):
        train_rewriter(data, text, trained[0], replace(RECIPE, seed=8))


def test_other_data_need_another_folder(
    data: Path, text: TrainingText, trained: tuple[Path, set[str]], tmp_path: Path
) -> None:
    other = shutil.copytree(data, tmp_path / "data")
    path = other / "alexa_cqr_kvret/cqr_kvret_dev_public.json"
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(UsageError, match=r"training run with other data; choose another folder"):
        train_rewriter(other, text, trained[0], RECIPE)


def test_what_is_missing_is_named(data: Path, tmp_path: Path) -> None:
    check(data, FILES)
    with pytest.raises(UsageError, match=r"lacks canard/dev\.json, canard/train_partial"):
        check(tmp_path, FILES)


def test_the_rate_falls_at_the_end_of_every_epoch() -> None:
    shares = [decayed_rate(step, (10, 20), 2, 0.4) for step in range(1, 21)]
    assert shares[0] == 0.5
    assert shares[1:7] == [1.0] * 6
    assert shares[6:10] == [1.0, 0.75, 0.5, 0.25]
    assert shares[10:13] == [1.0] * 3
    assert shares[13:] == sorted(shares[13:], reverse=True)
    assert shares[19] == 1 / 8
    assert decayed_rate(21, (10, 20), 2, 0.4) == 0
    # A run of one epoch has the same rates.
    assert [decayed_rate(step, (10,), 2, 0.4) for step in range(1, 11)] == shares[:10]
