"""How probable it is that the documents answer a question, and that the answer shown is right.

Two logistic regressions, fitted on the tuning part of `evaluation/answers` by `python -m
bench.answer_confidence`. A question on a topic near that of the documents has some passage with a
convincing span. What gives it away is that the other passages have none, and that the first one is
far from the question by the vectors of the default encoder.
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
    """

    first: float
    mean: float
    cosine: float | None


class Regression(NamedTuple):
    """Coefficients of the signals. `compared` are those where there is a cosine."""

    alone: tuple[float, float, float]
    compared: tuple[float, float, float, float]

    def __call__(self, signals: Signals) -> float:
        """The probability."""
        if signals.cosine is None:
            return probability(_product(self.alone, (signals.first, signals.mean)))
        return probability(_product(self.compared, signals))


def _product(coefficients: Sequence[float], values: Sequence[float | None]) -> float:
    offset, *factors = coefficients
    return offset + sum(a * (b or 0.0) for a, b in zip(factors, values, strict=True))


ANSWERABLE = Regression((3.340, 0.368, 0.811), (-16.683, 0.337, 0.723, 22.770))
"""That some passage answers."""
RIGHT = Regression((-0.022, 0.625, -0.113), (-28.221, 0.562, -0.264, 31.858))
"""That the extracts hold what the question asks for."""


def probability(log_odds: float) -> float:
    """The probability for log-odds."""
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0
