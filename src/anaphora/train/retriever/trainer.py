"""Trains a retriever: `anaphora train retriever DATA… OUT`.

An interrupted run is continued by the same command.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from anaphora.datasets.registry import Dataset
from anaphora.errors import AnaphoraError
from anaphora.models.backbone import NAME
from anaphora.protocols import Progress, no_progress
from anaphora.records import Query
from anaphora.rerank.scoring import Scorer
from anaphora.retrieve.trained import OWN_LAYERS, Pooling
from anaphora.train import loop
from anaphora.train.retriever.batches import Batch, Languages, Scores, assembled, plan
from anaphora.train.retriever.losses import Distillation, contrastive, distilled, in_chunks
from anaphora.train.retriever.networks import Network, network
from anaphora.train.retriever.questions import Asked, Material, Mining, digest, gathered

JUDGE = "judge"
_AT_ONCE = 64
_SMALLEST = 1e-6


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How a retriever is trained. The learning rate rises over `warmup` batches and falls to 0
    until the end.

    Attributes:
        epochs: passes over the questions.
        batch: questions of a batch.
        chunk: texts that the model processes at a time; it changes the memory that is used, and the
            result only by rounding and dropout.
        layers: how many upper layers of the backbone are trained. Of another model all are.
        tokens: longer texts are cut off in training.
        temperature: divides the cosines.
        pooling: of the tokens' vectors; None for the model's own.
        query_prefix, passage_prefix: stand before the texts; None for the model's own.
        asked: how the questions of conversations are searched.
        languages: of the passages of a batch.
        mining: where hard negatives come from.
        negatives: hard negatives of a question in a batch.
        distillation: how a teacher's scores are learned, in addition to the contrastive loss.
    """

    epochs: float = 3.0
    batch: int = 32
    chunk: int = 32
    learning_rate: float = 5e-5
    warmup: int = 20
    average: float = 0.0
    layers: int = OWN_LAYERS[0]
    tokens: int = 256
    temperature: float = 0.02
    pooling: Pooling | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    asked: Asked = "linking"
    languages: Languages = "mixed"
    mining: Mining = field(default_factory=Mining)
    negatives: int = 1
    distillation: Distillation = "kl"


def train_retriever(
    datasets: Sequence[Dataset],
    out: Path,
    recipe: Recipe | None = None,
    start: str = NAME,
    teacher: str = "",
    progress: Progress = no_progress,
) -> Path:
    """Trains a bi-encoder on the questions and passages of data sets.

    Args:
        out: gets the log and the checkpoints, and becomes the folder of an encoder.
        start: the backbone's name; a folder that an earlier stage wrote; or a model of Hugging
            Face, by name or folder.
        teacher: whose scores are distilled: "judge" for the cross-encoder that comes with Anaphora,
            a cross-encoder of Hugging Face by name or folder, or none.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no question has a relevant passage.
        UsageError: `out` holds a run with another recipe or other data.
        ModelUnavailable: a model cannot be loaded.
    """
    recipe = recipe or Recipe()
    torch.manual_seed(recipe.seed)
    model = network(start, recipe.layers, recipe.tokens, recipe.pooling)
    if recipe.query_prefix is not None:
        model.query_prefix = recipe.query_prefix
    if recipe.passage_prefix is not None:
        model.passage_prefix = recipe.passage_prefix
    run = loop.Run(out, recipe, digest(datasets), ("chunk",), start=start, teacher=teacher)
    material = run.stored(
        "questions",
        lambda: gathered(datasets, recipe.asked, recipe.mining, out / "passages", progress),
    )
    if not material.questions:
        raise AnaphoraError("none of the questions has a relevant passage to learn from")
    scores = (
        run.stored("teacher", lambda: _scores(material, teacher, progress)) if teacher else None
    )
    run.log(
        "questions",
        questions=len(material.questions),
        negatives=sum(len(one.negatives) for one in material.questions),
        passages=len(material.passages),
    )
    batches = plan(material, recipe.batch, recipe.epochs, recipe.seed, recipe.languages)

    def batch(step: int) -> Batch:
        rng = random.Random(f"{recipe.seed} {step} negatives")
        return assembled(material, batches[step], recipe.negatives, rng, scores)

    parameters = [one for one in model.module.parameters() if one.requires_grad]
    loop.train(
        run,
        recipe,
        model.module,
        [{"params": parameters, "lr": recipe.learning_rate}],
        loop.in_steps(range(len(batches)), batch),
        lambda one: losses(model, one, recipe),
        len(batches),
        lambda position: loop.decayed_rate(position, (len(batches),), max(1, recipe.warmup), 1.0),
        progress=progress,
    )
    model.export(out)
    return out


def losses(model: Network, batch: Batch, recipe: Recipe) -> Iterator[Mapping[str, Tensor]]:
    """The parts of a batch's loss."""
    texts = [model.query_prefix + text for text in batch.questions]
    texts += [model.passage_prefix + text for text in batch.passages]

    def loss(vectors: Tensor) -> dict[str, Tensor]:
        count = len(batch.questions)
        similar = vectors[:count] @ vectors[count:].T
        parts = {"contrastive": contrastive(similar, batch, recipe.temperature)}
        if batch.teacher is not None:
            parts["distillation"] = distilled(
                similar, batch, recipe.temperature, recipe.distillation
            )
        return parts

    return in_chunks(model.embed, model.prepared(texts), recipe.chunk, loss)


def _scores(material: Material, teacher: str, progress: Progress) -> Scores:
    """The teacher's score of each question's own passages, as log-odds."""
    scorer = _scorer(teacher)
    found: dict[tuple[int, str], float] = {}
    for start in range(0, len(material.questions), _AT_ONCE):
        part = material.questions[start : start + _AT_ONCE]
        keys = [[*one.positives, *one.negatives] for one in part]
        scored = scorer.score(
            [
                (Query(one.text, one.lang), [material.passages[key] for key in mine])
                for one, mine in zip(part, keys, strict=True)
            ]
        )
        for row, (mine, values) in enumerate(zip(keys, scored, strict=True), start):
            for key, score in zip(mine, values or (), strict=True):
                found[row, key] = score.value if teacher == JUDGE else _log_odds(score.value)
        progress("scoring", start + len(part), len(material.questions))
    return found


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, _SMALLEST), 1 - _SMALLEST)
    return math.log(bounded / (1 - bounded))


def _scorer(teacher: str) -> Scorer:
    if teacher == JUDGE:
        from anaphora.crossencoder.model import shared_crossencoder
        from anaphora.rerank.crossencoder import CrossEncoderScorer

        return CrossEncoderScorer(shared_crossencoder())
    from anaphora.rerank.huggingface import HuggingFaceCrossEncoder

    return HuggingFaceCrossEncoder(teacher)
