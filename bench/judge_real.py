"""Questions on real manuals that are not trained on: the rank of the passage that answers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from anaphora.evaluate.significance import interval
from anaphora.records import Hit, Passage
from anaphora.rerank.scoring import Score, reordered
from anaphora.train.crossencoder.questions import Part
from anaphora.train.crossencoder.real_manuals import Manuals, RealQuestion, real_questions
from anaphora.train.text import TrainingText
from bench.judge_work import CachedCrossEncoder, sampled
from bench.table import format_table

_TOP = 14
"""Hits that are scored."""
SYSTEMS = {"hybrid": 0.0, "relevance": 1.0, "both": 0.5}
"""How much relevance counts."""


def rank(hits: Sequence[Hit], passage: Passage) -> float:
    """Of the first hit with the text of a passage; infinite without one."""
    return next((hit.rank for hit in hits if hit.passage.text == passage.text), float("inf"))


def figures(ranks: Sequence[float]) -> list[Any]:
    """R@1, R@3, R@5 and MRR, and the 95 % intervals of the first and the last."""
    first = [100.0 * (one == 1) for one in ranks]
    reciprocal = [1 / one for one in ranks]
    near = [100 * fmean(one <= most for one in ranks) for most in (3, 5)]
    return [
        fmean(first), "{:.1f}–{:.1f}".format(*interval(first)), *near,
        fmean(reciprocal), "{:.3f}–{:.3f}".format(*interval(reciprocal)),
    ]  # fmt: skip


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CachedCrossEncoder(options.weights, options.work)
    manuals = Manuals(options.manuals)
    part: Part = "tune" if options.tune else "report"
    located = manuals.located(real_questions(TrainingText(), part))
    asked: list[tuple[RealQuestion, Passage]] = sampled(
        [(one, passage) for one, passage in located if passage], options.limit
    )
    found = [hits[:_TOP] for hits in manuals.search([one for one, _ in asked])]
    pairs = [
        (one.text, hit.passage) for (one, _), hits in zip(asked, found, strict=True) for hit in hits
    ]
    evidence = iter(judge.score(pairs))
    scores = [{at: Score(next(evidence).relevance) for at in range(len(hits))} for hits in found]
    rows = []
    for crossing in (False, True):
        chosen = [
            at for at, (one, _) in enumerate(asked) if (one.lang != one.manual_lang) is crossing
        ]
        for name, weight in SYSTEMS.items() if chosen else ():
            ranks = [
                rank(reordered(found[at], scores[at] if weight else {}, "", weight), asked[at][1])
                for at in chosen
            ]
            label = "crossing" if crossing else "same language"
            rows.append([label, name, len(chosen), *figures(ranks)])
    columns = ["", "ranked by", "questions", "R@1", "95 %", "R@3", "R@5", "MRR", "95 %"]
    print(f"the part {part}")
    print(format_table(columns, rows), end="\n\n")
    return {"columns": columns, "table": rows}
