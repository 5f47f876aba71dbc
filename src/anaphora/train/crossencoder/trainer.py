"""Trains the cross-encoder: `anaphora train judge DATA OUT`.

An interrupted run is continued by the same command. It uses a GPU if torch finds one; a run may be
continued on a machine with or without one.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate, count, islice
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from anaphora.crossencoder import model as shipped
from anaphora.crossencoder.sequence import Sequencer
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone
from anaphora.models.weights import Weights
from anaphora.protocols import Progress, no_progress
from anaphora.records import Passage
from anaphora.train import loop
from anaphora.train.corpora import check
from anaphora.train.crossencoder import calibration
from anaphora.train.crossencoder.batches import Sampler, batches
from anaphora.train.crossencoder.distillation import Teacher, with_teacher_scores
from anaphora.train.crossencoder.evaluation import evaluate
from anaphora.train.crossencoder.mining import mined
from anaphora.train.crossencoder.network import Batch, CrossEncoder, continue_from, export, exported
from anaphora.train.crossencoder.questions import (
    FILES,
    Pool,
    Question,
    Source,
    manual_questions,
    training,
    translated,
)
from anaphora.train.crossencoder.real_manuals import Manuals, graded, searched
from anaphora.train.crossencoder.span_heads import fit_span_heads, with_short_answers
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

LAYERS = 9
"""Of the backbone's twelve; docs/models/judge.md gives the reasons."""
_EVALUATED = 150
_EVALUATIONS = 6
_COMPARED = 250
"""Questions whose spans are compared with those of earlier weights."""
_FITTED = 4_000
"""Questions that the heads of the spans are fitted on again."""
_FITTED_READ = 1_200
"""The same with graded hits."""
_CHUNK = 250
"""Questions that are drawn at a time and sorted by length."""


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the cross-encoder is trained; docs/models/judge.md says how the shipped weights were.

    Attributes:
        rounds: the number of questions of each round. In each, the learning rates rise over
            `warmup` questions and then fall to 0.
        shares: of the sources of the questions, if a training is continued; one without questions
            leaves its share to the others. Else a source is drawn as often as it has questions.
        negatives: most wrong passages of a question in a batch.
        batch: tokens of a batch, about.
        heads_learning_rate: full learning rate of the heads.
        listwise: weight of the softmax over a question's passages and of distillation.
        binary: weight of the binary cross-entropy of each passage.
        frozen: own layers, the lowest ones, that a continued training leaves as they are.
        preserved: a continued training preserves its spans in one of so many batches, with a weight
            so many times as high.
        trained: the share of the trained weights in those that a continued training exports; the
            others are those that it started from (Wortsman et al., "Robust fine-tuning of
            zero-shot models", 2022).
    """

    shares: Mapping[Source, float] = field(default_factory=dict)
    rounds: tuple[int, ...] = (60_000, 36_000, 44_000, 30_000, 16_000, 36_000)
    negatives: int = 1
    batch: int = 5000
    learning_rate: float = 1e-4
    heads_learning_rate: float = 1e-3
    warmup: int = 3_000
    listwise: float = 1.0
    binary: float = 0.5
    frozen: int = 0
    preserved: int = 1
    trained: float = 1.0


CONTINUED = Recipe(
    shares={"real": 0.6, "invented": 0.3, "articles": 0.1},
    rounds=(9_000,),
    negatives=3,
    learning_rate=1e-4,
    heads_learning_rate=1e-4,
    warmup=300,
    binary=0.3,
    average=0.998,
    preserved=3,
    trained=0.5,
)
"""The recipe of a training that continues from trained weights."""

GRADED = replace(
    CONTINUED,
    shares={"graded": 0.75, "invented": 0.25},
    rounds=(12_000,),
    negatives=5,
    batch=8_000,
    learning_rate=8e-5,
    heads_learning_rate=8e-5,
    warmup=150,
    frozen=1,
    trained=1.0,
)
"""The recipe of one that learns from graded hits."""


def train_crossencoder(
    data: Path,
    text: TrainingText,
    out: Path,
    recipe: Recipe | None = None,
    teacher: Path | None = None,
    start: Path | None = None,
    manuals: Path | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains on the data sets in `data` and on `text`; `out` gets the log and the checkpoints.

    Args:
        teacher: a folder with an English cross-encoder whose relevance is distilled.
        start: a folder with weights to continue from. Then most of the questions are on manuals.
        manuals: a folder with indexes of real manuals. A training that continues learns from the
            questions on them too.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`; `out` cannot be created or holds a run with another
            recipe; `manuals` lacks indexes or passages.
        ModelUnavailable: `teacher` has no cross-encoder, or `start` no weights.
        MalformedData: a data set is damaged.
    """
    recipe = recipe or (CONTINUED if start else Recipe())
    check(data, FILES)
    real = Manuals(manuals) if manuals else None
    files = [data / file for file in FILES]
    files += [text.translations]
    files += [path for part in (text.passages, text.manuals) for path in sorted(part.glob("*.txt"))]
    files += [start / shipped.LAYERS] if start else []
    files += text.real if real else []
    held = real.fingerprint if real else ""
    run = loop.Run(out, recipe, files, teacher=teacher is not None, manuals=held)
    torch.manual_seed(recipe.seed)
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool, questions, tuning = prepared_questions(
        run, data, text, recipe, teacher, start, real, progress
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

    def losses(numbered: tuple[int, Batch]) -> list[Mapping[str, torch.Tensor]]:
        number, batch = numbered
        preserved = 0.0 if number % recipe.preserved else float(recipe.preserved)
        return [model.losses(batch.to(device), recipe.listwise, recipe.binary, preserved)]

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
        losses,
        sum(recipe.rounds),
        lambda position: _rate(recipe, position),
        evaluate=evaluation,
        evaluations=_EVALUATIONS,
        clipped=layers,
        progress=progress,
    )
    folder = out / "weights"
    own = {name: one.float().cpu() for name, one in model.own().items()}
    if start:
        earlier = exported(start)
        own = {name: torch.lerp(earlier[name], one, recipe.trained) for name, one in own.items()}
    export(folder, {name: one.numpy() for name, one in own.items()})
    if start:
        read = [one for one in questions if one.source == "graded"]
        own = with_fitted_spans(folder, data, text, recipe.seed, pool, read)
        export(folder, {name: one.numpy() for name, one in own.items()})
        own = as_before(own, start, folder, pool, tuning)
        export(folder, {name: one.numpy() for name, one in own.items()})
    reader = shipped.CrossEncoder(shared_backbone(), folder)
    support = calibration.calibrate(reader, pool, tuning, data, text)
    calibration.update(folder, support)
    return folder


def with_fitted_spans(
    folder: Path,
    data: Path,
    text: TrainingText,
    seed: int,
    pool: Pool,
    read: Sequence[Question],
) -> dict[str, torch.Tensor]:
    """The tensors of the weights in a folder, with the heads of the spans fitted again on questions
    with short answers, of which other training costs some, and on some of those that were `read`:
    else the spans of longer answers are too low."""
    articles, questions, _ = training(data, text, seed)
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, LAYERS))
    model.load_state_dict(exported(folder), strict=False)
    some = random.Random(seed).sample(list(read), min(_FITTED_READ, len(read)))
    asked = [(articles, with_short_answers(questions, _FITTED, seed)), (pool, some)]
    fit_span_heads(model, asked, seed)
    return {name: one.detach() for name, one in model.own().items()}


def as_before(
    own: Mapping[str, torch.Tensor],
    start: Path,
    folder: Path,
    pool: Pool,
    tuning: Sequence[Question],
) -> dict[str, torch.Tensor]:
    """The tensors of the weights in `folder` with spans on the scale of those in `start`: in the
    mean, the best spans of right passages score as before, and those of wrong ones. The support
    check takes scores on that scale."""
    asked = [one for one in tuning if one.passages and one.negatives][:_COMPARED]
    pairs = [
        [(one.text, pool.passages[one.passages[0]]) for one in asked],
        [(one.text, pool.passages[one.negatives[0]]) for one in asked],
    ]
    (right, wrong), (right_now, wrong_now) = (
        [_mean_span(shipped.CrossEncoder(shared_backbone(), one), part) for part in pairs]
        for one in (start, folder)
    )
    scale = (right - wrong) / (right_now - wrong_now)
    shift = right - scale * right_now
    changed = {name: scale * own[name] for name in ("heads.span_w", "heads.null_w")}
    return {**own, **changed, "heads.span_b": scale * own["heads.span_b"] + shift / 2}


def _mean_span(judge: shipped.CrossEncoder, pairs: Sequence[tuple[str, Passage]]) -> float:
    return fmean(found.spans[0].score for found in judge.score(pairs) if found.spans)


def prepared_questions(
    run: loop.Run,
    data: Path,
    text: TrainingText,
    recipe: Recipe,
    teacher: Path | None = None,
    start: Path | None = None,
    real: Manuals | None = None,
    progress: Progress = no_progress,
) -> tuple[Pool, list[Question], list[Question]]:
    """Pool, questions to train on and questions to tune on, with negatives; computed once.

    If training is continued, from the weights in `start`, the questions on articles are a sample,
    and their negatives are searched by words.
    """

    def compute() -> tuple[Pool, list[Question], list[Question]]:
        model = Teacher(teacher) if teacher else None
        pool, questions, tuning = training(data, text, recipe.seed)
        if start:
            most = round(recipe.shares.get("articles", 0.0) * sum(recipe.rounds))
            sample = random.Random(recipe.seed).sample(questions, min(most, len(questions)))
            questions = [replace(one, repeats=1) for one in sample]
        questions += manual_questions(text.manuals, pool, "train", recipe.seed)
        tuning += [one for one in manual_questions(text.manuals, pool, "tune") if one.passages]
        asked = [*questions, *tuning]
        found = mined(pool, asked, run.folder / "pool", progress, lexical=start is not None)
        questions, tuning = found[: len(questions)], found[len(questions) :]
        if model:
            questions = with_teacher_scores(questions, pool, model, progress)
        if start and real:
            judge = shipped.CrossEncoder(shared_backbone(), start)
            if recipe.shares.get("real"):
                questions += searched(real, text, pool, judge, progress)
            if recipe.shares.get("graded"):
                questions += graded(real, text, pool, judge)
        return pool, questions, tuning

    return run.stored("questions", compute)


def _endless(
    questions: Sequence[Question], sampler: Sampler, recipe: Recipe, position: int
) -> Iterator[tuple[int, tuple[int, Batch]]]:
    """Numbered batches from a position on, which do not depend on where they begin.

    A position counts questions, also those of which no window is right.
    """
    drawn = _drawn(questions, recipe.shares, recipe.seed)
    for start in count(0, _CHUNK):
        part = list(islice(drawn, _CHUNK))
        if start + _CHUNK <= position:
            continue
        rng = random.Random(f"{recipe.seed} {start}")
        made = list(batches(part, sampler, recipe.batch, rng))
        ends = list(accumulate(int(batch.groups.max()) + 1 for batch in made))
        ends[-1:] = [len(part)]
        for number, (end, batch) in enumerate(zip(ends, made, strict=False)):
            if start + end > position:
                yield start + end, (number, batch)


def _drawn(
    questions: Sequence[Question], shares: Mapping[Source, float], seed: int
) -> Iterator[Question]:
    """Questions without end, those of each source in random orders, one after the other. Without
    shares a source is drawn as often as it has questions."""
    sources: dict[Source, list[Question]] = {}
    for one in questions:
        sources.setdefault(one.source, []).extend([one] * one.repeats)
    rng = random.Random(seed)
    weights = [shares[source] if shares else len(found) for source, found in sources.items()]
    orders = [
        _orders(found, random.Random(f"{seed} {source}")) for source, found in sources.items()
    ]
    while True:
        yield next(*rng.choices(orders, weights))


def _orders(questions: Sequence[Question], rng: random.Random) -> Iterator[Question]:
    while True:
        yield from rng.sample(questions, len(questions))


def _rate(recipe: Recipe, position: int) -> float:
    """The fraction of the full learning rates at a position."""
    for length in recipe.rounds:
        if position < length:
            return min(1.0, (position + 1) / recipe.warmup) * (1 - position / length)
        position -= length
    return 0.0
