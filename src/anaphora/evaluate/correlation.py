"""Whether similar questions get similar answers (Vakulenko et al., "A Wrong Answer or a Wrong
Question? An Intricate Relationship between Question Reformulation and Answer Selection in
Conversational Question Answering", 2020, section 5).

The similarity of questions is that of the system's rewrite to the human one (ROUGE-1 recall, or
the cosine of their vectors). The similarity of answers is `recall_overlap` of the two rankings
(Figure 2, R@1000) or `jaccard` of the two answers' words (Figure 3), over all turns, right or
wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES: Final = 1000
CONFIDENCE: Final = 0.95


def recall_overlap(reference: Iterable[str], ranking: Iterable[str], k: int = 1000) -> float | None:
    """The fraction of the first k ids of `reference` that are among the first k of `ranking`.

    None where only `reference` is empty; two empty rankings are the same one: 1.

    >>> recall_overlap(["a", "b", "c"], ["c", "x", "a"], k=2)
    0.0
    """
    wanted, found = set(islice(reference, k)), set(islice(ranking, k))
    if not wanted:
        return None if found else 1.0
    return len(wanted & found) / len(wanted)


def jaccard(first: Iterable[str], second: Iterable[str]) -> float:
    """The fraction of the tokens of either answer that are in both; two empty answers: 1.

    >>> jaccard(["in", "the", "north"], ["the", "north"])
    0.6666666666666666
    """
    one, other = set(first), set(second)
    return len(one & other) / len(one | other) if one or other else 1.0


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of correlation, in -1..1, with its bootstrap interval.

    `low` and `high` are None where more resamples have no coefficient than the interval leaves out:
    two or three pairs, or one side all but constant.
    """

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """Two decimals, with a typographic minus sign."""
        ends = f" [{self.low:.2f}, {self.high:.2f}]" if self.high is not None else ""
        return f"{self.value:.2f}{ends}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's and Spearman's coefficients of `n` pairs.

    Both are None where they are undefined: fewer than two pairs, or one side is constant.
    """

    n: int
    pearson: Coefficient | None
    spearman: Coefficient | None


def correlate(x: Sequence[float], y: Sequence[float], seed: int = 0) -> Correlation:
    """Correlation with 95 % percentile intervals from 1,000 resamples of the pairs.

    The same input and seed give the same intervals.

    Raises:
        ValueError: the two sides differ in length, or a number is not finite.

    >>> correlate([0.0, 0.5, 1.0], [0.1, 0.2, 0.9]).spearman.value
    1.0
    >>> correlate([1.0, 1.0], [0.0, 1.0]).pearson is None
    True
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError(f"{len(first)} numbers cannot be paired with {len(second)}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("only finite numbers can be correlated")
    if not len(first):
        return Correlation(0, None, None)
    return Correlation(
        len(first),
        _with_interval(lambda chosen: _pearson(first[chosen], second[chosen]), len(first), seed),
        _with_interval(_spearman_of(first, second), len(first), seed),
    )


Statistic = Callable[[npt.NDArray[np.intp]], "float | None"]


def _with_interval(statistic: Statistic, n: int, seed: int) -> Coefficient | None:
    value = statistic(np.arange(n))
    if value is None:
        return None
    random = np.random.default_rng(seed)
    drawn = (statistic(random.integers(n, size=n)) for _ in range(RESAMPLES))
    found = [each for each in drawn if each is not None]
    if len(found) < CONFIDENCE * RESAMPLES:
        return Coefficient(value, None, None)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(found, [tail, 100 - tail])
    return Coefficient(value, float(low), float(high))


def _pearson(x: Floats, y: Floats) -> float | None:
    # Checked first: the rounding of the means would leave a constant side some variance.
    if x.min() == x.max() or y.min() == y.max():
        return None
    x, y = x - x.mean(), y - y.mean()
    # By the largest first, so that tiny numbers do not vanish when squared.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    value = float(x @ y) / float(np.sqrt((x @ x) * (y @ y)))
    return min(max(value, -1.0), 1.0)


def _spearman_of(x: Floats, y: Floats) -> Statistic:
    # Ranks depend on the order alone: small whole numbers rank as the scores do, and faster.
    levels = [np.unique(side, return_inverse=True)[1] for side in (x, y)]

    def spearman(chosen: npt.NDArray[np.intp]) -> float | None:
        return _pearson(*(_ranks(side[chosen]) for side in levels))

    return spearman


def _ranks(levels: npt.NDArray[np.intp]) -> Floats:
    """Ranks from small whole numbers; equal ones share the mean of their ranks."""
    counts = np.bincount(levels)
    return np.asarray(np.cumsum(counts) - (counts - 1) / 2, dtype=np.float64)[levels]


def correlation_text(found: Correlation) -> str:
    """The coefficients in a sentence.

    >>> correlation_text(correlate([1.0, 1.0], [0.0, 1.0]))
    '2 turns; one side never varies, so there is no correlation.'
    """
    if found.pearson is None or found.spearman is None:
        return f"{found.n:,} turns; one side never varies, so there is no correlation."
    return f"{found.n:,} turns; Pearson {found.pearson}, Spearman {found.spearman}."


@dataclass(frozen=True)
class Density:
    """How many points fall into each square of a grid.

    Attributes:
        x_range, y_range: what the grid covers: 0..1, or -1..1 where a number is negative.
        counts: `counts[row][column]`, `row` along y and `column` along x, both from the lowest; the
            last square of each holds its upper end too.
    """

    x_range: tuple[float, float]
    y_range: tuple[float, float]
    counts: tuple[tuple[int, ...], ...]

    def x(self, fraction: float) -> float:
        """The value at a fraction of the grid's width."""
        return self.x_range[0] + fraction * (self.x_range[1] - self.x_range[0])

    def y(self, fraction: float) -> float:
        """The value at a fraction of the grid's height."""
        return self.y_range[0] + fraction * (self.y_range[1] - self.y_range[0])


def density(x: Sequence[float], y: Sequence[float], bins: int = 20) -> Density:
    """The points of Figures 2-3 on a grid of `bins` × `bins` squares.

    Raises:
        ValueError: the two sides differ in length, or a number is not in -1..1.

    >>> density([0.0, 0.9, 1.0], [0.0, 1.0, 1.0], bins=2).counts
    ((1, 0), (0, 2))
    """
    if len(x) != len(y):
        raise ValueError(f"{len(x)} numbers cannot be paired with {len(y)}")
    (columns, x_range), (rows, y_range) = _binned(x, bins), _binned(y, bins)
    counts = np.zeros((bins, bins), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    return Density(x_range, y_range, tuple(tuple(row) for row in counts.tolist()))


def _binned(values: Sequence[float], bins: int) -> tuple[npt.NDArray[np.intp], tuple[float, float]]:
    numbers = np.asarray(values, dtype=np.float64)
    if not (np.abs(numbers) <= 1 + 1e-9).all():
        raise ValueError("a similarity must be in -1..1")
    low = -1.0 if (numbers < -1e-9).any() else 0.0
    # Rounded, or 0.3 of 10 squares would fall into the one below.
    scaled = np.round((numbers - low) / (1 - low) * bins, 9)
    return np.clip(scaled.astype(np.intp), 0, bins - 1), (low, 1.0)
