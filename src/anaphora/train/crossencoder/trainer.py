"""Trains the judge: `anaphora train judge DATA OUT`.

The run can be stopped at any time and begun again with the same command: the mined negatives are
kept under OUT, and so is the state of training, every few minutes. Where there is a GPU, it is
trained on that; a state made with or without one can be gone on with either way.
"""

from __future__ import annotations

import logging
import pickle
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from anaphora.crossencoder import model as read
from anaphora.crossencoder.sequence import Sequencer
from anaphora.evaluate.cache import Progress
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone
from anaphora.models.weights import FloatArray, Weights
from anaphora.train.folder import DATA, Log, digest, prepare
from anaphora.train.judge import written
from anaphora.train.judge.batches import Sampler, batches
from anaphora.train.judge.calibrate import calibrated, recalibrate
from anaphora.train.judge.export import export
from anaphora.train.judge.mining import mined
from anaphora.train.judge.network import Batch, CrossEncoder
from anaphora.train.judge.questions import (
    FILES,
    TRANSLATIONS,
    Asked,
    Pool,
    check,
    training,
    translated,
)
from anaphora.train.judge.teaching import Teacher, taught
from anaphora.train.judge.trial import Scores, Trial, measure

logger = logging.getLogger(__name__)

LAYERS = 9
"""Of the twelve: see docs/models/judge.md."""
_TRIED = 150
_TRIALS = 12
_TOLD = 50
"""Steps between lines of the log."""
_SAVED = 240
"""Seconds between states of training."""


@dataclass(frozen=True)
class Recipe:
    """What training does; docs/models/ says how the shipped weights were made.

    The rates rise for `warmup` questions at the beginning of each round, and then fall to 0; a
    round is so many questions.
    """

    rounds: tuple[int, ...] = (60_000, 36_000, 44_000, 30_000, 16_000, 36_000)
    negatives: int = 1
    tokens: int = 5000
    layers_rate: float = 1e-4
    heads_rate: float = 1e-3
    warmup: int = 3_000
    decay: float = 0.01
    average: float = 0.999
    listwise: float = 1.0
    binary: float = 0.5
    seed: int = 7

    @property
    def questions(self) -> int:
        """How many are seen in all."""
        return sum(self.rounds)


def train_judge(
    data: Path,
    out: Path,
    recipe: Recipe | None = None,
    teacher: Path | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Trains on the sets in `data` and leaves log and training state in `out`.

    Args:
        teacher: a folder with an English cross-encoder (`anaphora.train.judge.teaching`), whose
            relevance the judge learns where it reads.
        progress: is told what is being done, how far it is, and how far it goes.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`, or `out` cannot be made or holds a training by
            another recipe.
        ModelUnavailable: `teacher` holds none.
        MalformedData: a data set is damaged.
    """
    recipe = recipe or Recipe()
    check(data)
    learnt = [data / file for file in FILES] + [TRANSLATIONS, *sorted(written.FOLDER.glob("*.txt"))]
    taught_by = {"teacher": teacher is not None, DATA: digest(learnt)}
    prepare(out, asdict(recipe) | taught_by)
    log = Log(out / "log.jsonl")
    torch.manual_seed(recipe.seed)
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool, asked, tuned = prepared_questions(data, out, recipe.seed, teacher, progress)
    log("questions", train=len(asked), tune=len(tuned), passages=len(pool.passages))
    chosen = random.Random(0).sample(tuned, min(_TRIED, len(tuned)))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    log("device", name=str(device))
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, LAYERS)).to(device)
    sampler = Sampler(pool, sequencer, recipe.negatives)
    trial = Trial(sequencer, pool, chosen)
    tensors = _fit(model, asked, sampler, trial, recipe, out, log, progress)
    folder = out / "weights"
    export(folder, tensors)
    recalibrate(folder, calibrated(read.CrossEncoder(shared_backbone(), folder), pool, tuned, data))
    return folder


def prepared_questions(
    data: Path, out: Path, seed: int, teacher: Path | None, progress: Progress
) -> tuple[Pool, list[Asked], list[Asked]]:
    """Pool, questions to train on and questions to tune on, with negatives; made once."""
    path = out / "questions.pickle"
    if not path.exists():
        learnt = Teacher(teacher) if teacher else None
        pool, asked, tuned = training(data, seed)
        found = mined(pool, [*asked, *tuned], out / "pool", progress)
        asked, tuned = found[: len(asked)], found[len(asked) :]
        kept = (pool, taught(asked, pool, learnt, progress) if learnt else asked, tuned)
        path.with_suffix(".new").write_bytes(pickle.dumps(kept))
        path.with_suffix(".new").replace(path)
    prepared: tuple[Pool, list[Asked], list[Asked]] = pickle.loads(path.read_bytes())
    return prepared


def _endless(
    asked: Sequence[Asked], sampler: Sampler, recipe: Recipe, after: int
) -> Iterator[tuple[int, Batch]]:
    """Batches with how many questions have gone by, from `after` on."""
    every = [one for one in (*asked, *translated(asked)) for _ in range(one.often)]
    done = epoch = 0
    while True:
        rng = random.Random(recipe.seed + epoch)
        skipped = min(len(every), max(0, after - done))
        order = rng.sample(every, len(every))
        done += skipped
        for batch in batches(order[skipped:], sampler, recipe.tokens, rng):
            done += int(batch.groups.max()) + 1
            yield done, batch
        epoch += 1


def _fit(
    model: CrossEncoder,
    asked: list[Asked],
    sampler: Sampler,
    trial: Trial,
    recipe: Recipe,
    out: Path,
    log: Log,
    progress: Progress,
) -> dict[str, FloatArray]:
    """The averaged weights at the end, by name."""
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
    tried = before
    sums: dict[str, float] = {}
    between = max(1, recipe.questions // _TRIALS)
    model.train()
    for done, batch in _endless(asked, sampler, recipe, before):
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * _share(recipe, done)
        parts = model.losses(batch.to(model.marks.device), recipe.listwise, recipe.binary)
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
        progress("training", min(done, recipe.questions), recipe.questions)
        if step % _TOLD == 0:
            speed = round((done - before) / (time.time() - began), 1)
            shown = {name: round(value / _TOLD, 4) for name, value in sums.items()}
            log("step", step=step, questions=done, of=recipe.questions, speed=speed, **shown)
            sums = {}
        last = done >= recipe.questions
        if done // between > tried // between or last:
            tried = done
            scores = _tried(model, average, trial)
            log("tried", questions=done, **asdict(scores))
            logger.info(
                f"{done:,} questions: EM {scores.em}, F1 {scores.f1} on {len(trial.asked)} "
                "held-out ones"
            )
        if time.time() - saved > _SAVED or last:
            _save(out, model, optimizer, average, step, done)
            saved = time.time()
        if last:
            break
    return {name: value.float().cpu().numpy() for name, value in average.items()}


def _share(recipe: Recipe, done: int) -> float:
    """Of the full rates, after so many questions."""
    for length in recipe.rounds:
        if done < length:
            return min(1.0, (done + 1) / recipe.warmup) * (1 - done / length)
        done -= length
    return 0.0


def _tried(model: CrossEncoder, average: dict[str, torch.Tensor], trial: Trial) -> Scores:
    """Scores of the averaged weights."""
    current = {name: value.detach().clone() for name, value in model.own().items()}
    model.load_state_dict(average, strict=False)
    scores = measure(model, trial)
    model.load_state_dict(current, strict=False)
    model.train()
    return scores


def _save(
    out: Path, model: CrossEncoder, optimizer: Any, average: Any, step: int, done: int
) -> None:
    state = {
        "model": model.own(),
        "optimizer": optimizer.state_dict(),
        "average": average,
        "step": step,
        "done": done,
    }
    torch.save(state, out / "state.new")
    (out / "state.new").replace(out / "state.pt")


def _resume(out: Path, model: CrossEncoder, optimizer: Any, average: Any) -> tuple[int, int]:
    path = out / "state.pt"
    if not path.exists():
        return 0, 0
    state = torch.load(path, map_location=model.marks.device)
    model.load_state_dict(state["model"], strict=False)
    optimizer.load_state_dict(state["optimizer"])
    average.update(state["average"])
    return int(state["step"]), int(state["done"])
