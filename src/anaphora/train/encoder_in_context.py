"""Trains how the default encoder reads questions in conversations: `anaphora train encoder DATA OUT
--from FOLDER`.

A question behind the earlier ones gets the vector that the same layers give the question as it is
understood without them, after Yu et al. (2021), "Few-Shot Conversational Dense Retrieval". So no
passage is needed, and what the layers know of single questions stays.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from anaphora.models.backbone import shared_backbone
from anaphora.models.card import read_card
from anaphora.models.weights import FloatArray
from anaphora.protocols import Progress, no_progress
from anaphora.retrieve.encoders import QUERY_PREFIX, BackboneEncoder
from anaphora.retrieve.trained import CARD, LAYERS, TrainedLayers
from anaphora.train import loop
from anaphora.train.crossencoder.questions import Part
from anaphora.train.crossencoder.real_manuals import real_dialogues
from anaphora.train.encoder import QuestionNetwork, plan
from anaphora.train.rewriter.conversations import conversations
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

_EVALUATED = 800
_EVALUATIONS = 3


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the layers are trained further; docs/models/multilingual-e5-small.md says how the shipped
    ones were.

    Attributes:
        epochs: passes over the questions.
        batch: questions of a batch.
        head_learning_rate: full learning rate of the linear layer on top.
        warmup: batches over which the learning rate rises; it falls to 0 until the end.
        others: questions in conversations that are not about real manuals.
        alone: how many single questions there are for each question in a conversation.
        temperature: divides the cosines.
        distance: weight of the cosine distance of a question to its vector.
    """

    epochs: float = 0.5
    batch: int = 128
    learning_rate: float = 1e-4
    head_learning_rate: float = 1e-4
    warmup: int = 20
    average: float = 0.0
    others: int = 6000
    alone: float = 0.4
    temperature: float = 0.01
    distance: float = 6.0


class Read(NamedTuple):
    """A question as it is read, as it is understood without the earlier ones, and the last of these
    as that was understood; empty where there is none."""

    text: str
    alone: str
    before: str = ""


def questions_in_context(text: TrainingText, part: Part, others: int, seed: int) -> list[Read]:
    """The questions of one part that follow others in conversations about real manuals, and a
    sample of those in other conversations."""
    found = [
        Read(one.in_context, one.alone, before.alone)
        for talk in real_dialogues(text, part)
        for before, one in pairwise(talk)
    ]
    written = [
        Read(example.conversation.in_context, example.rewrites[0])
        for folder in (text.conversations, text.follow_ups)
        for example in conversations(part, folder)
    ]
    found += random.Random(seed).sample(written, min(others, len(written)))
    return list(dict.fromkeys(found))


def train_in_context(
    text: TrainingText,
    start: Path,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains the layers in `start` further; `out` gets the log and the checkpoints.

    Returns:
        The folder with the layers as they are shipped.

    Raises:
        UsageError: `out` cannot be created or holds a run with another recipe.
        ModelUnavailable: `start` has no layers of an encoder of questions.
        MalformedData: the text is damaged.
    """
    recipe = recipe or Recipe()
    files = [start / LAYERS, *text.real]
    for folder in (text.conversations, text.follow_ups):
        files += sorted(folder.glob("*.txt"))
    run = loop.Run(out, recipe, files)
    torch.manual_seed(recipe.seed)
    model = QuestionNetwork(start)
    asked = questions_in_context(text, "train", recipe.others, recipe.seed)
    rng = random.Random(recipe.seed)
    single = rng.sample(asked, round(recipe.alone * len(asked)))
    asked += [Read(one.alone, one.alone) for one in single]
    held_out = questions_in_context(text, "tune", _EVALUATED // 2, recipe.seed)[-_EVALUATED:]
    run.log("questions", questions=len(asked), single=len(single), tune=len(held_out))

    def embedded(texts: Sequence[str]) -> Tensor:
        return model.embed(model.prepared([QUERY_PREFIX + one for one in texts])).cpu()

    alone = _texts_alone([*asked, *held_out])
    found = run.stored("vectors", lambda: vectors_alone(alone, start))
    vectors = dict(zip(alone, torch.from_numpy(found), strict=True))

    def loss(part: Sequence[Read]) -> Mapping[str, Tensor]:
        place = {one: at for at, one in enumerate(_texts_alone(part))}
        every = torch.stack([vectors[one] for one in place])
        own = torch.tensor([place[one.alone] for one in part])
        found = embedded([one.text for one in part])
        logits = found @ every.T / recipe.temperature
        distance = 1 - (found * every[own]).sum(dim=-1)
        return {
            "contrastive": functional.cross_entropy(logits, own),
            "distance": recipe.distance * distance.mean(),
        }

    def evaluation() -> Mapping[str, Any]:
        with torch.inference_mode():
            found = torch.cat(
                [
                    embedded([one.text for one in held_out[at : at + recipe.batch]])
                    for at in range(0, len(held_out), recipe.batch)
                ]
            )
        cosines = (found * torch.stack([vectors[one.alone] for one in held_out])).sum(dim=-1)
        figures = {"cosine": round(float(cosines.mean()), 4)}
        logger.info("mean cosine of held-out questions to their vectors alone %s", figures)
        return figures

    run.log("before", **evaluation())
    lengths = [len(shared_backbone().tokens(one.text)) for one in asked]
    batches = plan(lengths, recipe.batch, recipe.epochs, recipe.seed)
    loop.train(
        run,
        recipe,
        model.module,
        [
            {"params": list(model.layers.parameters()), "lr": recipe.learning_rate},
            {"params": list(model.linear.parameters()), "lr": recipe.head_learning_rate},
        ],
        loop.in_steps(batches, lambda rows: [asked[row] for row in rows]),
        lambda part: [loss(part)],
        len(batches),
        lambda position: loop.decayed_rate(position, (len(batches),), recipe.warmup, 1.0),
        evaluate=evaluation,
        evaluations=_EVALUATIONS,
        progress=progress,
    )
    folder = out / "weights"
    folder.mkdir(exist_ok=True)
    model.export(folder)
    return folder


def vectors_alone(texts: Sequence[str], folder: Path) -> FloatArray:
    """The vectors [n, d] of n questions by the layers in a folder."""
    backbone = shared_backbone()
    card = read_card(folder / CARD, "encoder")
    layers = TrainedLayers(backbone, folder, card["layers"], card["pooling"])
    return BackboneEncoder(backbone, embed_queries=layers.embed).encode_queries(texts)


def _texts_alone(questions: Sequence[Read]) -> list[str]:
    texts = (text for one in questions for text in (one.alone, one.before) if text)
    return list(dict.fromkeys(texts))
