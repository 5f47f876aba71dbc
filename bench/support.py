"""Measures the check of statements, beside other ways to decide whether text supports a statement.

    python -m bench.support table --data DATA [--text training] [--limit N] [--only NAME...]
        [--nli MODEL]
    python -m bench.support xquad --data DATA [--text training] [--limit N] [--only NAME...]
    python -m bench.support speed --data DATA [--text training]

`table` prints balanced accuracy by language, on claims about the titles that are reported on. The
threshold of each method is chosen on the claims about the titles for tuning. The claims in English
on public data sets have no human labels of faithfulness: an answer to another question, the span
that the cross-encoder finds where the passage has no answer, and an answer on another passage count
as unsupported. `xquad` prints the same for claims made of XQuAD, which nothing is trained or tuned
on: answers, right or not; and sentences beside the paragraph in another language that they are
from, as they are, altered, or beside another paragraph. `speed` prints the milliseconds of
processor time of five sentences.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from anaphora.check.facts import unsupported_facts
from anaphora.check.model import SHIPPED, SupportModel
from anaphora.check.support import SupportChecker
from anaphora.crossencoder.model import shared_crossencoder
from anaphora.language import analyzer, identify, sentences
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import no_progress
from anaphora.records import Claim, Passage
from anaphora.retrieve.encoders import default_encoder
from anaphora.train.support.alterations import Context, altered
from anaphora.train.support.examples import (
    Example,
    Material,
    asked_in,
    claim,
    gathered,
    stated,
)
from anaphora.train.support.trainer import Recipe
from anaphora.train.text import TrainingText

Scores = Callable[[Sequence[Claim]], list[float]]
"""A score of each claim; the higher, the better it is supported."""

_TUNED = 40
"""Claims of each group that thresholds are chosen on."""
_ALTERED = 40
"""Altered statements of each language."""
_PARALLEL = 100
"""Claims of each group on XQuAD."""
_PUBLIC = 500
"""Claims on public data sets in English."""


def overlap(claims: Sequence[Claim]) -> list[float]:
    """The share of the distinct index terms of a statement that the evidence and question have."""
    found = []
    for one in claims:
        terms = analyzer(identify(one.statement)).terms
        own = set(terms(one.statement))
        held = own.intersection(terms("\n".join([*one.evidence, one.question])))
        found.append(len(held) / len(own) if own else 0.0)
    return found


def cosine(claims: Sequence[Claim]) -> list[float]:
    """The best cosine of question and statement with the whole evidence or with one sentence."""
    encoder = default_encoder()
    said = encoder.encode_queries([f"{one.question} {one.statement}".strip() for one in claims])
    parts: list[str] = []
    owners: list[int] = []
    for number, one in enumerate(claims):
        for text in one.evidence:
            found = [text[a:b] for a, b in sentences(text, identify(text))]
            parts += [text, *found]
            owners += [number] * (1 + len(found))
    unique = list(dict.fromkeys(parts))
    vectors = dict(zip(unique, encoder.encode_passages(unique), strict=True))
    best = [0.0] * len(claims)
    for number, part in zip(owners, parts, strict=True):
        best[number] = max(best[number], float(said[number] @ vectors[part]))
    return best


def relevance(claims: Sequence[Claim]) -> list[float]:
    """The relevance that the cross-encoder gives the evidence for question and statement."""
    pairs = [
        (
            f"{one.question} {one.statement}".strip(),
            Passage("", "", "", "\n".join(one.evidence), ""),
        )
        for one in claims
    ]
    return [found.relevance for found in shared_crossencoder().score(pairs)]


def rule(claims: Sequence[Claim]) -> list[float]:
    """0 for a claim whose numbers, dates and names are all in the evidence, and less otherwise."""
    return [-float(bool(unsupported_facts(one))) for one in claims]


def nli(model: str) -> Scores:
    from anaphora.check.nli import NliChecker

    checker = NliChecker(model)

    def scores(claims: Sequence[Claim]) -> list[float]:
        said = [f"{one.question} {one.statement}".strip() for one in claims]
        texts = ["\n".join(one.evidence) for one in claims]
        return checker.entailment(list(zip(texts, said, strict=True)))

    return scores


def methods(weights: Path, nli_model: str | None) -> dict[str, Scores]:
    """The ways to decide, by name; "check" is all of what is shipped."""
    checker = SupportChecker(SupportModel(shared_backbone(), weights))
    found: dict[str, Scores] = {
        "check": lambda claims: [float(one.supported) for one in checker.check(claims)],
        "network": lambda claims: [one.network for one in checker.signals(claims)],
        "rule": rule,
        "cross-encoder's relevance": relevance,
        "cosine": cosine,
        "word overlap": overlap,
    }
    return found | ({nli_model: nli(nli_model)} if nli_model else {})


def threshold(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The threshold with the best balanced accuracy."""
    order = sorted(set(scores))
    places = [order[0], *((a + b) / 2 for a, b in pairwise(order))]
    values, truth = np.array(scores), np.array(right)
    return max(places, key=lambda one: balanced(values >= one, truth))


def balanced(said: np.ndarray, right: np.ndarray) -> float:
    """The mean of the shares of supported and of unsupported claims that are told rightly."""
    return float((said[right].mean() + (~said[~right]).mean()) / 2)


def groups(material: Material, limit: int | None) -> dict[str, list[Example]]:
    """The claims that are measured: written statements by language, and across languages; altered
    statements by kind; English claims on public data sets."""
    rng = random.Random(0)
    found: dict[str, list[Example]] = defaultdict(list)
    for lang, statements in sorted(material.statements.items()):
        for one in map(stated, statements):
            name = "across languages" if one.across else lang
            if len(found[name]) < (limit or len(statements)):
                found[name].append(one)
    for lang in material.languages:
        for _ in range(min(_ALTERED, limit or _ALTERED)):
            one = material.altered(rng, lang)
            if one is not None and one.kind in ("number", "name", "negation"):
                found[f"altered: {one.kind}"].append(one)
    count = min(_PUBLIC, limit or _PUBLIC)
    while len(found["English questions, public sets"]) < count:
        one = material.answered(rng, "en")
        if one is not None and one.set:
            found["English questions, public sets"].append(one)
    return found


def parallel(folder: Path, limit: int) -> dict[str, list[Example]]:
    """Claims made of XQuAD, about `limit` of each group: by language, answers, of which half are
    right; by the language of the statement, sentences with the paragraph in another language."""
    files = {path.name.split(".")[1]: path for path in sorted(folder.glob("xquad.*.json"))}
    paragraphs = {
        lang: [
            Passage("", "", article["title"], part["context"], lang)
            for article in json.loads(path.read_text("utf-8"))["data"]
            for part in article["paragraphs"]
        ]
        for lang, path in files.items()
    }
    found: dict[str, list[Example]] = defaultdict(list)
    for lang, path in files.items():
        rng = random.Random(0)
        material = Material([], asked_in(path, lang), [])
        ways = {
            "answers": partial(material.answered, rng, lang),
            "across": partial(_across, rng, lang, paragraphs),
        }
        for name, make in ways.items():
            while len(found[f"{name}, {lang}"]) < limit:
                made = make()
                if made is not None:
                    found[f"{name}, {lang}"].append(made)
    return found


def _across(
    rng: random.Random, lang: str, paragraphs: Mapping[str, Sequence[Passage]]
) -> Example | None:
    """A sentence of a paragraph with the same paragraph in another language: in half of the cases
    as it is, otherwise altered, or with another paragraph."""
    number = rng.randrange(len(paragraphs[lang]))
    own = paragraphs[lang][number]
    start, end = rng.choice(sentences(own.text, lang))
    text = own.text[start:end].strip()
    other = rng.choice([one for one in sorted(paragraphs) if one != lang])
    there = paragraphs[other][number].text
    if not 40 <= len(text) * (2 if lang == "zh" else 1) <= 300:
        return None
    chance = rng.random()
    if chance < 0.5:
        return Example(text, there, lang, across=True)
    if chance < 0.6:
        elsewhere = rng.choice(paragraphs[other]).text
        ranges = ((0, len(text)),)
        return Example(text, elsewhere, lang, "", ranges, "elsewhere", across=True)
    far = rng.choice(paragraphs[lang]).text
    one = altered(text, Context(own.text, far, "", lang), rng)
    if one is None or one.kind not in ("number", "name", "negation"):
        return None
    return Example(one.text, there, lang, "", one.unsupported, one.kind, across=True)


def kinds(groups: Mapping[str, list[Example]]) -> dict[str, list[Example]]:
    """The groups, and the unsupported sentences across languages by kind."""
    found = dict(groups)
    for name, group in groups.items():
        for one in group if name.startswith("across, ") else ():
            found.setdefault(f"across: {one.kind or 'as it is'}", []).append(one)
    return found


def table(
    tune: Mapping[str, list[Example]],
    report: Mapping[str, list[Example]],
    ways: Mapping[str, Scores],
) -> None:
    tuning = [one for name, group in tune.items() for one in group if not name.startswith("alt")]
    reported = [one for group in report.values() for one in group]
    scores = {
        name: score([claim(one) for one in tuning + reported]) for name, score in ways.items()
    }
    columns = {}
    for name, found in scores.items():
        limit = threshold(found[: len(tuning)], [one.supported for one in tuning])
        columns[name] = np.array(found[len(tuning) :]) >= limit
    print("| | claims |", " | ".join(columns), "|")
    print("|---|---|" + "---|" * len(columns))
    start = 0
    for group, examples in report.items():
        place = slice(start, start + len(examples))
        cells = " | ".join(f"{_figure(said[place], examples):.1f}" for said in columns.values())
        print(f"| {group} | {len(examples)} | {cells} |", flush=True)
        start += len(examples)


def _figure(said: np.ndarray, found: Sequence[Example]) -> float:
    """Balanced accuracy in %; where all claims have one label, the share that is told
    rightly."""
    right = np.array([one.supported for one in found])
    mixed = 0 < right.sum() < len(right)
    return 100 * (balanced(said, right) if mixed else float((said == right).mean()))


def speed(material: Material, weights: Path) -> None:
    """Processor time of five sentences with a cited sentence each, the median of 20 rounds."""
    checker = SupportChecker(SupportModel(shared_backbone(), weights))
    rng = random.Random(0)
    rounds = []
    for _ in range(21):
        claims = []
        while len(claims) < 5:
            one = stated(rng.choice([s for found in material.statements.values() for s in found]))
            places = sentences(one.evidence, one.lang)
            start, end = rng.choice(places)
            claims.append(Claim(one.statement, (one.evidence[start:end],), one.question))
        begin = time.process_time()
        checker.check(claims)
        rounds.append(1000 * (time.process_time() - begin))
    print(f"five sentences: {statistics.median(rounds[1:]):.0f} ms of processor time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=("table", "xquad", "speed"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--text", type=Path, default=Path("training"))
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--limit", type=int, help="claims of a group, about")
    parser.add_argument("--only", nargs="+", default=[], help="methods, by name")
    parser.add_argument("--nli", help="a model for natural language inference, by name or folder")
    given = parser.parse_args()
    text = TrainingText(given.text)
    parts = gathered(
        given.data, text, shared_crossencoder(), Recipe().seed, no_progress, ("tune", "report")
    )
    if given.part == "speed":
        speed(parts["report"], given.weights)
    else:
        ways = methods(given.weights, given.nli)
        report = (
            groups(parts["report"], given.limit)
            if given.part == "table"
            else kinds(parallel(given.data / "xquad", given.limit or _PARALLEL))
        )
        table(
            groups(parts["tune"], _TUNED),
            report,
            {name: way for name, way in ways.items() if name in (given.only or ways)},
        )


if __name__ == "__main__":
    main()
