"""Trains the cross-encoder: `anaphora train judge DATA OUT`.

An interrupted run is continued by the same command. It uses a GPU if torch finds one; a run may be
continued on a machine with or without one.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from anaphora.crossencoder import model as shipped
from anaphora.crossencoder.sequence import Sequencer
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone
from anaphora.models.weights import Weights
from anaphora.protocols import Progress, no_progress
from anaphora.train import loop
from anaphora.train.corpora import check
from anaphora.train.crossencoder import calibration
from anaphora.train.crossencoder.batches import Sampler, batches
from anaphora.train.crossencoder.distillation import Teacher, with_teacher_scores
from anaphora.train.crossencoder.evaluation import evaluate
from anaphora.train.crossencoder.mining import mined
from anaphora.train.crossencoder.network import Batch, CrossEncoder, continue_from, export
from anaphora.train.crossencoder.questions import (
    FILES,
    Pool,
    Question,
    manual_questions,
    training,
    translated,
)
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

LAYERS = 9
"""Of the backbone's twelve; docs/models/judge.md gives the reasons."""
_EVALUATED = 150
_EVALUATIONS = 6
_REPLAYED = 0.4
"""Fraction of the questions of a continued training that are not on manuals."""


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the cross-encoder is trained; docs/models/judge.md says how the shipped weights were.

    Attributes:
        rounds: the number of questions of each round. In each, the learning rates rise over
            `warmup` questions and then fall to 0.
        negatives: most wrong passages of a question in a batch.
        batch: tokens of a batch, about.
        heads_learning_rate: full learning rate of the heads.
        listwise: weight of the softmax over a question's passages and of distillation.
        binary: weight of the binary cross-entropy of each passage.
        frozen: own layers, the lowest ones, that a continued training leaves as they are.
    """

    rounds: tuple[int, ...] = (60_000, 36_000, 44_000, 30_000, 16_000, 36_000)
    negatives: int = 1
    batch: int = 5000
    learning_rate: float = 1e-4
    heads_learning_rate: float = 1e-3
    warmup: int = 3_000
    listwise: float = 1.0
    binary: float = 0.5
    frozen: int = 0


CONTINUED = Recipe(
    rounds=(14_000,),
    negatives=3,
    learning_rate=1e-4,
    heads_learning_rate=1e-4,
    warmup=300,
    frozen=3,
)
"""The recipe of a training that continues from trained weights."""


def train_crossencoder(
    data: Path,
    text: TrainingText,
    out: Path,
    recipe: Recipe | None = None,
    teacher: Path | None = None,
    start: Path | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains on the data sets in `data` and on `text`; `out` gets the log and the checkpoints.

    Args:
        teacher: a folder with an English cross-encoder whose relevance is distilled.
        start: a folder with weights to continue from. Then 60 % of the questions are on manuals.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`, or `out` cannot be created or holds a run with
            another recipe.
        ModelUnavailable: `teacher` has no cross-encoder, or `start` no weights.
        MalformedData: a data set is damaged.
    """
    recipe = recipe or (CONTINUED if start else Recipe())
    check(data, FILES)
    files = [data / file for file in FILES]
    files += [text.translations]
    files += [path for part in (text.passages, text.manuals) for path in sorted(part.glob("*.txt"))]
    files += [start / shipped.LAYERS] if start else []
    run = loop.Run(out, recipe, files, teacher=teacher is not None)
    torch.manual_seed(recipe.seed)
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool, questions, tuning = prepared_questions(
        run, data, text, recipe.seed, teacher, progress, continued=start is not None
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    run.log(
        "questions",
        train=len(questions),
        tune=len(tuning),
        passages=len(pool.passages),
        device=str(device),
    )
    held_out = random.Random(0).sample(tuning, min(_EVALUATED, len(tuning)))
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, LAYERS))
    if start:
        continue_from(model, start, recipe.frozen, recipe.seed)
    model.to(device)
    layers = [one for one in model.layers.parameters() if one.requires_grad]

    def evaluation() -> Mapping[str, Any]:
        figures = asdict(evaluate(model, sequencer, pool, held_out))
        logger.info(f"EM {figures['em']}, F1 {figures['f1']} on {len(held_out)} held-out questions")
        return figures

    every = [*questions, *translated(questions, text.translations)]
    sampler = Sampler(pool, sequencer, recipe.negatives)
    loop.train(
        run,
        recipe,
        model,
        [
            {"params": layers, "lr": recipe.learning_rate},
            {
                "params": [model.marks, *model.heads.parameters()],
                "lr": recipe.heads_learning_rate,
            },
        ],
        lambda position: _endless(every, sampler, recipe, position),
        lambda batch: [model.losses(batch.to(device), recipe.listwise, recipe.binary)],
        sum(recipe.rounds),
        lambda position: _rate(recipe, position),
        evaluate=evaluation,
        evaluations=_EVALUATIONS,
        clipped=layers,
        progress=progress,
    )
    folder = out / "weights"
    export(folder, {name: one.float().cpu().numpy() for name, one in model.own().items()})
    reader = shipped.CrossEncoder(shared_backbone(), folder)
    support = calibration.calibrate(reader, pool, tuning, data, text)
    calibration.update(folder, support)
    return folder


def prepared_questions(
    run: loop.Run,
    data: Path,
    text: TrainingText,
    seed: int,
    teacher: Path | None,
    progress: Progress,
    *,
    continued: bool = False,
) -> tuple[Pool, list[Question], list[Question]]:
    """Pool, questions to train on and questions to tune on, with negatives; computed once.

    If training is continued, the questions that are not on manuals are a sample, and their
    negatives are searched by words.
    """

    def compute() -> tuple[Pool, list[Question], list[Question]]:
        model = Teacher(teacher) if teacher else None
        pool, questions, tuning = training(data, text, seed)
        manuals = manual_questions(text.manuals, pool, "train", seed)
        if continued:
            count = round(len(manuals) * _REPLAYED / (1 - _REPLAYED))
            sample = random.Random(seed).sample(questions, min(count, len(questions)))
            questions = [replace(one, repeats=1) for one in sample]
        questions += manuals
        tuning += [one for one in manual_questions(text.manuals, pool, "tune") if one.passages]
        asked = [*questions, *tuning]
        found = mined(pool, asked, run.folder / "pool", progress, lexical=continued)
        questions, tuning = found[: len(questions)], found[len(questions) :]
        if model:
            questions = with_teacher_scores(questions, pool, model, progress)
        return pool, questions, tuning

    return run.stored("questions", compute)


def _endless(
    questions: Sequence[Question], sampler: Sampler, recipe: Recipe, position: int
) -> Iterator[tuple[int, Batch]]:
    """Batches of one epoch after the other, without the first `position` questions."""
    every = [one for one in questions for _ in range(one.repeats)]
    done = epoch = 0
    while True:
        rng = random.Random(recipe.seed + epoch)
        skipped = min(len(every), max(0, position - done))
        order = rng.sample(every, len(every))
        done += skipped
        for batch in batches(order[skipped:], sampler, recipe.batch, rng):
            done += int(batch.groups.max()) + 1
            yield done, batch
        epoch += 1


def _rate(recipe: Recipe, position: int) -> float:
    """The fraction of the full learning rates at a position."""
    for length in recipe.rounds:
        if position < length:
            return min(1.0, (position + 1) / recipe.warmup) * (1 - position / length)
        position -= length
    return 0.0
