"""Fits the gate of the linking rewriter to its weights, on talks that they did not learn from:
CANARD's tuning part, follow-ups made of the held-out paragraphs of CMRC, DRCD, JSQuAD and ARCD, and
our own talks, the part to tune on.

Each talk is taken three times: with its follow-up, with the same question asked in full, and with
a question in full from a talk about something else. Training does this at its end;
`python -m anaphora.train.gate DATA WEIGHTS` does it again for the weights in a folder.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from anaphora.datasets import canard
from anaphora.datasets.example import Example
from anaphora.evaluate.metrics.rouge import rouge_overlap
from anaphora.evaluate.metrics.tokens import words
from anaphora.models.backbone import shared_backbone, workers
from anaphora.protocols import FloatArray
from anaphora.rewrite.gate import Features, Gate
from anaphora.rewrite.linking.model import CARD
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.train import corpora
from anaphora.train.made import made
from anaphora.train.partial import restored
from anaphora.train.talks import talks as written
from anaphora.understand import LanguageAndIntent

MOST = 150
"""Follow-ups of a language other than English: more take longer and say the same."""
SHARES = {"follow-up": 0.5, "in full": 0.25, "new topic": 0.25}
"""How much each kind of turn weighs, in the English half and in that of the other languages."""


@dataclass(frozen=True)
class Case:
    """A turn with what the linker made of it and what would have been right."""

    kind: str
    lang: str
    subject: str
    found: Features
    changed: bool
    right: bool
    """Changed: the rewrite is nearer to the person's than the question is. Left: the question has
    all the words of the person's rewrite."""

    @property
    def weight_key(self) -> tuple[str, str]:
        return "en" if self.lang == "en" else "other", self.kind


def nearness(text: str, gold: str, lang: str) -> float:
    return rouge_overlap(words(text, lang), words(gold, lang), "1").f1 or 0.0


def tried(linker: LinkingRewriter, kind: str, examples: Sequence[Example]) -> Iterator[Case]:
    understood = LanguageAndIntent().understand([one.conversation for one in examples])
    found = workers().map(linker.candidate, [one.conversation for one in understood])
    for example, one in zip(examples, found, strict=True):
        if one is None:
            continue
        gold, lang = example.rewrites[0], one.lang
        before = nearness(example.question, gold, lang)
        after = nearness(one.text, gold, lang)
        changed = bool(one.edits)
        right = after > before if changed else before == 1
        yield Case(kind, lang, subject(example), one.features, changed, right)


def talks(data: Path) -> dict[str, list[Example]]:
    """Follow-ups by language, each with a rewrite, on which the linker was not trained."""
    official = corpora.canard_official(data, "tune")
    articles = {corpora.article(one) for one in official}
    path = data / "canard" / "train_partial_history.jsonl"
    partial = restored(one for one in canard.examples(path) if corpora.article(one) in articles)
    found = {"en": official + [corpora.english(one) for one in partial]}
    for one in made(data, random.Random(0), "held out"):
        if one.question != one.rewrites[0]:
            found.setdefault(one.tags["lang"], []).append(one)
    for one in written("tune"):
        if one.question != one.rewrites[0]:
            found.setdefault(one.conversation.question.lang or "", []).append(one)
    rng = random.Random(0)
    return {
        lang: some if lang == "en" else rng.sample(some, min(MOST, len(some)))
        for lang, some in found.items()
    }


def kinds(examples: Sequence[Example], rng: random.Random) -> dict[str, list[Example]]:
    """The follow-ups, their questions in full, and other talks' questions in full."""
    deep = [one for one in examples if len(one.conversation.turns) > 2]
    deep = rng.sample(deep, min(2 * MOST, len(deep)))
    others = [rng.choice(deep) for _ in deep]
    return {
        "follow-up": list(examples),
        "in full": [asked(one, one.rewrites[0]) for one in deep],
        "new topic": [
            asked(one, other.rewrites[0])
            for one, other in zip(deep, others, strict=True)
            if subject(one) != subject(other)
        ],
    }


def subject(example: Example) -> str:
    """What a talk is about: an article of CANARD, or the paragraph that a talk was made of."""
    if "dialogue" in example.tags:
        return corpora.article(example)
    return example.id.rsplit("-", 1)[0]


def asked(example: Example, question: str) -> Example:
    """The talk with another question, which is as it should be."""
    turns = example.conversation.turns
    changed = replace(example.conversation, turns=(*turns[:-1], replace(turns[-1], text=question)))
    return replace(example, conversation=changed, rewrites=(question,))


def cases(data: Path, linker: LinkingRewriter) -> list[Case]:
    rng = random.Random(0)
    found = []
    for examples in talks(data).values():
        for kind, some in kinds(examples, rng).items():
            found += list(tried(linker, kind, some))
    return found


def weights(found: Sequence[Case]) -> FloatArray:
    """Half for what people wrote, which is English, and half for what was made; within each the
    kinds as SHARES has them."""
    counts = Counter(case.weight_key for case in found)
    return np.array([SHARES[case.kind] / counts[case.weight_key] for case in found])


def regression(x: FloatArray, y: FloatArray, weight: FloatArray) -> list[float]:
    """Logistic regression with a small ridge; weights of the columns and a constant."""
    x = np.column_stack([x, np.ones(len(x))])
    weight = weight * len(weight) / weight.sum()
    ridge = np.diag([1.0] * (x.shape[1] - 1) + [1e-6])
    found = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ found))
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + ridge
        found = found + np.linalg.solve(curve, x.T @ (weight * (y - p)) - ridge @ found)
    return [round(float(value), 4) for value in found]


def fitted(found: Sequence[Case]) -> Gate:
    weight = weights(found)
    x = np.array([case.found.values for case in found])
    changed = np.array([case.changed for case in found])
    right = np.array([case.right for case in found])
    switch = np.array([case.kind == "new topic" for case in found])
    return Gate(
        better=regression(x[changed], right[changed], weight[changed]),
        needed=regression(x[~changed], ~right[~changed], weight[~changed]),
        switch=regression(x, switch, weight),
    )


def fit_gate(data: Path, folder: Path) -> Gate:
    """The gate for the linker's weights in `folder`, which becomes the one in their card."""
    gate = fitted(cases(data, LinkingRewriter(shared_backbone(), folder)))
    path = folder / CARD
    rows = {name: list(getattr(gate, name)) for name in ("better", "needed", "switch")}
    card = json.loads(path.read_text("utf-8")) | {"gate": rows}
    text = json.dumps(card, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", "utf-8")
    return gate


def main() -> None:
    """Fits the gate for the weights in WEIGHTS anew."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("weights", type=Path, metavar="WEIGHTS")
    options = parser.parse_args()
    print(fit_gate(options.data, options.weights))


if __name__ == "__main__":
    main()
