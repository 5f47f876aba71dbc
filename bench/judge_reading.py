"""Reading: the best span of the cross-encoder in the whole paragraph, against the answers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from anaphora.datasets.example import Example
from anaphora.evaluate.metrics import exact_match, f1
from anaphora.records import Passage
from bench.judge_work import OTHERS, XQUAD, CachedCrossEncoder, language, questions, sampled
from bench.table import format_table

Read = tuple[float, float]
"""EM and F1 of a set, in 0..100."""


def read(judge: CachedCrossEncoder, asked: Sequence[tuple[Example, Passage]], lang: str) -> Read:
    found = judge.score([(one.question, passage) for one, passage in asked])
    exact, overlap = [], []
    for (one, passage), judged in zip(asked, found, strict=True):
        best = judged.spans[0] if judged.spans else None
        text = passage.text[best.start : best.end] if best else ""
        exact.append(exact_match(text, one.answers, lang) or 0.0)
        overlap.append(f1(text, one.answers, lang) or 0.0)
    return 100 * fmean(exact), 100 * fmean(overlap)


def same_language(options: argparse.Namespace, judge: CachedCrossEncoder) -> dict[str, Any]:
    paths = {f"XQuAD {lang}": f"xquad/xquad.{lang}.json" for lang in XQUAD} | OTHERS
    rows: dict[str, tuple[int, Read]] = {}
    for name, path in paths.items():
        examples, passages = questions(options.data / path)
        answerable = sampled([one for one in examples if one.answers], options.limit)
        asked = [(one, passages[next(iter(one.relevant))]) for one in answerable]
        rows[name] = len(asked), read(judge, asked, language(answerable[0]))
    xquad = [scores for name, (_, scores) in rows.items() if name.startswith("XQuAD")]
    mean = tuple(map(fmean, zip(*xquad, strict=True)))
    table = [[name, count, *scores] for name, (count, scores) in rows.items()]
    table.append(["XQuAD, mean", None, *mean])
    print(format_table(["set", "questions", "EM", "F1"], table), end="\n\n")
    return {"table": table}


def cross_lingual(options: argparse.Namespace, judge: CachedCrossEncoder) -> dict[str, Any]:
    """One row for each language of the paragraph, one column for each language of the question."""
    sets = {lang: questions(options.data / f"xquad/xquad.{lang}.json") for lang in XQUAD}
    wording = {lang: {one.id: one for one in examples} for lang, (examples, _) in sets.items()}
    ids = sampled([one.id for one in sets["en"][0]], options.limit)
    table: list[list[Any]] = []
    for own, (_, passages) in sets.items():
        row: list[float] = []
        for lang in XQUAD:
            asked = [
                (
                    replace(wording[own][id], conversation=wording[lang][id].conversation),
                    passages[next(iter(wording[own][id].relevant))],
                )
                for id in ids
            ]
            row.append(read(judge, asked, own)[1])
        same = row[XQUAD.index(own)]
        other = (sum(row) - same) / (len(row) - 1)
        table.append([own, *row, other, 100 * other / same])
    table.append(["mean", *(fmean(column) for column in list(zip(*table, strict=True))[1:])])
    print(f"F1 by the language of the paragraph and of the question, {len(ids)} questions each")
    columns = ["paragraph", *XQUAD, "others", "% of same"]
    print(format_table(columns, table), end="\n\n")
    return {"questions": len(ids), "table": table}


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CachedCrossEncoder(options.weights, options.work)
    found = {} if options.cross else {"same": same_language(options, judge)}
    return found | ({"across": cross_lingual(options, judge)} if options.cross else {})
