"""Which loss teaches the judge to rank: the papers' binary one, the softmax over a question's
passages, or both; each trained from the start for `--limit` questions."""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from typing import Any

import numpy as np

from anaphora.crossencoder.model import CrossEncoder
from anaphora.models.backbone import shared_backbone
from anaphora.train.judge.questions import Asked, Pool
from bench.table import format_table

LOSSES = {"both": (1.0, 0.5), "softmax": (1.0, 0.0), "binary": (0.0, 0.5)}
_TRIED = 400
_AGAINST = 8


def run(options: argparse.Namespace) -> dict[str, Any]:
    from anaphora.train.judge.recipe import Recipe, prepared_questions, train_judge

    recipe = Recipe(rounds=(options.limit or 2500,))
    first = options.work / "losses"
    first.mkdir(parents=True, exist_ok=True)
    pool, _, tuned = prepared_questions(options.data, first, recipe.seed, None, lambda *_: None)
    able = [one for one in tuned if one.answers and len(one.negatives) >= _AGAINST]
    asked = random.Random(0).sample(able, min(_TRIED, len(able)))
    rows = []
    for name, (listwise, binary) in LOSSES.items():
        out = first / name
        out.mkdir(exist_ok=True)
        if not (out / "questions.pickle").exists():
            (out / "questions.pickle").symlink_to(first.resolve() / "questions.pickle")
        weights = train_judge(options.data, out, replace(recipe, listwise=listwise, binary=binary))
        rows.append([name, *ranking(CrossEncoder(shared_backbone(), weights), pool, asked)])
    columns = ["loss", "MRR", "standard error", "R@1"]
    print(f"{len(asked)} questions, each with its passage and {_AGAINST} wrong ones")
    print(format_table(columns, rows))
    return {"columns": columns, "table": rows}


def ranking(judge: CrossEncoder, pool: Pool, asked: list[Asked]) -> tuple[float, float, float]:
    """By relevance alone: mean reciprocal rank of the answering passage, its standard error, and
    how often it comes first; in 0..1."""
    numbers = [(one.passages[0], *one.negatives[:_AGAINST]) for one in asked]
    judged = iter(
        judge.score(
            [
                (one.question, pool.passages[number])
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
