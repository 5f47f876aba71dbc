"""Batches of questions whose passages are each other's negatives."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from anaphora.train.retriever.questions import Material

Languages = Literal["mixed", "same"]
"""Whether the passages of a batch are in any languages, or all in one: a model that learns from
batches of one language cannot tell negatives by their language."""

Scores = Mapping[tuple[int, str], float]
"""A teacher's score of a question, by its number, and a passage, by its key."""


@dataclass
class Batch:
    """q questions and p passages.

    Attributes:
        own: [q, c] the columns of each question's positive and its own negatives; -1 for none.
        blocked: [q, p] passages that answer the question and are not its target.
        teacher: [q, c] a teacher's scores of `own`; None without a teacher.
    """

    questions: list[str]
    passages: list[str]
    own: Tensor
    blocked: Tensor
    teacher: Tensor | None


def plan(
    material: Material, size: int, epochs: float, seed: int, languages: Languages
) -> list[list[int]]:
    """The numbers of the questions of every batch; each epoch is a random order of all."""
    questions = material.questions
    batches: list[list[int]] = []
    per_epoch = 0
    for epoch in range(-int(-epochs // 1)):
        rng = random.Random(f"{seed} {epoch}")
        order = list(range(len(questions)))
        rng.shuffle(order)
        groups: dict[str, list[int]] = {}
        for row in order:
            lang = material.passages[questions[row].positives[0]].lang
            groups.setdefault(lang if languages == "same" else "", []).append(row)
        found = [
            rows[start : start + size]
            for rows in groups.values()
            for start in range(0, len(rows), size)
        ]
        rng.shuffle(found)
        per_epoch = len(found)
        batches += found
    return batches[: max(1, round(epochs * per_epoch))]


def assembled(
    material: Material,
    rows: Sequence[int],
    negatives: int,
    rng: random.Random,
    scores: Scores | None = None,
) -> Batch:
    """A batch with one positive and at most `negatives` negatives of each question."""
    keys: list[list[str]] = []
    for row in rows:
        one = material.questions[row]
        drawn = rng.sample(one.negatives, min(negatives, len(one.negatives)))
        keys.append([rng.choice(one.positives), *drawn])
    columns = {key: at for at, key in enumerate(dict.fromkeys(key for row in keys for key in row))}
    own = torch.full((len(rows), 1 + negatives), -1)
    blocked = torch.zeros(len(rows), len(columns), dtype=torch.bool)
    teacher = torch.zeros(own.shape) if scores is not None else None
    for at, (row, mine) in enumerate(zip(rows, keys, strict=True)):
        for place, key in enumerate(mine):
            own[at, place] = columns[key]
            if teacher is not None and scores is not None:
                teacher[at, place] = scores[row, key]
        for key in material.questions[row].positives:
            if key in columns and key != mine[0]:
                blocked[at, columns[key]] = True
    return Batch(
        [material.questions[row].text for row in rows],
        [material.passages[key].searched_text for key in columns],
        own,
        blocked,
        teacher,
    )
