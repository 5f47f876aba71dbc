"""How much of an answer the reader quotes: the sentences around the spans of a passage that come
near its best one, by how near they must come."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from anaphora.read.extractive import PARTS, ExtractiveReader, parts
from anaphora.read.units import quoted
from anaphora.records import Passage, Span
from anaphora.train.judge.questions import CLAPNQ
from bench.judge_work import XQUAD, KeptJudge, questions, sampled
from bench.table import format_table

_BEHIND = (0.0, 1.0, 2.0, 3.0, PARTS, 5.0, 6.0)

Range = tuple[int, int]


def quotes(passage: Passage, spans: Sequence[Span], behind: float) -> list[Range]:
    """What the reader would quote of a passage that answers."""
    found = dict.fromkeys(quoted(passage, span.start, span.end) for span in parts(spans, behind))
    return list(found)[: ExtractiveReader.sentences]


def overlaps(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def chosen_by_people(
    options: argparse.Namespace, part: int
) -> list[tuple[str, Passage, list[tuple[Range, bool]]]]:
    """CLAP NQ: question, passage, and its sentences, each with whether people took it for a part of
    the answer."""
    found = []
    rows = (options.data / CLAPNQ[0]).read_text("utf-8").splitlines()
    for number, row in enumerate(map(json.loads, rows)):
        if number % 2 != part:
            continue
        (told,) = row["passages"]
        right = {text.strip() for text in row["output"][0]["selected_sentences"]}
        sentences, at = [], 0
        for text in map(str.strip, told["sentences"]):
            start = told["text"].find(text, at)
            if start >= 0:
                at = start + len(text)
                sentences.append(((start, at), text in right))
        if any(good for _, good in sentences):
            passage = Passage(row["id"], row["id"], told["title"], told["text"], "en")
            found.append((row["input"], passage, sentences))
    return found


def long_answers(options: argparse.Namespace, judge: KeptJudge, part: int) -> list[list[float]]:
    """For each of _BEHIND: precision, recall and F1 of the sentences, and how many they are."""
    asked = chosen_by_people(options, part)
    judged = judge.score([(question, passage) for question, passage, _ in asked])
    rows = []
    for behind in _BEHIND:
        scores = []
        for (_, passage, sentences), one in zip(asked, judged, strict=True):
            said = quotes(passage, one.spans, behind)
            taken = [good for place, good in sentences if any(overlaps(place, q) for q in said)]
            right, gold = sum(taken), sum(good for _, good in sentences)
            precision, recall = right / max(1, len(taken)), right / gold
            both = 2 * precision * recall / (precision + recall) if right else 0.0
            scores.append((100 * precision, 100 * recall, 100 * both, len(taken)))
        rows.append([fmean(column) for column in zip(*scores, strict=True)])
    return rows


def short_answers(options: argparse.Namespace, judge: KeptJudge) -> list[list[float]]:
    """For each of _BEHIND: how often XQuAD's answer stands in what is quoted, a mean over its
    languages, and how many sentences that is."""
    rows: list[list[list[float]]] = [[] for _ in _BEHIND]
    for lang in XQUAD:
        examples, passages = questions(options.data / f"xquad/xquad.{lang}.json")
        asked = sampled([one for one in examples if one.answers], options.limit)
        told = [passages[next(iter(one.relevant))] for one in asked]
        judged = judge.score([(one.question, own) for one, own in zip(asked, told, strict=True)])
        for behind, row in zip(_BEHIND, rows, strict=True):
            held, count = [], []
            for example, passage, one in zip(asked, told, judged, strict=True):
                said = quotes(passage, one.spans, behind)
                texts = [passage.text[start:end] for start, end in said]
                held.append(any(answer in text for answer in example.answers for text in texts))
                count.append(len(said))
            row.append([100 * fmean(held), fmean(count)])
    return [[fmean(column) for column in zip(*row, strict=True)] for row in rows]


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = KeptJudge(options.weights, options.work)
    even, odd = (long_answers(options, judge, part) for part in (0, 1))
    short = short_answers(options, judge)
    people = ["P", "R", "F1", "sentences"]
    columns = ["behind", *people, *people, "held", "sentences"]
    rows = zip(_BEHIND, even, odd, short, strict=True)
    table = [[behind, *first, *second, *third] for behind, first, second, third in rows]
    print("CLAP NQ's even questions, its odd ones, XQuAD")
    print(format_table(columns, table), end="\n\n")
    return {"table": table}
