"""Calibrates the cross-encoder: the log-odds that a span answers, fitted on held-out questions.

Training does this at its end. `python -m anaphora.train.crossencoder.calibration DATA OUT` does it
again for the weights in OUT.

Platt, "Probabilistic Outputs for Support Vector Machines" (1999), with two scores: the relevance of
the passage, and the score of the span against "no answer in this window".
"""

from __future__ import annotations

import argparse
import math
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from anaphora.crossencoder.model import CARD, CrossEncoder
from anaphora.datasets.registry import open_dataset
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import FloatArray
from anaphora.records import Evidence, Passage, Span, is_cross_lingual
from anaphora.train.crossencoder.passages import WrittenQuestion, is_manual, written_passages
from anaphora.train.crossencoder.questions import CLAPNQ, Pool, Question, occurrences
from anaphora.train.export import update_card
from anaphora.train.regression import logistic_regression
from anaphora.train.text import DEFAULT, TrainingText

Support = tuple[float, float, float, float]
"""Offset, coefficient of relevance, coefficient of a span's score, and what is added if question
and passage are in different languages."""
UNCALIBRATED: Support = (0.0, 0.5, 0.5, 0.0)

PASSAGES = 5
"""Passages that are read for a question, as by the reader."""
_QUESTIONS = 600
"""Tuning questions of a kind that are used. More take minutes and do not change the fit."""
_ANSWERABLE = 1.5
"""The assumed odds that a question has an answer in the documents."""
PEOPLE = "clapnq"
"""The group of questions from a search engine; those of the other groups are about a passage."""
_ROUNDS = 8
_RIDGE = 1e-3

Item = TypeVar("Item")


@dataclass(frozen=True)
class Case:
    """The spans that are found for a question in some passages.

    Attributes:
        group: the group of questions that it is weighted in.
        scores: relevance, span score, and whether the languages differ: [n, 3].
        right: whether each span is right.
    """

    group: str
    scores: FloatArray
    right: tuple[bool, ...]


def calibrate(
    model: CrossEncoder, pool: Pool, tuning: Sequence[Question], data: Path, text: TrainingText
) -> Support:
    """The card's "support": log-odds of 0 are an answer that is as likely right as wrong.

    It is fitted on the tuning questions, each with its own passage alone, with this passage among
    its negatives, and with these negatives alone; on the written questions that the same passages
    do not answer; and on the even-numbered questions of ClapNQ. Questions on manuals are groups of
    their own.
    """
    rng = random.Random(0)
    on_manuals = [one for one in tuning if is_manual(pool.passages[one.passages[0]])]
    others = [one for one in tuning if not is_manual(pool.passages[one.passages[0]])]
    some = [*_sample(rng, others), *_sample(rng, on_manuals)]
    unanswered = [
        *_sample(rng, unanswered_questions(pool, others, text.passages)),
        *_sample(rng, unanswered_questions(pool, on_manuals, text.manuals)),
    ]
    cases = [*_tuning_cases(model, pool, some), *_unanswered_cases(model, unanswered)]
    offset, *coefficients = fit([*cases, *_clapnq_cases(model, data)])
    # The fit assumes that half of the questions have an answer.
    return offset + math.log(_ANSWERABLE), coefficients[0], coefficients[1], coefficients[2]


def _sample(rng: random.Random, items: Sequence[Item]) -> list[Item]:
    return rng.sample(list(items), min(_QUESTIONS, len(items)))


def update(folder: Path, support: Support) -> None:
    """Writes the support into the card of the cross-encoder in `folder`."""
    update_card(folder / CARD, support=[round(one, 4) for one in support])


def fit(cases: Sequence[Case]) -> Support:
    """Logistic regression of whether the best span, by the fit itself, is right.

    The questions of people have half of the weight, and the other groups share the other half
    equally. In each group, right and wrong answers have the same weight. So the fit depends on the
    scores and not on the number of questions of each kind.
    """
    cases = [case for case in cases if len(case.scores)]
    support = UNCALIBRATED
    for _ in range(_ROUNDS):
        best = [int((case.scores @ np.array(support[1:])).argmax()) for case in cases]
        x = np.array([case.scores[at] for case, at in zip(cases, best, strict=True)])
        right = [case.right[at] for case, at in zip(cases, best, strict=True)]
        weights = _weights(cases, right)
        offset, relevance, span, foreign = logistic_regression(
            x, np.array(right), weights, _RIDGE, _RIDGE
        )
        # A higher score never lowers the confidence, and another language never raises it.
        support = (offset, max(relevance, 0.0), max(span, 0.0), min(foreign, 0.0))
    return support


def clapnq(data: Path, part: Literal["even", "odd"]) -> list[tuple[str, Passage, bool]]:
    """Questions, their passages, and whether these answer them. The even-numbered ones are for
    calibration, the odd-numbered ones for evaluation."""
    found = []
    for path in CLAPNQ:
        dataset = open_dataset(data / path)
        texts = {one.doc_id: one for one in dataset.documents() or ()}
        for number, example in enumerate(dataset.examples()):
            if number % 2 == (part == "odd"):
                one = texts[next(iter(example.relevant))]
                passage = Passage(one.doc_id, one.doc_id, one.title, one.text, one.lang)
                found.append((example.question, passage, bool(example.answerable)))
    return found


def _clapnq_cases(model: CrossEncoder, data: Path) -> Iterator[Case]:
    questions = clapnq(data, "even")
    evidence = model.score([(question, passage) for question, passage, _ in questions])
    for (_, _, answerable), one in zip(questions, evidence, strict=True):
        scores = _scores(one, False)
        # Its answers combine several sentences: any span of a passage that answers counts as right.
        yield Case(PEOPLE, scores, (answerable,) * len(one.spans))


def _tuning_cases(model: CrossEncoder, pool: Pool, tuning: Sequence[Question]) -> Iterator[Case]:
    lists = []
    for question in tuning:
        others = question.negatives[:PASSAGES]
        if others:
            lists.append((question, (question.passages[0], *others[: PASSAGES - 1])))
            lists.append((question, others))
    evidence = iter(
        model.score(
            [(one.text, pool.passages[number]) for one, numbers in lists for number in numbers]
        )
    )
    for question, numbers in lists:
        group = _group(question.lang, pool.passages[question.passages[0]])
        scores: list[FloatArray] = []
        right: list[bool] = []
        for number in numbers:
            one, passage = next(evidence), pool.passages[number]
            answering = number in question.passages
            right_here = tuple(
                answering and answers(passage.text, span, question.answers) for span in one.spans
            )
            scores.append(_scores(one, is_cross_lingual(question.lang, passage.lang)))
            right += right_here
            if answering:
                yield Case(group, scores[-1], right_here)
        yield Case(group, np.vstack(scores), tuple(right))


def unanswered_questions(
    pool: Pool, tuning: Sequence[Question], folder: Path
) -> list[tuple[WrittenQuestion, Passage]]:
    """The written questions that the passages of the tuning questions do not answer."""
    known = {pool.passages[number].text for one in tuning for number in one.passages}
    return [
        (question, block.passage)
        for block in written_passages(folder)
        if block.passage.text in known
        for question in block.questions
        if question.kind == "!"
    ]


def _unanswered_cases(
    model: CrossEncoder, questions: Sequence[tuple[WrittenQuestion, Passage]]
) -> Iterator[Case]:
    evidence = model.score([(question.question, passage) for question, passage in questions])
    for (question, passage), one in zip(questions, evidence, strict=True):
        scores = _scores(one, is_cross_lingual(question.lang, passage.lang))
        yield Case(_group(question.lang, passage), scores, (False,) * len(one.spans))


def _scores(one: Evidence, cross_lingual: bool) -> FloatArray:
    rows = [[one.relevance, span.score, float(cross_lingual)] for span in one.spans]
    return np.array(rows).reshape(-1, 3)


def _group(lang: str, passage: Passage) -> str:
    kind = " manual" if is_manual(passage) else ""
    return f"{lang}{kind}" + " cross-lingual" * is_cross_lingual(lang, passage.lang)


def answers(text: str, span: Span, known: Sequence[str]) -> bool:
    """Whether a span of a passage that answers overlaps an answer; any span does if the answers are
    not known."""
    if not known:
        return True
    return any(
        span.start < end and start < span.end
        for answer in known
        for start, end in occurrences(text, answer)
    )


def _weights(cases: Sequence[Case], right: Sequence[bool]) -> FloatArray:
    cells = [(case.group, yes) for case, yes in zip(cases, right, strict=True)]
    others = max(1, len({group for group, _ in cells} - {PEOPLE}))
    weights: FloatArray = np.array(
        [(others if cell[0] == PEOPLE else 1) / cells.count(cell) for cell in cells]
    )
    weights *= len(cells) / weights.sum()
    return weights


def main() -> None:
    """Calibrates the weights that training wrote to OUT again."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--text", type=Path, default=DEFAULT, help="the folder of training text")
    options = parser.parse_args()
    pool, _, tuning = pickle.loads((options.out / "questions.pickle").read_bytes())
    folder = options.out / "weights"
    model = CrossEncoder(shared_backbone(), folder)
    update(folder, calibrate(model, pool, tuning, options.data, TrainingText(options.text)))
    print((folder / CARD).read_text("utf-8"), end="")


if __name__ == "__main__":
    main()
