"""Questions on the manuals that were written for training and are not trained on: which page of a
manual answers, whether a page answers, and where."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from anaphora.evaluate.metrics import auroc
from anaphora.records import Evidence, Passage, Span, is_cross_lingual
from anaphora.train.crossencoder.passages import Block, WrittenQuestion, written_passages
from anaphora.train.crossencoder.questions import manual_part
from anaphora.train.text import TrainingText
from bench.judge_work import CachedCrossEncoder
from bench.table import format_table

_BINS = 10

Asked = tuple[WrittenQuestion, Passage]


def manuals() -> list[Block]:
    """The pages of the manuals that are reported on."""
    return [
        block
        for block in written_passages(TrainingText().manuals)
        if manual_part(block.passage.lang, block.manual) == "report"
    ]


def same_manual(one: Block, other: Block) -> bool:
    return (one.passage.lang, one.manual) == (other.passage.lang, other.manual)


def within(span: Span, question: WrittenQuestion, passage: Passage) -> bool:
    """Whether a span overlaps the answer."""
    start = passage.text.find(question.answer)
    return bool(question.answer) and span.start < start + len(question.answer) and start < span.end


def confidence(judge: CachedCrossEncoder, one: Evidence, asked: Asked) -> float:
    """Of the best span, as the reader has it."""
    question, passage = asked
    across = is_cross_lingual(question.lang, passage.lang)
    odds = max((judge.support(one.relevance, span.score, across) for span in one.spans), default=-9)
    return 1 / (1 + math.exp(-odds))


def calibration_error(known: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error, in ten bins of equal width (Naeini et al., "Obtaining Well
    Calibrated Probabilities Using Bayesian Binning", 2015)."""
    total = 0.0
    for low, high in pairwise(at / _BINS for at in range(_BINS + 1)):
        part = [(sure, right) for sure, right in known if low <= sure < high or sure == high == 1]
        if part:
            total += abs(sum(sure for sure, _ in part) - sum(right for _, right in part))
    return total / len(known)


def measured(judge: CachedCrossEncoder, pages: Sequence[Block]) -> list[Any]:
    """The figures of the pages of some manuals."""
    asked = [(one, block.passage) for block in pages for one in block.questions]
    answerable = [(one, passage) for one, passage in asked if one.kind != "!"]
    read = dict(zip(asked, judge.score([(one.question, own) for one, own in asked]), strict=True))
    marked = [(one, passage) for one, passage in answerable if one.answer]
    rivals = {
        one.passage: [other.passage for other in pages if same_manual(one, other)] for one in pages
    }
    pairs = [(one.question, page) for one, own in answerable for page in rivals[own]]
    scores = iter(judge.score(pairs))
    first = []
    for _, own in answerable:
        ranked = {page: next(scores).relevance for page in rivals[own]}
        first.append(max(ranked, key=lambda page: ranked[page]) == own)
    relevant = [(read[one].relevance, one[0].kind != "!") for one in asked]
    sure = [(confidence(judge, read[one], one), one[0].kind != "!") for one in asked]
    lines = [one for one in marked if one[0].kind == "+"]
    places = [[within(read[one].spans[0], *one) for one in part] for part in (marked, lines)]
    return [
        len(answerable),
        len(asked) - len(answerable),
        auroc(*zip(*relevant, strict=True)),
        auroc(*zip(*sure, strict=True)),
        calibration_error(sure),
        fmean(one >= 0.5 for one, can in sure if can),
        fmean(one < 0.5 for one, can in sure if not can),
        100 * fmean(first),
        *(100 * fmean(part) for part in places),
    ]


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CachedCrossEncoder(options.weights, options.work)
    every = manuals()
    columns = [
        "language", "answerable", "not", "AUROC relevance", "confidence", "ECE", "answered",
        "refused", "R@1 in the manual", "span in the answer", "in several lines",
    ]  # fmt: skip
    rows = []
    for lang in sorted({block.passage.lang for block in every}):
        pages = [block for block in every if block.passage.lang == lang]
        rows.append([lang, *measured(judge, pages)])
    rows.append(["all", *measured(judge, every)])
    count = len({(block.passage.lang, block.manual) for block in every})
    print(f"{count} manuals, {len(every)} pages")
    print(format_table(columns, rows), end="\n\n")
    return {"columns": columns, "table": rows}
