"""Fits what the extractive reader believes, and reports how well it knows what it does not know.

    python -m bench.reader --data DATA --work WORK [--fit]

Of each SQuAD-format set half of the paragraphs are indexed, so that half of the questions have no
answer in the index. The fitting sets give the weights of `anaphora.read.extractive`; XQuAD is only
reported on, within one language and across two. One constant is taken from it, on the pairs of
languages in `CHOSEN_ON`: see `unknown_words`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphora.assemble import Workshop
from anaphora.index import FloatArray
from anaphora.indexing import update
from anaphora.language import identify
from anaphora.passage import Query
from anaphora.read.evidence import Evidence, gather
from anaphora.read.extractive import UNKNOWN_WORDS, confident, support
from anaphora.read.nearest import best_passages
from anaphora.retrieve.encoders import Encoder, load_encoder
from bench.table import format_table

FITTED = {
    "zh": "cmrc2018_zh/cmrc2018_dev.json",
    "zh-tw": "drcd_zh_tw/DRCD_dev.json",
    "ja": "jsquad_ja/valid-v1.3.json",
    "ar": "arcd_ar/arcd-train.json",
    "pl": "poquad_pl/data.json",
    "en": "qed_en/qed-dev.jsonlines",
}
XQUAD = ("ar", "de", "en", "es", "ru", "vi", "zh")
CHOSEN_ON = (("en", "zh"), ("ar", "es"), ("es", "de"), ("zh", "vi"))
PAIRS = (("de", "ru"), ("zh", "en"), ("vi", "en"), ("ru", "ar"))
"""The language asked in, and that of the paragraphs."""
REFUSED = 0.9
"""The share of questions without an answer that is to be refused across languages."""
PARAGRAPHS = 240
QUESTIONS = 120
FORMS = {
    "with an encoder": ("coverage", "own_coverage", "nearness"),
    "without an encoder": ("coverage", "own_coverage"),
}
"""What each form of `anaphora.read.extractive.support` goes by."""


@dataclass(frozen=True)
class Paragraph:
    """A text under its title, and questions (by id) with their answers."""

    title: str
    text: str
    asked: dict[str, tuple[str, list[str]]]


@dataclass(frozen=True)
class Judged:
    """A question's evidence, whether each piece holds the answer, and whether it is indexed."""

    evidence: list[Evidence]
    right: list[bool]
    answerable: bool


class Remembering:
    """An encoder that makes the vector of a sentence once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, FloatArray] = {}
        self.name = encoder.name
        self.dimensions = encoder.dimensions

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._encoder.encode_queries(texts)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode_passages(new), strict=True))
        return np.array([self._known[text] for text in texts])


def paragraphs(path: Path) -> Iterator[Paragraph]:
    """The paragraphs of a file in the format of SQuAD or of QED."""
    if path.suffix == ".jsonlines":
        for number, line in enumerate(path.open(encoding="utf-8")):
            one = json.loads(line)
            answers = [part["string"] for given in one["original_nq_answers"] for part in given]
            asked = {str(number): (one["question_text"], answers)}
            yield Paragraph(one["title_text"], one["paragraph_text"], asked)
        return
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            asked = {
                str(qa.get("id", qa["question"])): (
                    qa["question"],
                    [answer["text"] for answer in qa["answers"]],
                )
                for qa in paragraph["qas"]
                if not qa.get("is_impossible")
            }
            title = article.get("title", "").replace("_", " ")
            yield Paragraph(title, paragraph["context"], asked)


def judged(
    name: str, path: Path, work: Path, encoder: Encoder, questions: Path | None = None
) -> list[Judged]:
    """Half of the paragraphs go into an index; questions on both halves are asked of it.

    Args:
        questions: the same file in another language, whose questions are asked instead.
    """
    rng = random.Random(name)
    everything = list(paragraphs(path))
    rng.shuffle(everything)
    everything = everything[: 2 * PARAGRAPHS]
    half = len(everything) // 2
    source = work / f"half-{name}.jsonl"
    lines = [
        json.dumps({"_id": str(number), "title": one.title, "text": one.text}) + "\n"
        for number, one in enumerate(everything[:half])
    ]
    if not source.exists() or source.read_text() != "".join(lines):
        source.write_text("".join(lines))
    folder = work / f"half-index-{name}"
    update(folder, [source], encoder)
    workshop = Workshop(folder)
    wording: dict[str, str] = {}
    for other in paragraphs(questions) if questions else ():
        wording.update((number, question) for number, (question, _) in other.asked.items())
    results = []
    for part, answerable in ((everything[:half], True), (everything[half:], False)):
        asked = [item for one in part for item in one.asked.items()]
        for number, (question, answers) in rng.sample(asked, min(QUESTIONS, len(asked))):
            question = wording.get(number, question)
            query = Query(question, identify(question))
            hits = best_passages(query, workshop.retriever.retrieve([query], 10)[0], 5)
            evidence = gather(query, hits, workshop.index, encoder)
            right = [
                answerable and any(answer in one.text for answer in answers) for one in evidence
            ]
            results.append(Judged(evidence, right, answerable))
    workshop.index.close()
    return results


def features(one: Evidence, names: Sequence[str]) -> list[float]:
    return [float(getattr(one, name)) for name in names]


def logistic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weights and intercept of a logistic regression, by Newton's method, lightly regularised."""
    x = np.column_stack([x, np.ones(len(x))])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(x.shape[1])
        weights += np.linalg.solve(hessian, x.T @ (y - p) - 1e-3 * weights)
    return weights


def fit(cases: Sequence[Judged], names: Sequence[str]) -> np.ndarray:
    """Weights and intercept of the support by these features.

    First what tells a right sentence from a wrong one; then, keeping that, what the best sentence
    tells of whether there is an answer, so that `confident` is a probability.
    """
    x = np.array([features(one, names) for case in cases for one in case.evidence])
    weights = logistic(x, np.array([yes for case in cases for yes in case.right], dtype=float))
    known = [case for case in cases if case.evidence]
    best = [
        max(np.append(features(one, names), 1) @ weights for one in case.evidence) for case in known
    ]
    answerable = np.array([case.answerable for case in known], dtype=float)
    slope, shift = logistic(np.array(best)[:, None], answerable)
    weights *= slope
    weights[-1] += shift
    return weights


def unknown_words(cases: Sequence[Judged]) -> float:
    """What stands for words across languages, so that `REFUSED` of the questions are."""
    best = [
        max((support(one) for one in case.evidence if not one.native), default=-9.0)
        for case in cases
        if not case.answerable
    ]
    return UNKNOWN_WORDS - float(np.quantile(best, REFUSED))


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    order = np.argsort(np.argsort(scores)) + 1
    yes = np.array(labels)
    n, m = yes.sum(), (~yes).sum()
    return float((order[yes].sum() - n * (n + 1) / 2) / (n * m))


def report(name: str, sample: list[Judged]) -> list[object]:
    best = [max((support(one) for one in case.evidence), default=-9.0) for case in sample]
    says = [confident(value) >= 0.5 for value in best]
    known = [case.answerable for case in sample]
    chosen = [
        bool(case.evidence) and case.right[int(np.argmax([support(one) for one in case.evidence]))]
        for case in sample
        if case.answerable
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
    encoder = Remembering(load_encoder())

    def sample(name: str, at: str, questions: str = "") -> list[Judged]:
        other = options.data / questions if questions else None
        return judged(name, options.data / at, options.work, encoder, other)

    samples = {name: sample(name, at) for name, at in FITTED.items()}
    if options.fit:
        cases = [case for cases in samples.values() for case in cases]
        for label, names in FORMS.items():
            weights = fit(cases, names).round(2)
            print(f"{label}:", dict(zip((*names, "intercept"), weights.tolist(), strict=True)))
    for lang in XQUAD:
        samples[f"x-{lang}"] = sample(f"x-{lang}", f"xquad/xquad.{lang}.json")
    for asked, lang in CHOSEN_ON + PAIRS:
        samples[f"{asked} on {lang}"] = sample(
            f"x-{lang}", f"xquad/xquad.{lang}.json", f"xquad/xquad.{asked}.json"
        )
    if options.fit:
        across = [case for pair in CHOSEN_ON for case in samples[" on ".join(pair)]]
        print("unknown words:", round(unknown_words(across), 2))
    columns = ["set", "questions", "in hits", "right sentence", "AUROC", "answered", "refused"]
    print(format_table(columns, [report(name, cases) for name, cases in samples.items()]))


if __name__ == "__main__":
    main()
