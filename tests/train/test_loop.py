"""The loop that all trainers share, on a network of a few weights."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace

import pytest

torch = pytest.importorskip("torch")

from anaphora.errors import UsageError  # noqa: E402
from anaphora.train import loop  # noqa: E402


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    steps: int = 12
    batch: int = 4
    learning_rate: float = 0.1
    checkpoint_seconds: float = 0.0


RECIPE = Recipe()


class Stop(Exception):
    pass


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Dropout(0.5), torch.nn.Linear(5, 1))


def fit(folder, recipe=RECIPE, parts=1, **options):
    """Trains on batches that depend on the number of the step alone."""
    model = network()

    def losses(step):
        rows = torch.tensor(
            [[random.Random(f"{step} {n}").random() for n in range(3)] for _ in range(recipe.batch)]
        )
        for part in rows.chunk(parts):
            yield {"error": (model(part) - part.sum(1, keepdim=True)).square().sum()}

    run = loop.Run(folder, recipe, may_change=("steps",))
    groups = [{"params": list(model.parameters()), "lr": recipe.learning_rate}]
    batches = loop.in_steps(range(recipe.steps), int)
    loop.train(run, recipe, model, groups, batches, losses, recipe.steps, **options)
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach()


@pytest.mark.parametrize("average", [0.0, 0.9])
@pytest.mark.parametrize("stopped_at", [1, 7, 12])
def test_an_interrupted_run_ends_with_the_same_weights(tmp_path, average, stopped_at):
    recipe = replace(RECIPE, average=average)

    def stop(task, done, total):
        if done == stopped_at:
            raise Stop

    with pytest.raises(Stop):
        fit(tmp_path / "stopped", recipe, progress=stop)
    assert torch.equal(fit(tmp_path / "stopped", recipe), fit(tmp_path / "straight", recipe))


def test_a_finished_run_is_not_trained_again_except_for_more_steps(tmp_path):
    first = fit(tmp_path)
    steps = []
    assert torch.equal(fit(tmp_path, progress=lambda *now: steps.append(now)), first)
    assert steps == []
    longer = fit(tmp_path, replace(RECIPE, steps=15), progress=lambda *now: steps.append(now))
    assert [done for _, done, _ in steps] == [13, 14, 15]
    assert not torch.equal(longer, first)


def test_evaluation_sees_the_averaged_weights_and_leaves_training_as_it_is(tmp_path):
    calls = []
    recipe = replace(RECIPE, average=0.9)
    options = {"evaluate": lambda: calls.append(1) or {"score": 1.0}, "evaluations": 4}
    assert torch.equal(fit(tmp_path / "a", recipe, **options), fit(tmp_path / "b", recipe))
    assert len(calls) == 4
    lines = (tmp_path / "a/log.jsonl").read_text("utf-8").splitlines()
    evaluations = [one for one in map(json.loads, lines) if one["event"] == "evaluation"]
    assert [one["position"] for one in evaluations] == [3, 6, 9, 12]
    assert {one["score"] for one in evaluations} == {1.0}


def test_the_learning_rate_follows_the_schedule(tmp_path):
    positions = []
    still = fit(tmp_path / "still", rate=lambda position: positions.append(position) or 0.0)
    assert positions == list(range(1, 13))
    begin = torch.nn.utils.parameters_to_vector(network().parameters()).detach()
    assert torch.equal(still, begin)
    assert not torch.equal(fit(tmp_path / "moving"), begin)


def test_another_recipe_or_other_data_need_another_folder(tmp_path):
    data = tmp_path / "data"
    data.write_text("one")
    loop.Run(tmp_path / "out", RECIPE, [data], teacher=True)
    loop.Run(tmp_path / "out", replace(RECIPE, checkpoint_seconds=9.0), [data], teacher=True)
    with pytest.raises(UsageError, match="a training run with batch 4, teacher True; choose"):
        loop.Run(tmp_path / "out", replace(RECIPE, batch=5), [data], teacher=False)
    data.write_text("two")
    with pytest.raises(UsageError, match="a training run with other data; choose"):
        loop.Run(tmp_path / "out", RECIPE, [data], teacher=True)
    with pytest.raises(UsageError, match="cannot be created"):
        loop.Run(data / "out", RECIPE)


def test_prepared_data_are_computed_once(tmp_path):
    run = loop.Run(tmp_path, RECIPE)
    assert run.stored("numbers", lambda: [1, 2]) == [1, 2]
    assert run.stored("numbers", lambda: [3]) == [1, 2]
