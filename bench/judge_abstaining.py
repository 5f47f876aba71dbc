"""Abstention: the confidence of the reader on questions with and without an answer."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.harness import CACHE
from anaphora.evaluate.metrics import auroc
from anaphora.evaluate.significance import interval
from anaphora.read.extractive import ExtractiveReader
from anaphora.records import Hit, Passage, Query
from anaphora.rerank.crossencoder import CrossEncoderScorer
from anaphora.rerank.scoring import ScoringReranker
from anaphora.retrieve.encoders import load_encoder
from anaphora.train.crossencoder.calibration import PASSAGES, clapnq
from bench.judge_reranking import Source, first_stage
from bench.judge_work import OTHERS, XQUAD, CachedCrossEncoder, language, questions, sampled
from bench.table import format_table

_REFUSES = re.compile(
    r"sorry|not have|don't have|no (specific )?information|no documents"
    r"|(can|could) ?not find|not (provide|include|contain)",
    re.IGNORECASE,
)
"""Phrases of MTRAG's reference answers if the documents contain no answer."""
_BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)

Known = list[tuple[float, bool]]
"""Confidence, and whether the question can be answered."""


def own_passage(judge: Any, questions: Sequence[tuple[str, Passage, bool]]) -> Known:
    """The confidence for each question with its own passage alone."""
    answers = ExtractiveReader(judge).read(
        [Query(question, passage.lang) for question, passage, _ in questions],
        [[Hit(passage, 1.0, 1)] for _, passage, _ in questions],
    )
    return [(one.confidence, can) for one, (_, _, can) in zip(answers, questions, strict=True)]


def across_languages(judge: Any, options: argparse.Namespace) -> dict[str, Known]:
    """XQuAD's questions in every language with their English paragraph and with the next paragraph
    of the article; with the paragraph's cosine similarity to the question, as in the pipeline, and
    without."""
    _, passages = questions(options.data / "xquad/xquad.en.json")
    order = list(passages.values())
    following = {a.doc_id: b for a, b in pairwise(order) if a.title == b.title}
    encoder = load_encoder()
    vectors = dict(
        zip(passages, encoder.encode_passages([one.searched_text for one in order]), strict=True)
    )
    known: dict[str, Known] = {}
    for lang in XQUAD:
        examples, _ = questions(options.data / f"xquad/xquad.{lang}.json")
        owned = [(one, next(iter(one.relevant))) for one in examples]
        asked = sampled([(one, home) for one, home in owned if home in following], options.limit)
        queries = [Query(one.question, lang) for one, _ in asked for _ in range(2)]
        found = [one for _, home in asked for one in (passages[home], following[home])]
        near = encoder.encode_queries([query.text for query in queries])
        hits = [
            [Hit(one, 1.0, 1, cosine=float(row @ vectors[one.doc_id]))]
            for one, row in zip(found, near, strict=True)
        ]
        for name, cosines in (("with cosines", True), ("without cosines", False)):
            if cosines and lang == "en":
                continue
            reader = ExtractiveReader(judge, encoder=encoder if cosines else None)
            answers = reader.read(queries, hits)
            known[f"XQuAD {lang} on en, {name}"] = [
                (one.confidence, at % 2 == 0) for at, one in enumerate(answers)
            ]
    return known


def of_file(judge: Any, options: argparse.Namespace, path: str) -> Known:
    examples, passages = questions(options.data / path)
    chosen = [
        (one.question, passages[next(iter(one.relevant))], bool(one.answerable))
        for one in sampled(examples, options.limit)
        if language(one)
    ]
    return own_passage(judge, chosen)


def through_pipeline(judge: Any, options: argparse.Namespace) -> Known:
    """MTRAG's turns, answered from the index. A turn is unanswerable if its reference answer
    refuses and it has no relevant passages. `--limit` answerable turns of each domain are used."""
    known: Known = []
    home = options.runs / CACHE / "collections"
    home.mkdir(parents=True, exist_ok=True)
    reranker = ScoringReranker(lambda: CrossEncoderScorer(judge), top=20, weight=options.weight[0])
    for name in ("clapnq", "cloud", "fiqa"):
        path = options.data / "mtrag" / name
        dataset = open_dataset(path)
        targets = _targets(options, name)
        known_turns = list(dataset.examples())
        examples = [
            *sampled([one for one in known_turns if any(one.relevant.values())], options.limit),
            *(
                one
                for one in known_turns
                if not any(one.relevant.values()) and _REFUSES.search(targets.get(one.id, ""))
            ),
        ]
        source = Source(name, "", list, lambda d=dataset: iter(d.documents()), home)  # type: ignore[misc]
        rows = first_stage(source, examples, options.runs)
        queries = [query for _, query, _ in rows]
        hits = [found for _, _, found in rows]
        if options.weight[0]:
            hits = reranker.rerank(queries, hits, PASSAGES)
        answers = ExtractiveReader(judge, PASSAGES).read(queries, hits)
        known += [
            (one.confidence, any(example.relevant.values()))
            for one, (example, _, _) in zip(answers, rows, strict=True)
        ]
    return known


def _targets(options: argparse.Namespace, name: str) -> dict[str, str]:
    from bench.corpora import read_lines

    return {
        record["task_id"]: record["target"]
        for record in read_lines(options.data / "mtrag/tasks.jsonl")
        if record["domain"] == name
    }


def spread(known: Known) -> tuple[float, float, float]:
    """AUROC with its 95 % interval, by resampling the answerable and the other questions."""
    yes = [confidence for confidence, can in known if can]
    no = [confidence for confidence, can in known if not can]
    # The AUROC is the mean over the unanswerable questions of how often each is ranked right.
    each = [fmean((a > b) + (a == b) / 2 for a in yes) for b in no]
    value = auroc(*zip(*known, strict=True)) or 0.0
    return (value, *interval(each))


def table(sets: dict[str, Known]) -> list[list[Any]]:
    rows = []
    for name, known in sets.items():
        count = sum(can for _, can in known)
        answered = sum(c >= 0.5 for c, can in known if can) / count
        refused = sum(c < 0.5 for c, can in known if not can) / (len(known) - count)
        rows.append([name, count, len(known) - count, *spread(known), answered, refused])
    return rows


def reliability(known: Known) -> list[list[Any]]:
    """By confidence: the number of questions, their mean confidence, and the fraction that is
    answerable. Answerable and unanswerable questions have the same total weight."""
    yes = sum(can for _, can in known)
    weight = {True: 0.5 / yes, False: 0.5 / (len(known) - yes)}
    rows = []
    for low, high in pairwise(_BINS):
        part = [(c, can) for c, can in known if low <= c < high or (high == 1 and c == 1)]
        if part:
            total = sum(weight[can] for _, can in part)
            mean = sum(c * weight[can] for c, can in part) / total
            fraction = sum(weight[can] for _, can in part if can) / total
            rows.append([f"{low:g} to {high:g}", len(part), mean, fraction])
    return rows


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge: Any = CachedCrossEncoder(options.weights, options.work)
    if options.cross:
        return _shown(judge, across_languages(judge, options))
    odd = sampled(clapnq(options.data, "odd"), options.limit)
    sets = {"ClapNQ, odd-numbered, own passage": own_passage(judge, odd)}
    if not options.no_pipeline:
        sets["MTRAG, whole pipeline"] = through_pipeline(judge, options)
    sets |= {f"{name}, own passage": of_file(judge, options, path) for name, path in OTHERS.items()}
    found = _shown(judge, sets)
    for name, known in sets.items():
        bins = reliability(known)
        print(name)
        print(format_table(["confidence", "questions", "mean", "answerable"], bins), end="\n\n")
        found[f"reliability, {name}"] = bins
    return found


def _shown(judge: Any, sets: dict[str, Known]) -> dict[str, Any]:
    columns = ["set", "answerable", "not", "AUROC", "low", "high", "answered", "refused"]
    rows = table(sets)
    print(f"support {judge.card['support']}; 'answered' and 'refused' at a confidence of 0.5")
    print(format_table(columns, rows), end="\n\n")
    return {"support": judge.card["support"], "columns": columns, "table": rows}
