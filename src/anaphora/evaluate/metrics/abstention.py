"""How well a reader abstains.

Kamath, Jia and Liang, "Selective Question Answering under Domain Shift" (2020), section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from anaphora.evaluate.metrics.scores import Overlap


def abstention(abstained: Sequence[bool], answerable: Sequence[bool]) -> Overlap:
    """Abstaining as a search for what cannot be answered: its precision, recall and F1.

    >>> abstention([True, True, False], [False, True, True]).precision
    0.5

    Raises:
        ValueError: the two are not equally long.
    """
    turns = list(zip(abstained, answerable, strict=True))
    return Overlap(
        sum(silent and not can for silent, can in turns),
        sum(silent for silent, _ in turns),
        sum(not can for _, can in turns),
    )


def auroc(confidences: Sequence[float], answerable: Sequence[bool]) -> float | None:
    """The probability that an answerable question gets a higher confidence than another one.

    Ties count half; 0.5 is guessing. None where all are answerable or none is.

    >>> auroc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    0.875

    Raises:
        ValueError: the two are not equally long.
    """
    turns = sorted(zip(confidences, answerable, strict=True), key=lambda turn: turn[0])
    lower = wins = 0.0
    for _, tied in groupby(turns, key=lambda turn: turn[0]):
        answers = [can for _, can in tied]
        others = len(answers) - sum(answers)
        wins += sum(answers) * (lower + others / 2)
        lower += others
    pairs = lower * (len(turns) - lower)
    return wins / pairs if pairs else None


@dataclass(frozen=True, slots=True)
class Operating:
    """The effect of answering at this confidence and above.

    Attributes:
        threshold: of confidence.
        coverage: the fraction of questions answered.
        risk: 1 less the mean score of those.
    """

    threshold: float
    coverage: float
    risk: float


def risk_coverage(
    confidences: Sequence[float], scores: Sequence[float | None]
) -> tuple[Operating, ...]:
    """Risk and coverage at every confidence that occurs, the highest first.

    Turns whose score is None are left out; there is no point where all are.

    >>> [(point.coverage, point.risk) for point in risk_coverage([0.9, 0.5], [1.0, 0.0])]
    [(0.5, 0.0), (1.0, 0.5)]

    Raises:
        ValueError: the two are not equally long.
    """
    scored = [
        (confidence, score)
        for confidence, score in zip(confidences, scores, strict=True)
        if score is not None
    ]
    scored.sort(key=lambda turn: -turn[0])
    points: list[Operating] = []
    answered, right = 0, 0.0
    for threshold, tied in groupby(scored, key=lambda turn: turn[0]):
        for _, score in tied:
            answered, right = answered + 1, right + score
        points.append(Operating(threshold, answered / len(scored), 1 - right / answered))
    return tuple(points)
