"""How probable it is that the documents answer a question, and that the answer shown is right.

Logistic regressions, fitted on the tuning part of `evaluation/answers`, on `evaluation/abstention`
and on questions on real manuals by `python -m bench.answer_confidence`. Those for a passage in
another language than the question's are fitted on questions on real manuals by
`python -m bench.answer_confidence_across`. A question on a topic near that of the documents has
some passage with a convincing span. What gives it away is that the other passages have none, that
the first one is far from the question by the vectors of the default encoder, and that the question
has words that no document has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Signals(NamedTuple):
    """What is known of the passages that were read.

    Attributes:
        first: log-odds that the first one answers, by the cross-encoder.
        mean: the same, a mean over all.
        cosine: of the first one and the question; None where they were not compared.
        unmentioned: how many of the question's words occur in none of the documents.
        across: the first one is in another language than the question.
    """

    first: float
    mean: float
    cosine: float | None
    unmentioned: int = 0
    across: bool = False


MOST = 2
"""More unmentioned words than these count as these."""


class Regression(NamedTuple):
    """Coefficients of the signals. `compared` are those where there is a cosine."""

    alone: tuple[float, float, float, float]
    compared: tuple[float, float, float, float, float]

    def __call__(self, signals: Signals) -> float:
        """The probability."""
        first, mean, cosine, unmentioned, _ = signals
        unmentioned = min(unmentioned, MOST)
        if cosine is None:
            return probability(_product(self.alone, (first, mean, unmentioned)))
        return probability(_product(self.compared, (first, mean, cosine, unmentioned)))


def _product(coefficients: Sequence[float], values: Sequence[float]) -> float:
    offset, *factors = coefficients
    return offset + sum(a * b for a, b in zip(factors, values, strict=True))


ANSWERABLE = Regression((3.228, 0.407, 0.569, -0.309), (-10.193, 0.353, 0.513, 15.386, -0.287))
"""That some passage answers. Fitted, with equal weights, on turns, on questions on real manuals
with and without the hits of their manual, and on graded hits."""
RIGHT = Regression((0.932, 0.440, -0.114, -0.147), (-5.020, 0.411, -0.135, 6.805, -0.132))
"""That the extracts hold what the question asks for."""
ANSWERABLE_ACROSS = Regression((2.978, 0.335, 0.486, 0.0), (-25.783, 0.278, 0.249, 34.043, 0.0))
RIGHT_ACROSS = Regression((0.784, 0.344, 0.085, 0.0), (-16.094, 0.302, -0.062, 19.863, 0.0))
"""The same where the first passage is in another language than the question. Words differ then, so
that unmentioned ones do not count. `RIGHT_ACROSS`: that one of the first two passages answers; its
log-odds were then scaled to 1,126 graded answers on other manuals (docs/decisions/reading.md)."""


def probability(log_odds: float) -> float:
    """The probability for log-odds."""
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0
