"""Counts of agreement, the best of several references, and means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many things were predicted, how many are in the reference, and how many in both.

    Counts of several turns add up to those of a corpus. A fraction of nothing is None.

    >>> Overlap(1, 2, 4) + Overlap(1, 2, 0)
    Overlap(matched=2, predicted=4, reference=4)
    """

    matched: int
    predicted: int
    reference: int

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.matched + other.matched,
            self.predicted + other.predicted,
            self.reference + other.reference,
        )

    @property
    def precision(self) -> float | None:
        return self.matched / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        return self.matched / self.reference if self.reference else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; 0 where one of them is 0 or of nothing."""
        total = self.predicted + self.reference
        return 2 * self.matched / total if total else None


NOTHING = Overlap(0, 0, 0)


def overlap(predicted: Iterable[Hashable], reference: Iterable[Hashable]) -> Overlap:
    """Counts over two multisets: what stands twice is matched twice only if both have it twice."""
    mine, gold = Counter(predicted), Counter(reference)
    return Overlap((mine & gold).total(), mine.total(), gold.total())


def several(references: Sequence[str]) -> Sequence[str]:
    """The references as they are.

    Raises:
        TypeError: they are one string, whose characters would count as references.
    """
    if isinstance(references, str):
        raise TypeError("references must be a sequence of strings, not a string")
    return references


def best(
    score: Callable[[Sequence[str]], float | None], references: Iterable[Sequence[str]]
) -> float | None:
    """The highest score against one of the references; None where there is none."""
    return max((score(reference) or 0.0 for reference in references), default=None)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that could be measured: None leaves both the sum and the count.

    >>> mean([1.0, None, 0.0]), mean([None])
    (0.5, None)
    """
    measured = [value for value in values if value is not None]
    return fsum(measured) / len(measured) if measured else None
