"""Trains the judge: `anaphora train judge DATA OUT`.

The run can be stopped at any time and begun again with the same command: the mined negatives are
kept under OUT, and so is the state of training, every few minutes.
"""

from __future__ import annotations

import argparse
import pickle
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from anaphora.judge.sequence import Sequencer
from anaphora.models.backbone import shared_backbone
from anaphora.models.weights import Weights
from anaphora.train.judge.batches import Sampler, batches
from anaphora.train.judge.log import Log
from anaphora.train.judge.mining import mined
from anaphora.train.judge.network import Batch, Judge
from anaphora.train.judge.questions import Asked, Pool, questions, training
from anaphora.train.judge.trial import Scores, measure

_ZERO_SHOT = ("poquad_pl/data.json", "persianqa_fa/pqa_test.json")
"""Sets in languages that are not trained on, to choose by; their licence forbids more."""
_TRIED = 150
_OFTEN = {"ar": 2, "en": 2}
"""How often an epoch has the questions of languages with few."""


@dataclass(frozen=True)
class Recipe:
    """What training does; the defaults made the shipped weights."""

    frozen: int = 3
    layers: int = 9
    questions: int = 44_000
    negatives: int = 2
    tokens: int = 5000
    layers_rate: float = 1e-4
    heads_rate: float = 1e-3
    warmup: int = 200
    decay: float = 0.01
    average: float = 0.999
    listwise: float = 1.0
    binary: float = 0.5
    seed: int = 7


def train_judge(data: Path, out: Path, recipe: Recipe | None = None) -> None:
    """Trains on the sets in `data` and leaves log and training state in `out`."""
    recipe = recipe or Recipe()
    out.mkdir(parents=True, exist_ok=True)
    log = Log(out / "log.jsonl")
    torch.manual_seed(recipe.seed)
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool, asked, tuned = _mined(data, out, recipe.seed, log)
    log("questions", train=len(asked), tune=len(tuned), passages=len(pool.passages))
    trials = {"tuned": (pool, random.Random(0).sample(tuned, min(_TRIED, len(tuned))))}
    for path in _ZERO_SHOT:
        other, found = questions(data / path)
        found = random.Random(0).sample(found, _TRIED)
        trials[path.split("/")[0]] = (other, found)
    model = Judge(Weights(), range(recipe.frozen), range(recipe.frozen, recipe.layers))
    sampler = Sampler(pool, sequencer, recipe.negatives)
    _fit(model, asked, sampler, sequencer, trials, recipe, out, log)


def _mined(data: Path, out: Path, seed: int, log: Log) -> tuple[Pool, list[Asked], list[Asked]]:
    path = out / "questions.pickle"
    if not path.exists():
        pool, asked, tuned = training(data, seed)
        progress = log.progress
        kept = (pool, mined(pool, asked, out / "pool", progress), mined(pool, tuned, out / "pool"))
        path.with_suffix(".new").write_bytes(pickle.dumps(kept))
        path.with_suffix(".new").replace(path)
    found: tuple[Pool, list[Asked], list[Asked]] = pickle.loads(path.read_bytes())
    return found


def _endless(
    asked: list[Asked], sampler: Sampler, recipe: Recipe, after: int
) -> Iterator[tuple[int, Batch]]:
    """Batches with how many questions have gone by, from `after` on."""
    done = epoch = 0
    asked = [one for one in asked for _ in range(_OFTEN.get(one.lang, 1))]
    while True:
        rng = random.Random(recipe.seed + epoch)
        skipped = min(len(asked), max(0, after - done))
        order = rng.sample(asked, len(asked))
        done += skipped
        for batch in batches(order[skipped:], sampler, recipe.tokens, rng):
            done += int(batch.groups.max()) + 1
            yield done, batch
        epoch += 1


def _fit(
    model: Judge,
    asked: list[Asked],
    sampler: Sampler,
    sequencer: Sequencer,
    trials: dict[str, tuple[Pool, list[Asked]]],
    recipe: Recipe,
    out: Path,
    log: Log,
) -> None:
    layers = [*model.layers.parameters()]
    optimizer = torch.optim.AdamW(
        [
            {"params": layers, "lr": recipe.layers_rate},
            {"params": [model.marks, *model.heads.parameters()], "lr": recipe.heads_rate},
        ],
        weight_decay=recipe.decay,
    )
    average = {name: value.detach().clone() for name, value in model.own().items()}
    step, before = _resume(out, model, optimizer, average)
    rates = (recipe.layers_rate, recipe.heads_rate)
    saved = began = time.time()
    sums: dict[str, float] = {}
    quarter = max(1, recipe.questions // 6)
    tried = before // quarter
    model.train()
    for done, batch in _endless(asked, sampler, recipe, before):
        share = min(1.0, (step + 1) / recipe.warmup) * max(0.0, 1 - done / recipe.questions)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        parts = model.losses(batch, recipe.listwise, recipe.binary)
        loss = torch.stack(list(parts.values())).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layers, 1.0)
        optimizer.step()
        step += 1
        keep = min(recipe.average, step / (step + 10))
        with torch.no_grad():
            for name, value in model.own().items():
                average[name].lerp_(value, 1 - keep)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        if step % 50 == 0:
            speed = (done - before) / (time.time() - began)
            shown = {name: round(value / 50, 4) for name, value in sums.items()}
            log(
                "step",
                step=step,
                questions=done,
                of=recipe.questions,
                speed=round(speed, 1),
                **shown,
            )
            sums = {}
        last = done >= recipe.questions
        if done // quarter > tried or last:
            tried = done // quarter
            log("tried", questions=done, **_try(model, average, sequencer, trials))
        if time.time() - saved > 240 or last:
            _save(out, model, optimizer, average, step, done)
            saved = time.time()
        if last:
            return


def _try(
    model: Judge,
    average: dict[str, torch.Tensor],
    sequencer: Sequencer,
    trials: dict[str, tuple[Pool, list[Asked]]],
) -> dict[str, Any]:
    """Scores of the averaged weights."""
    current = {name: value.detach().clone() for name, value in model.own().items()}
    model.load_state_dict(average, strict=False)
    found: dict[str, Scores] = {
        name: measure(model, sequencer, *trial) for name, trial in trials.items()
    }
    model.load_state_dict(current, strict=False)
    model.train()
    return {name: asdict(scores) for name, scores in found.items()}


def _save(out: Path, model: Judge, optimizer: Any, average: Any, step: int, done: int) -> None:
    state = {
        "model": model.own(),
        "optimizer": optimizer.state_dict(),
        "average": average,
        "step": step,
        "done": done,
    }
    torch.save(state, out / "state.new")
    (out / "state.new").replace(out / "state.pt")


def _resume(out: Path, model: Judge, optimizer: Any, average: Any) -> tuple[int, int]:
    path = out / "state.pt"
    if not path.exists():
        return 0, 0
    state = torch.load(path)
    model.load_state_dict(state["model"], strict=False)
    optimizer.load_state_dict(state["optimizer"])
    average.update(state["average"])
    return int(state["step"]), int(state["done"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    defaults = asdict(Recipe())
    for name, value in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = parser.parse_args()
    torch.set_num_threads(2)
    train_judge(
        options.data, options.out, Recipe(**{name: getattr(options, name) for name in defaults})
    )


if __name__ == "__main__":
    main()
