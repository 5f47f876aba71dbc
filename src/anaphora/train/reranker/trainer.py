"""Trains a cross-encoder to rerank: `anaphora train reranker DATA… OUT`.

An interrupted run is continued by the same command.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from anaphora.datasets.registry import Dataset
from anaphora.errors import AnaphoraError
from anaphora.protocols import Progress, no_progress
from anaphora.records import Passage, Query
from anaphora.train import loop
from anaphora.train.reranker.networks import Network, network
from anaphora.train.retriever.batches import plan
from anaphora.train.retriever.questions import Asked, Material, Mining, digest, gathered

Loss = Literal["pointwise", "listwise"]

Candidates = tuple[str, list[Passage]]
"""A question, and the passages to rank for it, the relevant one first."""


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How a reranker is trained. The learning rate rises over `warmup` batches and falls to 0 until
    the end.

    Attributes:
        epochs: passes over the questions.
        batch: questions of a batch.
        at_once: how many of these the model processes at a time; it changes the memory that is
            used, and not the result but by rounding and dropout.
        layers: how many upper layers of our own cross-encoder are trained. Of another model all
            are.
        loss: "pointwise" is the cross-entropy of each passage's relevance (Nogueira and Cho,
            "Passage Re-ranking with BERT", 2019), "listwise" that of the relevant passage among
            those of its question.
        asked: how the questions of conversations are searched.
        mining: where negatives come from.
        negatives: negatives of a question in a batch.
    """

    epochs: float = 1.0
    batch: int = 16
    at_once: int = 2
    learning_rate: float = 2e-5
    warmup: int = 20
    average: float = 0.0
    layers: int = 4
    loss: Loss = "listwise"
    asked: Asked = "linking"
    mining: Mining = field(default_factory=Mining)
    negatives: int = 7


def train_reranker(
    datasets: Sequence[Dataset],
    start: str,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains a cross-encoder on the questions and passages of data sets.

    Args:
        start: "judge" for the cross-encoder that comes with Anaphora, or a folder with weights of
            it; or a model of Hugging Face by name or folder, which gets a head for pairs if it has
            none.
        out: gets the log and the checkpoints, and becomes the folder of a model for the reranker
            "judge", or "crossencoder" for a model of Hugging Face.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no question has both a relevant passage and another one.
        UsageError: `out` holds a run with another recipe or other data.
        ModelUnavailable: the model cannot be loaded.
    """
    recipe = recipe or Recipe()
    torch.manual_seed(recipe.seed)
    model = network(start, recipe.layers, recipe.seed)
    run = loop.Run(out, recipe, digest(datasets), ("at_once",), start=start)
    material = run.stored(
        "questions",
        lambda: gathered(datasets, recipe.asked, recipe.mining, out / "passages", progress),
    )
    usable = [one for one in material.questions if one.negatives]
    if not usable:
        raise AnaphoraError(
            "none of the questions has a relevant passage and another one to learn from"
        )
    material = Material(usable, material.passages)
    batches = plan(material, recipe.batch, recipe.epochs, recipe.seed, "mixed")
    parameters = [one for one in model.module.parameters() if one.requires_grad]
    loop.train(
        run,
        recipe,
        model.module,
        [{"params": parameters, "lr": recipe.learning_rate}],
        loop.in_steps(
            range(len(batches)), lambda step: _drawn(material, batches[step], step, recipe)
        ),
        lambda batch: _losses(model, batch, recipe),
        len(batches),
        lambda position: loop.decayed_rate(position, (len(batches),), max(1, recipe.warmup), 1.0),
        progress=progress,
    )
    model.export(out)
    return out


def _drawn(material: Material, rows: Sequence[int], step: int, recipe: Recipe) -> list[Candidates]:
    rng = random.Random(f"{recipe.seed} {step} negatives")
    batch = []
    for row in rows:
        one = material.questions[row]
        others = rng.sample(one.negatives, min(recipe.negatives, len(one.negatives)))
        keys = [rng.choice(one.positives), *others]
        batch.append((one.text, [material.passages[key] for key in keys]))
    return batch


def _losses(
    model: Network, batch: Sequence[Candidates], recipe: Recipe
) -> Iterator[dict[str, Tensor]]:
    """The parts of a batch, whose sum is the mean loss over its questions."""
    for start in range(0, len(batch), recipe.at_once):
        part = batch[start : start + recipe.at_once]
        scores = model.scores(
            [(Query(text), passage) for text, passages in part for passage in passages]
        )
        lists = scores.split([len(passages) for _, passages in part])
        yield {"loss": torch.stack([_loss(one, recipe.loss) for one in lists]).sum() / len(batch)}


def _loss(scores: Tensor, way: Loss) -> Tensor:
    """Of the scores of one question's passages, the relevant one first."""
    if way == "listwise":
        return -scores.log_softmax(0)[0]
    wanted = torch.zeros_like(scores)
    wanted[0] = 1
    return functional.binary_cross_entropy_with_logits(scores, wanted)
