"""Graded hits for questions on real manuals that are not trained on: how the weights rank them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from anaphora.evaluate.significance import interval
from anaphora.records import Evidence, Passage, is_cross_lingual
from anaphora.train.crossencoder.questions import RIGHT, Part
from anaphora.train.crossencoder.real_manuals import GradedQuestion, Manuals, graded_questions
from anaphora.train.text import TrainingText
from bench.judge_work import CachedCrossEncoder, sampled
from bench.table import format_table

_MOST = (1, 2, 3, 5)


def figures(ranked: Sequence[Sequence[int]]) -> list[Any]:
    """How often a passage that answers is the first, among two, three and five, in %, and the 95 %
    interval of the first."""
    shares = [[100.0 * (RIGHT in grades[:most]) for grades in ranked] for most in _MOST]
    return [*map(fmean, shares), "{:.1f}–{:.1f}".format(*interval(shares[0]))]


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CachedCrossEncoder(options.weights, options.work)
    manuals = Manuals(options.manuals)
    part: Part = "tune" if options.tune else "report"
    asked = [(one, manuals.hits(one)) for one in graded_questions(TrainingText(), part)]
    asked = [(one, hits) for one, hits in asked if any(grade == RIGHT for _, grade in hits)]
    asked = sampled(asked, options.limit)
    pairs = [(one.text, passage) for one, hits in asked for passage, _ in hits]
    evidence = iter(judge.score(pairs))
    found = [[next(evidence) for _ in hits] for _, hits in asked]

    def support(one: GradedQuestion, passage: Passage, evidence: Evidence) -> float:
        span = evidence.spans[0].score if evidence.spans else 0.0
        across = is_cross_lingual(one.lang, passage.lang)
        return judge.support(evidence.relevance, span, across)

    systems = {
        "as found": lambda one, passage, evidence: 0.0,
        "relevance": lambda one, passage, evidence: evidence.relevance,
        "support": support,
    }
    rows = []
    for name, score in systems.items():
        ranked = []
        for (one, hits), own in zip(asked, found, strict=True):
            scores = [score(one, hit[0], known) for hit, known in zip(hits, own, strict=True)]
            order = sorted(range(len(hits)), key=lambda at: -scores[at])
            ranked.append([hits[at][1] for at in order])
        rows.append([name, len(asked), *figures(ranked)])
    columns = ["ranked by", "questions", *(f"among {most}" for most in _MOST), "95 % of the first"]
    print(f"the part {part}, in %")
    print(format_table(columns, rows), end="\n\n")
    return {"columns": columns, "table": rows}
