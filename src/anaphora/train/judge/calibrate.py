"""What the judge's scores are worth: the log-odds that a span answers, by held-out questions.

Training does this at its end; `python -m anaphora.train.judge.calibrate DATA OUT` does it again for
the weights in OUT.

Platt, "Probabilistic Outputs for Support Vector Machines" (1999), with two scores: how relevant the
passage is, and how likely the span against "no answer here".
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from anaphora.datasets.registry import open_dataset
from anaphora.index import FloatArray
from anaphora.judge.model import CARD, Judge
from anaphora.judge.spans import Span
from anaphora.models.backbone import shared_backbone
from anaphora.passage import Passage
from anaphora.train.judge.questions import CLAPNQ, Asked, Pool

Support = tuple[float, float, float]
"""Offset, and what a unit of relevance and one of a span's score count."""

PASSAGES = 5
"""Passages that a question is put to, as the reader does."""
TUNED = 600
"""Tuning questions that are taken: more take minutes and change nothing."""
ANSWERED = 2.0
"""Questions with an answer to one without: people mostly ask what their documents answer."""
_ROUNDS = 8
BEGUN: Support = (0.0, 0.5, 0.5)


@dataclass(frozen=True)
class Case:
    """A question put to passages: relevance and score [n, 2] of each span, and which are right.

    `group` is what it is weighed in.
    """

    group: str
    scores: FloatArray
    right: tuple[bool, ...]


def calibrated(judge: Judge, pool: Pool, tuned: Sequence[Asked], data: Path) -> Support:
    """The card's "support", so that 0 is where an answer is as likely right as wrong.

    Fitted on the tuning questions, each put to its own passage among what hybrid retrieval found,
    and to the latter alone; and on the even-numbered questions of ClapNQ.
    """
    some = random.Random(0).sample(list(tuned), min(TUNED, len(tuned)))
    offset, relevance, span = fit([*_tuning_cases(judge, pool, some), *_clapnq_cases(judge, data)])
    # The fit is as if half of the questions had an answer.
    return offset + math.log(ANSWERED), relevance, span


def recalibrate(folder: Path, support: Support) -> None:
    """Writes the support into the card of the judge in `folder`."""
    path = folder / CARD
    card = json.loads(path.read_text("utf-8")) | {"support": [round(one, 4) for one in support]}
    path.write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", "utf-8")


def fit(cases: Sequence[Case]) -> Support:
    """Logistic regression of whether the best span is right, which is the best by the fit itself.

    Every group counts the same, and in each those answered rightly as much as the others: what is
    fitted is told by the scores, not by how many questions happen to be here.
    """
    cases = [case for case in cases if len(case.scores)]
    support = BEGUN
    for _ in range(_ROUNDS):
        best = [int((case.scores @ np.array(support[1:])).argmax()) for case in cases]
        x = np.array([case.scores[at] for case, at in zip(cases, best, strict=True)])
        right = [case.right[at] for case, at in zip(cases, best, strict=True)]
        offset, relevance, span = _logistic(x, np.array(right), _weights(cases, right))
        # A better score is never a worse sign.
        support = (offset, max(relevance, 0.0), max(span, 0.0))
    return support


def clapnq(data: Path, part: Literal["even", "odd"]) -> list[tuple[str, Passage, bool]]:
    """Question, its passage, and whether that answers; calibrated on the even ones, judged by the
    odd ones."""
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


def _clapnq_cases(judge: Judge, data: Path) -> Iterator[Case]:
    asked = clapnq(data, "even")
    judged = judge.judge([(question, passage) for question, passage, _ in asked])
    for (_, _, answerable), one in zip(asked, judged, strict=True):
        scores = np.array([[one.relevance, span.score] for span in one.spans])
        # Its answers are whole sentences put together: where the passage answers, a span is right.
        yield Case("clapnq", scores, (answerable,) * len(one.spans))


def _tuning_cases(judge: Judge, pool: Pool, tuned: Sequence[Asked]) -> Iterator[Case]:
    lists = []
    for asked in tuned:
        others = asked.negatives[:PASSAGES]
        if others:
            lists += [(asked, (asked.passages[0], *others[: PASSAGES - 1])), (asked, others)]
    judged = iter(
        judge.judge(
            [(asked.question, pool.passages[number]) for asked, found in lists for number in found]
        )
    )
    for asked, found in lists:
        scores: list[list[float]] = []
        right: list[bool] = []
        for number in found:
            one = next(judged)
            for span in one.spans:
                scores.append([one.relevance, span.score])
                text = pool.passages[number].text
                right.append(number in asked.passages and answers(text, span, asked.answers))
        yield Case(asked.lang, np.array(scores), tuple(right))


def answers(text: str, span: Span, known: Sequence[str]) -> bool:
    """Whether a span of a passage that answers shares a character with an answer; where these are
    not known, any span does."""
    if not known:
        return True
    near = text[max(0, span.start - max(map(len, known))) : span.end + max(map(len, known))]
    offset = max(0, span.start - max(map(len, known)))
    for answer in known:
        at = near.find(answer)
        while at >= 0:
            if offset + at < span.end and span.start < offset + at + len(answer):
                return True
            at = near.find(answer, at + 1)
    return False


def _weights(cases: Sequence[Case], right: Sequence[bool]) -> FloatArray:
    cells = [(case.group, yes) for case, yes in zip(cases, right, strict=True)]
    weights: FloatArray = np.array([1 / cells.count(cell) for cell in cells])
    weights *= len(cells) / weights.sum()
    return weights


def _logistic(x: FloatArray, right: FloatArray, weights: FloatArray) -> tuple[float, ...]:
    """Intercept and slopes by Newton's method, lightly regularised."""
    x = np.column_stack([np.ones(len(x)), x])
    found = np.zeros(x.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        curve = (x * (weights * chance * (1 - chance))[:, None]).T @ x + 1e-3 * np.eye(len(found))
        found = found + np.linalg.solve(curve, x.T @ (weights * (right - chance)) - 1e-3 * found)
    return tuple(found.tolist())


def main() -> None:
    """Calibrates the weights that training left in OUT anew."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("out", type=Path, metavar="OUT")
    options = parser.parse_args()
    pool, _, tuned = pickle.loads((options.out / "questions.pickle").read_bytes())
    folder = options.out / "weights"
    recalibrate(folder, calibrated(Judge(shared_backbone(), folder), pool, tuned, options.data))
    print((folder / CARD).read_text("utf-8"), end="")


if __name__ == "__main__":
    main()
