"""Fits the gate of the linking rewriter to its weights, on conversations that are not trained on.

These are CANARD's tuning part, synthetic follow-ups from the held-out paragraphs of CMRC, DRCD,
JSQuAD and ARCD, and the tuning parts of our own conversations. Each conversation is used three
times: with its follow-up, with the same question in self-contained form, and with a self-contained
question from a conversation on another topic.

Training does this at its end. `python -m anaphora.train.rewriter.gate DATA WEIGHTS` does it again
for the weights in a folder.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from anaphora.train.corpora import with_question
from anaphora.train.export import update_card
from anaphora.train.regression import logistic_regression
from anaphora.train.rewriter.conversations import conversations
from anaphora.train.rewriter.examples import dialogues
from anaphora.train.rewriter.partial_history import restored
from anaphora.train.rewriter.synthetic import synthetic
from anaphora.train.text import DEFAULT, TrainingText
from anaphora.understand import LanguageAndIntent

MOST = 150
"""Follow-ups of a language other than English. More take longer and do not change the fit."""
WEIGHTS = {"follow-up": 0.5, "in full": 0.25, "new topic": 0.25}
"""The weight of each kind of turn, in the English half and in that of the other languages."""


@dataclass(frozen=True)
class Case:
    """A turn with the linker's rewrite of it.

    `right`: a changed question is closer to the human rewrite than the original; an unchanged one
    has all words of the human rewrite.
    """

    kind: str
    lang: str
    subject: str
    features: Features
    changed: bool
    right: bool

    @property
    def weight_key(self) -> tuple[str, str]:
        return "en" if self.lang == "en" else "other", self.kind


def cases_of(linker: LinkingRewriter, kind: str, examples: Sequence[Example]) -> Iterator[Case]:
    """The linker's rewrites of examples of one kind of turn."""
    understood = LanguageAndIntent().understand([one.conversation for one in examples])
    found = workers().map(linker.candidate, [one.conversation for one in understood])
    for example, one in zip(examples, found, strict=True):
        if one is None:
            continue
        gold, lang = example.rewrites[0], one.lang
        before = _rouge(example.question, gold, lang)
        after = _rouge(one.text, gold, lang)
        changed = bool(one.edits)
        right = after > before if changed else before == 1
        yield Case(kind, lang, subject(example), one.features, changed, right)


def _rouge(text: str, gold: str, lang: str) -> float:
    return rouge_overlap(words(text, lang), words(gold, lang), "1").f1 or 0.0


def follow_ups(data: Path, text: TrainingText) -> dict[str, list[Example]]:
    """Follow-ups by language, each with a rewrite, that the linker was not trained on."""
    official = corpora.canard_official(data, "tune")
    articles = {corpora.article(one) for one in official}
    path = data / corpora.CANARD_PARTIAL
    partial = restored(one for one in canard.examples(path) if corpora.article(one) in articles)
    found = {"en": official + [corpora.english(one) for one in partial]}
    others = [*synthetic(data, random.Random(0), "held out")]
    others += conversations("tune", text.conversations)
    others += conversations("tune", text.follow_ups)
    others += dialogues(text, "tune")
    for one in others:
        if one.question != one.rewrites[0]:
            found.setdefault(one.conversation.question.lang or "", []).append(one)
    rng = random.Random(0)
    return {
        lang: some if lang == "en" else rng.sample(some, min(MOST, len(some)))
        for lang, some in found.items()
    }


def kinds(examples: Sequence[Example], rng: random.Random) -> dict[str, list[Example]]:
    """The follow-ups, the same questions self-contained, and those of other conversations."""
    deep = [one for one in examples if len(one.conversation.turns) > 2]
    deep = rng.sample(deep, min(2 * MOST, len(deep)))
    others = [rng.choice(deep) for _ in deep]
    return {
        "follow-up": list(examples),
        "in full": [with_question(one, one.rewrites[0]) for one in deep],
        "new topic": [
            with_question(one, other.rewrites[0])
            for one, other in zip(deep, others, strict=True)
            if subject(one) != subject(other)
        ],
    }


def subject(example: Example) -> str:
    """The topic of a conversation: its article in CANARD, or the paragraph that it is based on."""
    if "dialogue" in example.tags:
        return corpora.article(example)
    return example.id.rsplit("-", 1)[0]


def cases(data: Path, text: TrainingText, linker: LinkingRewriter) -> list[Case]:
    rng = random.Random(0)
    return [
        case
        for examples in follow_ups(data, text).values()
        for kind, some in kinds(examples, rng).items()
        for case in cases_of(linker, kind, some)
    ]


def weights(found: Sequence[Case]) -> FloatArray:
    """Half for English, which people wrote, and half for the other languages, which are synthetic;
    in each half the kinds of turns have the weights of WEIGHTS."""
    counts = Counter(case.weight_key for case in found)
    return np.array([WEIGHTS[case.kind] / counts[case.weight_key] for case in found])


def fitted(found: Sequence[Case]) -> Gate:
    """A gate whose three log-odds are logistic regressions on the features of the cases."""
    weight = weights(found)
    x = np.array([case.features.values for case in found])
    changed = np.array([case.changed for case in found])
    right = np.array([case.right for case in found])
    switch = np.array([case.kind == "new topic" for case in found])
    return Gate(
        better=_regression(x[changed], right[changed], weight[changed]),
        needed=_regression(x[~changed], ~right[~changed], weight[~changed]),
        switch=_regression(x, switch, weight),
    )


def _regression(x: FloatArray, y: FloatArray, weight: FloatArray) -> list[float]:
    """Weights of the columns, and the constant."""
    constant, *slopes = logistic_regression(x, y, weight / weight.mean(), 1.0, 1e-6)
    return [round(value, 4) for value in (*slopes, constant)]


def fit_gate(data: Path, text: TrainingText, folder: Path) -> Gate:
    """Fits the gate for the linker's weights in `folder` and writes it into their card."""
    gate = fitted(cases(data, text, LinkingRewriter(shared_backbone(), folder)))
    rows = {name: list(getattr(gate, name)) for name in ("better", "needed", "switch")}
    update_card(folder / CARD, gate=rows)
    return gate


def main() -> None:
    """Fits the gate of the weights in WEIGHTS again."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("weights", type=Path, metavar="WEIGHTS")
    parser.add_argument("--text", type=Path, default=DEFAULT, help="the folder of training text")
    options = parser.parse_args()
    print(fit_gate(options.data, TrainingText(options.text), options.weights))


if __name__ == "__main__":
    main()
