"""Whether a difference between two systems is more than chance, from scores paired by turn.

Every p is two-sided. The result depends on the pairs alone, not on their order nor on which system
comes first: what is drawn at random is drawn for the sorted differences, from a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Key = TypeVar("Key", bound=Hashable)

ROUNDS = 10_000
"""Of a test, whose p may be small."""
RESAMPLES = 2_000
"""Of an interval, which needs only the 2.5th of a hundred."""
_CELLS = 1 << 18
"""How many numbers are drawn at a time, which bounds the memory."""


def randomisation(
    a: Sequence[float], b: Sequence[float], rounds: int = ROUNDS, seed: int = 0
) -> float:
    """Fisher's paired randomisation test of equal means: the signs of the differences are flipped.

    Where there are no more than `rounds` ways to flip them (up to 13 pairs that differ, with
    10,000), each is tried once and p is exact; else p = (hits + 1) / (rounds + 1), which is never 0
    (Phipson and Smyth 2010). Recommended for retrieval by Smucker, Allan and Carterette (2007).

    Raises:
        ValueError: the lengths differ, there is no pair, or a score is not finite.

    >>> randomisation([0.9, 0.8, 0.7], [0.5, 0.5, 0.5])
    0.25
    """
    differences = _differences(a, b)
    sizes = np.sort(np.abs(differences[differences != 0]))
    least = abs(math.fsum(differences)) - 1e-12 * float(sizes.sum())
    if 2 ** len(sizes) <= rounds:
        return float(np.mean(np.abs(_signs(len(sizes)) @ sizes) >= least))
    # Eight differences at a time: one random byte picks one of the 256 sums they can have.
    groups = np.pad(sizes, (0, -len(sizes) % 8)).reshape(-1, 8)
    sums = groups @ _signs(8).T
    rows = np.arange(len(groups))
    generator = np.random.default_rng(seed)
    hits = 0
    for size in _chunks(rounds, len(groups)):
        picks = generator.integers(0, 256, size=(size, len(groups)), dtype=np.uint8)
        hits += int(np.count_nonzero(np.abs(sums[rows, picks].sum(axis=1)) >= least))
    return (hits + 1) / (rounds + 1)


def bootstrap(a: Sequence[float], b: Sequence[float], rounds: int = ROUNDS, seed: int = 0) -> float:
    """The paired bootstrap test of equal means, with Student's t of the shifted differences.

    Efron and Tibshirani (1993), algorithm 16.2; for retrieval, Sakai (2006), section 3.2. Of fewer
    than some twenty pairs the resamples say little: take `randomisation` there. One pair gives 1.

    Raises:
        ValueError: the lengths differ, there is no pair, or a score is not finite.
    """
    differences = _differences(a, b)
    count = len(differences)
    mean = math.fsum(differences) / count
    if count == 1 or mean == 0:
        return 1.0
    shifted = np.sort((differences - mean) * math.copysign(1, mean))
    variance = float(np.mean(shifted**2))
    if variance <= (1e-12 * mean) ** 2:
        return 1 / (rounds + 1)
    moments = np.stack([shifted, shifted**2], axis=1) / count
    hits = 0
    for times in _resamples(count, rounds, seed):
        means, squares = (times @ moments).T
        # |t*| >= |t| multiplied out, as a resample of one value alone has no variance.
        hits += int(np.count_nonzero(means**2 * variance >= mean**2 * (squares - means**2)))
    return (hits + 1) / (rounds + 1)


def interval(
    values: Sequence[float], level: float = 0.95, rounds: int = RESAMPLES, seed: int = 0
) -> tuple[float, float]:
    """The bootstrap percentile interval of a mean (Efron and Tibshirani 1993, section 13.3).

    Raises:
        ValueError: there is no value, or one is not finite.
    """
    return intervals({"": values}, level, rounds, seed)[""]


def intervals(
    columns: Mapping[Key, Sequence[float]],
    level: float = 0.95,
    rounds: int = RESAMPLES,
    seed: int = 0,
) -> dict[Key, tuple[float, float]]:
    """The `interval` of each column. Equally long columns share their resamples, which is faster.

    Raises:
        ValueError: a column has no value, or one that is not finite.
    """
    by_length: dict[int, list[Key]] = {}
    for key, values in columns.items():
        by_length.setdefault(len(values), []).append(key)
    found: dict[Key, tuple[float, float]] = {}
    for count, keys in by_length.items():
        ordered = np.sort([_finite(columns[key]) for key in keys], axis=1).T
        sums = np.concatenate([times @ ordered for times in _resamples(count, rounds, seed)])
        bounds = np.quantile(sums / count, ((1 - level) / 2, (1 + level) / 2), axis=0)
        found |= {
            key: (float(low), float(high)) for key, (low, high) in zip(keys, bounds.T, strict=True)
        }
    return found


def effect_size(a: Sequence[float], b: Sequence[float]) -> float:
    """The mean of the differences a - b in units of their standard deviation (Cohen's d for pairs).

    0 where nothing differs; infinite where every pair differs by the same.

    Raises:
        ValueError: the lengths differ, there is no pair, or a score is not finite.
    """
    differences = _differences(a, b)
    mean = math.fsum(differences) / len(differences)
    if mean == 0:
        return 0.0
    deviation = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return mean / deviation if deviation > 1e-12 * abs(mean) else math.copysign(math.inf, mean)


def bonferroni(ps: Sequence[float]) -> list[float]:
    """p values corrected so that the chance of any false finding stays under the level.

    >>> bonferroni([0.25, 0.5])
    [0.5, 1.0]
    """
    return [min(1.0, p * len(ps)) for p in ps]


def holm(ps: Sequence[float]) -> list[float]:
    """As `bonferroni`, and never weaker: the smallest p is multiplied by the number of tests, the
    next by one less, and so on (Holm 1979).

    >>> holm([0.5, 0.125, 0.25])
    [0.5, 0.375, 0.5]
    """
    corrected = [0.0] * len(ps)
    largest = 0.0
    for rank, place in enumerate(_ascending(ps)):
        largest = max(largest, min(1.0, ps[place] * (len(ps) - rank)))
        corrected[place] = largest
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """p values corrected so that the share of false findings among all stays under the level
    (Benjamini and Hochberg 1995).

    >>> benjamini_hochberg([0.5, 0.125, 0.25])
    [0.5, 0.375, 0.375]
    """
    corrected = [0.0] * len(ps)
    smallest = 1.0
    for rank, place in reversed(list(enumerate(_ascending(ps), 1))):
        smallest = min(smallest, ps[place] * len(ps) / rank)
        corrected[place] = smallest
    return corrected


def _ascending(ps: Sequence[float]) -> list[int]:
    return sorted(range(len(ps)), key=ps.__getitem__)


def _finite(values: Sequence[float]) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if not len(array) or not np.isfinite(array).all():
        raise ValueError("scores must be finite numbers, at least one")
    return array


def _differences(a: Sequence[float], b: Sequence[float]) -> Array:
    if len(a) != len(b):
        raise ValueError(f"paired scores must be equally many, not {len(a)} and {len(b)}")
    return _finite(a) - _finite(b)


def _signs(count: int) -> Array:
    """All ways to give `count` numbers a sign: (2 ** count, count) of 1 and -1."""
    bits = np.arange(2**count)[:, None] >> np.arange(count) & 1
    return 1.0 - 2.0 * bits


def _chunks(rounds: int, width: int) -> Iterator[int]:
    """Sizes that add up to `rounds`, so that each times `width` stays small."""
    size = max(1, _CELLS // width)
    while rounds > 0:
        yield min(size, rounds)
        rounds -= size


def _resamples(count: int, rounds: int, seed: int) -> Iterator[Array]:
    """How often each of `count` values is drawn, with replacement: (some rounds, count) each."""
    generator = np.random.default_rng(seed)
    for size in _chunks(rounds, count):
        places = generator.integers(0, count, size=(size, count)) + np.arange(size)[:, None] * count
        times = np.bincount(places.ravel(), minlength=size * count)
        yield times.reshape(size, count).astype(np.float64)
