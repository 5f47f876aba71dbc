"""Trains how the default encoder reads questions: `anaphora train encoder DATA OUT`.

Questions get upper layers of their own. The vectors of passages stay as they are, so that no index
has to be made again, and so that every passage of the training data is a negative of every question
at the price of a matrix product. An interrupted run is continued by the same command.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.models.backbone import NAME, shared_backbone
from anaphora.models.weights import FloatArray
from anaphora.protocols import Progress, no_progress
from anaphora.retrieve.encoders import QUERY_PREFIX, BackboneEncoder
from anaphora.retrieve.trained import OWN_LAYERS
from anaphora.train import loop
from anaphora.train.corpora import check
from anaphora.train.crossencoder.questions import (
    FILES,
    Part,
    Pool,
    Question,
    manual_questions,
    training,
    translated,
)
from anaphora.train.crossencoder.real_manuals import (
    Manuals,
    answered,
    in_context,
    real_questions,
)
from anaphora.train.retriever.networks import BackboneNetwork
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

_TOKENS = 128
_EVALUATED = 1500
_EVALUATIONS = 4
_SORTED = 12
"""Batches whose questions are sorted by length together, so that little is padded."""


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the encoder is trained; docs/models/multilingual-e5-small.md says how the shipped layers
    were.

    Attributes:
        epochs: passes over the questions.
        batch: questions of a batch.
        head_learning_rate: full learning rate of the linear layer on top.
        warmup: batches over which the learning rate rises; it falls to 0 until the end.
        own: the share of the questions in other languages than their passage's whose originals are
            trained on too; of those on manuals all are.
        temperature: divides the cosines; that of the original training.
        others: the share of the questions that are not on real manuals which is trained on.
        kept: weight of the distance of a question in its passage's language to its vector by the
            original layers.
        kept_real: the same for a question on a real manual; one behind others has none.
        aligned: weight of the distance of a translation to the vector of its original.
        trained: the share of the trained weights in those that are exported; the others are the
            original ones (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022), by
            which questions in their passage's language find more.
    """

    epochs: float = 0.95
    batch: int = 192
    learning_rate: float = 1e-4
    head_learning_rate: float = 3e-4
    warmup: int = 20
    average: float = 0.0
    own: float = 0.5
    others: float = 1.0
    temperature: float = 0.01
    kept: float = 6.0
    kept_real: float = 2.0
    aligned: float = 2.0
    trained: float = 0.75


WITH_MANUALS = Recipe(epochs=1.4, others=0.5)
"""The recipe with questions on real manuals."""


@dataclass(frozen=True)
class Material:
    """q questions and the p passages that answer them.

    Attributes:
        questions: their texts.
        answered: the numbers of the passages that answer each question.
        crossing: [q] whether a question is in another language than its passage.
        targets: [q, d] the vectors, by the original layers, of each question in its passage's
            language.
        near: [q] weights of the distance to these.
        vectors: [p, d] the vectors of the passages.
        languages: [p] numbers of their languages.
    """

    questions: Sequence[str]
    answered: Sequence[Sequence[int]]
    crossing: Tensor
    targets: Tensor
    near: Tensor
    vectors: Tensor
    languages: Tensor

    def loss(self, rows: Sequence[int], found: Tensor, temperature: float) -> dict[str, Tensor]:
        """The parts of the loss of the vectors [n, d] of some questions."""
        own = torch.tensor([self.answered[row][0] for row in rows])
        logits = found @ self.vectors.T / temperature
        # An index in one language must be searched as well as one in all, where passages in the
        # language of the question come first.
        logits = logits.masked_fill(self._left_out(rows, own), float("-inf"))
        distance = 1 - (found * self.targets[list(rows)]).sum(dim=-1)
        return {
            "contrastive": functional.cross_entropy(logits, own),
            "distance": (self.near[list(rows)] * distance).mean(),
        }

    def reciprocal_ranks(self, found: Tensor) -> Tensor:
        """[q] 1/rank of the right passage among all in its language, 0 beyond the tenth."""
        ranks = torch.empty(len(found))
        for row, vector in enumerate(found):
            own = torch.tensor([self.answered[row][0]])
            scores = (self.vectors @ vector).masked_fill(
                self._left_out([row], own)[0], float("-inf")
            )
            ranks[row] = 1 + (scores > scores[own]).sum()
        return (1 / ranks) * (ranks <= 10)

    def _left_out(self, rows: Sequence[int], own: Tensor) -> Tensor:
        """[n, p] further right passages; for questions in another language than theirs, passages in
        other languages too. A question in the language of its passage prefers it to all others."""
        left_out = self.languages[None] != self.languages[own][:, None]
        left_out &= self.crossing[list(rows)][:, None]
        for at, row in enumerate(rows):
            left_out[at, list(self.answered[row][1:])] = True
        return left_out


class QuestionNetwork(BackboneNetwork):
    """The upper layers of the backbone and a linear layer on top, which starts as the identity."""

    def __init__(self) -> None:
        super().__init__(NAME, OWN_LAYERS[0], _TOKENS, None)
        width = shared_backbone().dimensions
        self.linear = nn.Linear(width, width)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        self.linear.to(next(self.module.parameters()).device)
        self.module["linear"] = self.linear

    def embed(self, inputs: Sequence[FloatArray]) -> Tensor:
        pooled = self.pooled(inputs)
        return functional.normalize(pooled + self.linear(pooled), dim=-1)

    def head(self) -> tuple[FloatArray, FloatArray]:
        weight, bias = (one.detach().cpu().numpy() for one in self.linear.parameters())
        return np.eye(len(weight), dtype=np.float32) + weight, bias


def train_encoder(
    data: Path,
    text: TrainingText,
    out: Path,
    recipe: Recipe | None = None,
    manuals: Path | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains on the data sets in `data` and on `text`; `out` gets the log and the checkpoints.

    Args:
        manuals: a folder with indexes of real manuals, whose questions are trained on too.

    Returns:
        The folder with the layers as they are shipped, which `load_encoder` takes too.

    Raises:
        UsageError: a data set is not in `data`; `out` cannot be created or holds a run with another
            recipe; `manuals` lacks indexes or passages.
        MalformedData: a data set or the text is damaged.
    """
    recipe = recipe or (WITH_MANUALS if manuals else Recipe())
    real = Manuals(manuals) if manuals else None
    check(data, FILES)
    files = [data / file for file in FILES] + [text.translations]
    files += [path for part in (text.passages, text.manuals) for path in sorted(part.glob("*.txt"))]
    files += text.real if real else []
    run = loop.Run(out, recipe, files, manuals=real.fingerprint if real else "")
    torch.manual_seed(recipe.seed)
    parts: dict[str, Material] = run.stored(
        "questions", lambda: gathered(data, text, recipe, real, progress)
    )
    material, held_out = parts["train"], parts["tune"]
    run.log(
        "questions",
        questions=len(material.questions),
        crossing=int(material.crossing.sum()),
        passages=len(material.vectors),
    )
    model = QuestionNetwork()
    original = {name: one.clone() for name, one in model.module.state_dict().items()}
    lengths = [len(shared_backbone().tokens(one)) for one in material.questions]
    batches = plan(lengths, recipe)

    def embedded(questions: Sequence[str]) -> Tensor:
        return model.embed(model.prepared([QUERY_PREFIX + one for one in questions])).cpu()

    def losses(rows: Sequence[int]) -> list[Mapping[str, Tensor]]:
        found = embedded([material.questions[row] for row in rows])
        return [material.loss(rows, found, recipe.temperature)]

    def evaluation() -> Mapping[str, Any]:
        texts = held_out.questions
        with torch.inference_mode():
            found = torch.cat(
                [
                    embedded(texts[at : at + recipe.batch])
                    for at in range(0, len(texts), recipe.batch)
                ]
            )
        ranks, crossing = held_out.reciprocal_ranks(found), held_out.crossing
        figures = {"crossing": ranks[crossing].mean(), "own": ranks[~crossing].mean()}
        rounded = {name: round(float(one), 4) for name, one in figures.items()}
        logger.info("MRR@10 %s", rounded)
        return rounded

    loop.train(
        run,
        recipe,
        model.module,
        [
            {"params": list(model.layers.parameters()), "lr": recipe.learning_rate},
            {"params": list(model.linear.parameters()), "lr": recipe.head_learning_rate},
        ],
        loop.in_steps(batches, lambda rows: rows),
        losses,
        len(batches),
        lambda position: loop.decayed_rate(position, (len(batches),), recipe.warmup, 1.0),
        evaluate=evaluation,
        evaluations=_EVALUATIONS,
        progress=progress,
    )
    with torch.no_grad():
        for name, one in model.module.state_dict().items():
            one.lerp_(original[name], 1 - recipe.trained)
    run.log("exported", **evaluation())
    folder = out / "weights"
    folder.mkdir(exist_ok=True)
    model.export(folder)
    return folder


def plan(lengths: Sequence[int], recipe: Recipe) -> list[list[int]]:
    """The numbers of the questions of every batch, which are about equally long; each epoch is a
    random order of all."""
    rng = random.Random(recipe.seed)
    batches: list[list[int]] = []
    size, per_epoch = recipe.batch, -(-len(lengths) // recipe.batch)
    while len(batches) < recipe.epochs * per_epoch:
        order = list(range(len(lengths)))
        rng.shuffle(order)
        found = []
        for at in range(0, len(order), _SORTED * size):
            part = sorted(order[at : at + _SORTED * size], key=lambda row: lengths[row])
            found += [part[start : start + size] for start in range(0, len(part), size)]
        rng.shuffle(found)
        batches += found
    return batches[: max(1, round(recipe.epochs * per_epoch))]


def gathered(
    data: Path,
    text: TrainingText,
    recipe: Recipe,
    real: Manuals | None = None,
    progress: Progress = no_progress,
) -> dict[str, Material]:
    """The questions to train on and those to tune on, which share no passages.

    Both are the questions in other languages than their passage's, with a share of their originals,
    and all on manuals. Those on real manuals are for training only, by themselves and behind the
    questions before them; all passages of their pages are negatives.
    """
    pool, trained, tuned = training(data, text, recipe.seed)
    rng = random.Random(recipe.seed)
    parts: tuple[tuple[Part, list[Question]], ...] = (("train", trained), ("tune", tuned))
    asked = {
        part: [
            *_asked([*found, *translated(found, text.translations)], recipe.own, rng),
            *(one for one in manual_questions(text.manuals, pool, part) if one.passages),
        ]
        for part, found in parts
    }
    asked["tune"] = rng.sample(asked["tune"], min(_EVALUATED, len(asked["tune"])))
    pages: list[int] = []
    if real:
        asked["train"] = rng.sample(asked["train"], round(recipe.others * len(asked["train"])))
        asked["train"] += answered(real, text, "train", pool)
        asked["train"] += in_context(real, text, "train", pool)
        pages = [pool.number(one) for one in real.pages(real_questions(text, "train"))]
    # The passages of the training questions are candidates for the tuning questions too.
    answering = (number for found in asked.values() for one in found for number in one.passages)
    numbers = sorted({*answering, *pages})
    place = {number: at for at, number in enumerate(numbers)}
    passages = [pool.passages[number] for number in numbers]
    encoder = BackboneEncoder(shared_backbone())
    vectors = encoder.encode_passages(
        [one.searched_text for one in passages],
        lambda done: progress("encoding", done, len(passages)),
    )
    languages = sorted({one.lang for one in passages})
    lang = torch.tensor([languages.index(one.lang) for one in passages])
    return {
        name: Material(
            [one.text for one in found],
            [[place[number] for number in one.passages] for one in found],
            torch.tensor([_is_crossing(one, pool) for one in found]),
            torch.from_numpy(_targets(found, encoder)),
            torch.tensor([_nearness(one, pool, recipe) for one in found]),
            torch.from_numpy(vectors),
            lang,
        )
        for name, found in asked.items()
    }


def _asked(questions: Sequence[Question], own: float, rng: random.Random) -> list[Question]:
    """The questions with an original, and a share of the originals."""
    answerable = [one for one in questions if one.passages]
    crossing = [one for one in answerable if one.original]
    originals = {(one.original, one.passages) for one in crossing}
    kept = [
        one
        for one in answerable
        if not one.original and (one.text, one.passages) in originals and rng.random() < own
    ]
    return [*crossing, *kept]


def _is_crossing(one: Question, pool: Pool) -> bool:
    if one.source in ("real", "conversation"):
        return one.lang != pool.passages[one.passages[0]].lang
    return bool(one.original)


def _nearness(one: Question, pool: Pool, recipe: Recipe) -> float:
    """The weight of the distance to the vector of the original question, which a question on a real
    manual does not have in the language of the manual."""
    if one.source == "conversation":
        return 0.0
    if not _is_crossing(one, pool):
        return recipe.kept_real if one.source == "real" else recipe.kept
    return recipe.aligned if one.original else 0.0


def _targets(questions: Sequence[Question], encoder: BackboneEncoder) -> FloatArray:
    """The vectors of the originals."""
    texts = [one.original or one.text for one in questions]
    distinct = list(dict.fromkeys(texts))
    place = {text: at for at, text in enumerate(distinct)}
    vectors = encoder.encode_queries(distinct)
    return np.asarray(vectors[[place[text] for text in texts]])
