"""Fits what the extractive reader believes, and reports how well it knows what it does not know.

    python -m bench.reader --data DATA --work WORK

Of each SQuAD-format set half of the paragraphs are indexed, so that half of the questions have no
answer in the index. The fitting sets give the weights of `anaphora.read.extractive`; XQuAD is only
reported on.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphora.assemble import Workshop
from anaphora.indexing import update
from anaphora.language import identify
from anaphora.passage import Query
from anaphora.read.evidence import Evidence, gather
from anaphora.read.extractive import confident, support
from anaphora.retrieve.encoders import load_encoder
from bench.table import format_table

FITTED = {
    "zh": "cmrc2018_zh/cmrc2018_dev.json",
    "zh-tw": "drcd_zh_tw/DRCD_dev.json",
    "ja": "jsquad_ja/valid-v1.3.json",
    "ar": "arcd_ar/arcd-train.json",
    "en": "covidqa_en/200423_covidQA.json",
}
XQUAD = ("ar", "de", "en", "es", "ru", "vi", "zh")
REPORTED = {f"x-{lang}": f"xquad/xquad.{lang}.json" for lang in XQUAD}
PARAGRAPHS = 240
QUESTIONS = 120
FEATURES = ("coverage", "own_coverage", "nearness", "passage_nearness")


@dataclass(frozen=True)
class Judged:
    """A question's evidence, whether each piece holds the answer, and whether it is indexed."""

    evidence: list[Evidence]
    right: list[bool]
    answerable: bool


def paragraphs(path: Path) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """Each paragraph with its questions and their answers."""
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            if len(text) > 4000:
                continue
            asked = [
                (qa["question"], [answer["text"] for answer in qa["answers"]])
                for qa in paragraph["qas"]
            ]
            yield text, asked


def judged(name: str, path: Path, work: Path) -> list[Judged]:
    """Half of the paragraphs go into an index; questions on both halves are asked of it."""
    rng = random.Random(name)
    everything = list(paragraphs(path))
    rng.shuffle(everything)
    everything = everything[: 2 * PARAGRAPHS]
    half = len(everything) // 2
    source = work / f"half-{name}.jsonl"
    lines = [
        json.dumps({"_id": str(number), "text": text}) + "\n"
        for number, (text, _) in enumerate(everything[:half])
    ]
    if not source.exists() or source.read_text() != "".join(lines):
        source.write_text("".join(lines))
    folder = work / f"half-index-{name}"
    update(folder, [source], load_encoder())
    workshop = Workshop(folder)
    results = []
    for part, answerable in ((everything[:half], True), (everything[half:], False)):
        asked = [qa for _, questions in part for qa in questions]
        for question, answers in rng.sample(asked, min(QUESTIONS, len(asked))):
            query = Query(question, identify(question))
            hits = workshop.retriever.retrieve([query], 10)[0][:5]
            evidence = gather(query, hits, workshop.index, workshop.encoder)
            right = [
                answerable and any(answer in one.text for answer in answers) for one in evidence
            ]
            results.append(Judged(evidence, right, answerable))
    return results


def features(one: Evidence) -> list[float]:
    return [float(getattr(one, name)) for name in FEATURES]


def logistic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weights and intercept of a logistic regression, by Newton's method, lightly regularised."""
    x = np.column_stack([x, np.ones(len(x))])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(x.shape[1])
        weights += np.linalg.solve(hessian, x.T @ (y - p) - 1e-3 * weights)
    return weights


def auroc(scores: list[float], labels: list[bool]) -> float:
    order = np.argsort(np.argsort(scores)) + 1
    yes = np.array(labels)
    n, m = yes.sum(), (~yes).sum()
    return float((order[yes].sum() - n * (n + 1) / 2) / (n * m))


def report(name: str, sample: list[Judged]) -> list[object]:
    best = [max((support(one) for one in case.evidence), default=-9.0) for case in sample]
    says = [confident(value) >= 0.5 for value in best]
    known = [case.answerable for case in sample]
    chosen = [
        case.right[int(np.argmax([support(one) for one in case.evidence]))]
        for case in sample
        if case.answerable and case.evidence
    ]
    possible = [any(case.right) for case in sample if case.answerable]
    kept = np.mean([yes for yes, there in zip(says, known, strict=True) if there])
    refused = np.mean([not yes for yes, there in zip(says, known, strict=True) if not there])
    return [
        name,
        len(sample),
        float(np.mean(possible)),
        float(np.mean(chosen)),
        auroc(best, known),
        float(kept),
        float(refused),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--fit", action="store_true", help="fit new weights, and print them")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    fitted = {name: judged(name, options.data / at, options.work) for name, at in FITTED.items()}
    if options.fit:
        cases = [case for sample in fitted.values() for case in sample]
        x = np.array([features(one) for case in cases for one in case.evidence])
        y = np.array([yes for case in cases for yes in case.right], dtype=float)
        weights = logistic(x, y)
        print("support:", dict(zip((*FEATURES, "intercept"), weights.round(3), strict=True)))
        lexical = logistic(x[:, :2], y)
        print("by words alone:", lexical.round(3))
        for label, model, columns in (("support", weights, 4), ("words", lexical, 2)):
            scores = [
                [np.append(features(one)[:columns], 1) @ model for one in case.evidence]
                for case in cases
            ]
            best = np.array([max(values, default=-9.0) for values in scores])
            known = np.array([case.answerable for case in cases], dtype=float)
            print(f"confidence by {label}:", logistic(best[:, None], known).round(3))
    reported = {
        name: judged(name, options.data / at, options.work) for name, at in REPORTED.items()
    }
    columns = ["set", "questions", "in hits", "right sentence", "AUROC", "answered", "refused"]
    rows = [report(name, sample) for name, sample in {**fitted, **reported}.items()]
    print(format_table(columns, rows))


if __name__ == "__main__":
    main()
