"""Compares losses for ranking: the binary one of the papers, the softmax over a question's
passages, and both; each is trained from the start for `--limit` questions."""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from typing import Any

import numpy as np

from anaphora.crossencoder.model import CrossEncoder
from anaphora.models.backbone import shared_backbone
from anaphora.train.crossencoder.questions import Pool, Question
from anaphora.train.text import TrainingText
from bench.table import format_table

LOSSES = {"both": (1.0, 0.5), "softmax": (1.0, 0.0), "binary": (0.0, 0.5)}
_QUESTIONS = 400
_NEGATIVES = 8


def run(options: argparse.Namespace) -> dict[str, Any]:
    from anaphora.train.crossencoder.trainer import Recipe, prepared_questions, train_crossencoder
    from anaphora.train.loop import Run

    recipe = Recipe(rounds=(options.limit or 2500,))
    first = options.work / "losses"
    text = TrainingText()
    pool, _, tuning = prepared_questions(Run(first, recipe), options.data, text, recipe)
    able = [one for one in tuning if one.answers and len(one.negatives) >= _NEGATIVES]
    asked = random.Random(0).sample(able, min(_QUESTIONS, len(able)))
    rows = []
    for name, (listwise, binary) in LOSSES.items():
        out = first / name
        out.mkdir(exist_ok=True)
        if not (out / "questions.pickle").exists():
            (out / "questions.pickle").symlink_to(first.resolve() / "questions.pickle")
        weights = train_crossencoder(
            options.data, text, out, replace(recipe, listwise=listwise, binary=binary)
        )
        rows.append([name, *ranking(CrossEncoder(shared_backbone(), weights), pool, asked)])
    columns = ["loss", "MRR", "standard error", "R@1"]
    print(f"{len(asked)} questions, each with its passage and {_NEGATIVES} negatives")
    print(format_table(columns, rows))
    return {"columns": columns, "table": rows}


def ranking(judge: CrossEncoder, pool: Pool, asked: list[Question]) -> tuple[float, float, float]:
    """The mean reciprocal rank of the answering passage by relevance, its standard error, and R@1,
    in 0..1."""
    numbers = [(one.passages[0], *one.negatives[:_NEGATIVES]) for one in asked]
    judged = iter(
        judge.score(
            [
                (one.text, pool.passages[number])
                for one, found in zip(asked, numbers, strict=True)
                for number in found
            ]
        )
    )
    ranks = []
    for found in numbers:
        right, *wrong = [next(judged).relevance for _ in found]
        ranks.append(1 + sum(other >= right for other in wrong))
    reciprocal = 1 / np.array(ranks)
    error = reciprocal.std() / len(ranks) ** 0.5
    return float(reciprocal.mean()), float(error), float((np.array(ranks) == 1).mean())
