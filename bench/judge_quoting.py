"""How much of an answer an extract holds, by its length in characters."""

from __future__ import annotations

import argparse
import json
from statistics import fmean
from typing import Any

from anaphora.read.extractive import parts
from anaphora.read.extracts import extract
from anaphora.records import Passage
from anaphora.train.crossencoder.questions import CLAPNQ
from bench.judge_work import XQUAD, CachedCrossEncoder, questions, sampled
from bench.table import format_table

_LENGTHS = (100, 200, 300, 420, 560, 700)

Range = tuple[int, int]


def overlaps(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def selected_sentences(
    options: argparse.Namespace, part: int
) -> list[tuple[str, Passage, list[tuple[Range, bool]]]]:
    """CLAP NQ: question, passage, and its sentences, each with whether annotators selected it as a
    part of the answer."""
    found = []
    rows = (options.data / CLAPNQ[0]).read_text("utf-8").splitlines()
    for number, row in enumerate(map(json.loads, rows)):
        if number % 2 != part:
            continue
        (source,) = row["passages"]
        right = {text.strip() for text in row["output"][0]["selected_sentences"]}
        sentences, at = [], 0
        for text in map(str.strip, source["sentences"]):
            start = source["text"].find(text, at)
            if start >= 0:
                at = start + len(text)
                sentences.append(((start, at), text in right))
        if any(good for _, good in sentences):
            passage = Passage(row["id"], row["id"], source["title"], source["text"], "en")
            found.append((row["input"], passage, sentences))
    return found


def long_answers(
    options: argparse.Namespace, judge: CachedCrossEncoder, part: int
) -> list[list[float]]:
    """For each length: precision, recall and F1 of the sentences shown, and their number."""
    asked = selected_sentences(options, part)
    judged = judge.score([(question, passage) for question, passage, _ in asked])
    rows = []
    for length in _LENGTHS:
        scores = []
        for (_, passage, sentences), one in zip(asked, judged, strict=True):
            said = extract(passage, parts(one.spans), length)
            taken = [good for place, good in sentences if overlaps(place, said)]
            right, gold = sum(taken), sum(good for _, good in sentences)
            precision, recall = right / max(1, len(taken)), right / gold
            both = 2 * precision * recall / (precision + recall) if right else 0.0
            scores.append((100 * precision, 100 * recall, 100 * both, len(taken)))
        rows.append([fmean(column) for column in zip(*scores, strict=True)])
    return rows


def short_answers(options: argparse.Namespace, judge: CachedCrossEncoder) -> list[list[float]]:
    """For each length: how often the extract contains XQuAD's answer, and the characters shown;
    means over its languages."""
    rows: list[list[list[float]]] = [[] for _ in _LENGTHS]
    for lang in XQUAD:
        examples, passages = questions(options.data / f"xquad/xquad.{lang}.json")
        asked = sampled([one for one in examples if one.answers], options.limit)
        told = [passages[next(iter(one.relevant))] for one in asked]
        judged = judge.score([(one.question, own) for one, own in zip(asked, told, strict=True)])
        for length, row in zip(_LENGTHS, rows, strict=True):
            held, count = [], []
            for example, passage, one in zip(asked, told, judged, strict=True):
                start, end = extract(passage, parts(one.spans), length)
                held.append(any(text in passage.text[start:end] for text in example.answers))
                count.append(end - start)
            row.append([100 * fmean(held), fmean(count)])
    return [[fmean(column) for column in zip(*row, strict=True)] for row in rows]


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CachedCrossEncoder(options.weights, options.work)
    even, odd = (long_answers(options, judge, part) for part in (0, 1))
    short = short_answers(options, judge)
    people = ["P", "R", "F1", "sentences"]
    columns = ["length", *people, *people, "held", "characters"]
    rows = zip(_LENGTHS, even, odd, short, strict=True)
    table = [[length, *first, *second, *third] for length, first, second, third in rows]
    print("CLAP NQ's even questions, its odd ones, XQuAD")
    print(format_table(columns, table), end="\n\n")
    return {"table": table}
