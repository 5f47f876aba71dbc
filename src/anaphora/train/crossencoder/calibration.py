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

from anaphora.crossencoder.model import CARD, CrossEncoder
from anaphora.datasets.registry import open_dataset
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import FloatArray
from anaphora.records import Evidence, Passage, Span, is_cross_lingual
from anaphora.train.judge.questions import CLAPNQ, Asked, Pool
from anaphora.train.judge.written import Line, written

Support = tuple[float, float, float, float]
"""Offset; what a unit of relevance and one of a span's score count; and what is added where
question and passage are in different languages."""

PASSAGES = 5
"""Passages that a question is put to, as the reader does."""
TUNED = 600
"""Tuning questions that are taken: more take minutes and change nothing."""
ANSWERED = 1.5
"""Questions with an answer to one without: people mostly ask what their documents answer."""
PEOPLE = "clapnq"
"""The group of what people asked a search engine; the others are what was asked of a passage."""
_ROUNDS = 8
BEGUN: Support = (0.0, 0.5, 0.5, 0.0)


@dataclass(frozen=True)
class Case:
    """A question put to passages: relevance, score, and whether the languages differ [n, 3] of each
    span, and which are right.

    `group` is what it is weighed in.
    """

    group: str
    scores: FloatArray
    right: tuple[bool, ...]


def calibrated(judge: CrossEncoder, pool: Pool, tuned: Sequence[Asked], data: Path) -> Support:
    """The card's "support", so that 0 is where an answer is as likely right as wrong.

    Fitted on the tuning questions, each put to its own passage alone and among what hybrid
    retrieval found, and to the latter alone; on the questions that what we wrote on the same
    passages leaves open; and on the even-numbered questions of ClapNQ.
    """
    rng = random.Random(0)
    some = rng.sample(list(tuned), min(TUNED, len(tuned)))
    left = _left_open(pool, tuned)
    left = rng.sample(left, min(TUNED, len(left)))
    cases = [*_tuning_cases(judge, pool, some), *_open_cases(judge, left)]
    offset, *counts = fit([*cases, *_clapnq_cases(judge, data)])
    # The fit is as if half of the questions had an answer.
    return offset + math.log(ANSWERED), counts[0], counts[1], counts[2]


def recalibrate(folder: Path, support: Support) -> None:
    """Writes the support into the card of the judge in `folder`."""
    path = folder / CARD
    card = json.loads(path.read_text("utf-8")) | {"support": [round(one, 4) for one in support]}
    path.write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", "utf-8")


def fit(cases: Sequence[Case]) -> Support:
    """Logistic regression of whether the best span is right, which is the best by the fit itself.

    What people asked counts for half, and in the other half every group the same; in each those
    answered rightly as much as the others: what is fitted is told by the scores, not by how many
    questions happen to be here.
    """
    cases = [case for case in cases if len(case.scores)]
    support = BEGUN
    for _ in range(_ROUNDS):
        best = [int((case.scores @ np.array(support[1:])).argmax()) for case in cases]
        x = np.array([case.scores[at] for case, at in zip(cases, best, strict=True)])
        right = [case.right[at] for case, at in zip(cases, best, strict=True)]
        offset, relevance, span, foreign = _logistic(x, np.array(right), _weights(cases, right))
        # A better score is never a worse sign, nor another language a better one.
        support = (offset, max(relevance, 0.0), max(span, 0.0), min(foreign, 0.0))
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


def _clapnq_cases(judge: CrossEncoder, data: Path) -> Iterator[Case]:
    asked = clapnq(data, "even")
    judged = judge.score([(question, passage) for question, passage, _ in asked])
    for (_, _, answerable), one in zip(asked, judged, strict=True):
        scores = _scores(one, False)
        # Its answers are whole sentences put together: where the passage answers, a span is right.
        yield Case(PEOPLE, scores, (answerable,) * len(one.spans))


def _tuning_cases(judge: CrossEncoder, pool: Pool, tuned: Sequence[Asked]) -> Iterator[Case]:
    lists = []
    for asked in tuned:
        others = asked.negatives[:PASSAGES]
        if others:
            lists += [(asked, (asked.passages[0], *others[: PASSAGES - 1])), (asked, others)]
    judged = iter(
        judge.score(
            [(asked.question, pool.passages[number]) for asked, found in lists for number in found]
        )
    )
    for asked, found in lists:
        group = _group(asked.lang, pool.passages[asked.passages[0]])
        scores: list[FloatArray] = []
        right: list[bool] = []
        for number in found:
            one, passage = next(judged), pool.passages[number]
            held = number in asked.passages
            here = tuple(held and answers(passage.text, span, asked.answers) for span in one.spans)
            scores.append(_scores(one, is_cross_lingual(asked.lang, passage.lang)))
            right += here
            if held:
                yield Case(group, scores[-1], here)
        yield Case(group, np.vstack(scores), tuple(right))


def _left_open(pool: Pool, tuned: Sequence[Asked]) -> list[tuple[Line, Passage]]:
    """What is asked in vain of the passages of the tuning questions."""
    held = {pool.passages[number].text for one in tuned for number in one.passages}
    return [
        (line, block.passage)
        for block in written()
        if block.passage.text in held
        for line in block.lines
        if line.kind == "!"
    ]


def _open_cases(judge: CrossEncoder, left: Sequence[tuple[Line, Passage]]) -> Iterator[Case]:
    judged = judge.score([(line.question, passage) for line, passage in left])
    for (line, passage), one in zip(left, judged, strict=True):
        scores = _scores(one, is_cross_lingual(line.lang, passage.lang))
        yield Case(_group(line.lang, passage), scores, (False,) * len(one.spans))


def _scores(one: Evidence, foreign: bool) -> FloatArray:
    rows = [[one.relevance, span.score, float(foreign)] for span in one.spans]
    return np.array(rows).reshape(-1, 3)


def _group(lang: str, passage: Passage) -> str:
    return f"{lang} across" if is_cross_lingual(lang, passage.lang) else lang


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
    others = max(1, len({group for group, _ in cells} - {PEOPLE}))
    weights: FloatArray = np.array(
        [(others if cell[0] == PEOPLE else 1) / cells.count(cell) for cell in cells]
    )
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
    recalibrate(
        folder, calibrated(CrossEncoder(shared_backbone(), folder), pool, tuned, options.data)
    )
    print((folder / CARD).read_text("utf-8"), end="")


if __name__ == "__main__":
    main()
