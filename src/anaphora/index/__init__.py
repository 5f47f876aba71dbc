"""Where passages are kept and found. An engine stores them; a model says what a term scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from anaphora.protocols import FloatArray, IntArray
from anaphora.records import Passage, Query


@dataclass(frozen=True, slots=True)
class CollectionStatistics:
    """Of the whole index: passages that hold any term, and the number of their tokens."""

    passages: int
    tokens: int

    @property
    def average_length(self) -> float:
        return self.tokens / self.passages if self.passages else 0.0


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Of one query word over the whole index: passages that hold it, and its occurrences."""

    df: int
    ttf: int


class Similarity(Protocol):
    """A scoring formula that grows with the term frequency and falls with the length."""

    def scores(
        self,
        collection: CollectionStatistics,
        df: IntArray,
        ttf: IntArray,
        tf: IntArray,
        length: IntArray,
    ) -> FloatArray:
        """What each of w words adds to a passage: [w, n], never negative.

        Args:
            df: in how many passages each word occurs, [w, 1].
            ttf: how often it occurs in all of them, [w, 1].
            tf: how often it occurs in the passage, [n], ascending.
            length: the passage's length in tokens, [n].
        """
        ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """Row numbers of passages (int64 [n]) and their scores (float32 [n]), best first."""

    rows: IntArray
    scores: FloatArray


class Index(Protocol):
    """What retrieval needs of an index."""

    def lexical(self, queries: Sequence[Query], k: int, model: Similarity) -> list[Ranking]:
        """The k best passages for the text of each query (its variants are not looked at)."""
        ...

    def dense(self, vectors: FloatArray, k: int) -> list[Ranking]:
        """The k passages nearest to each row of `vectors`, float32 [n, dimensions]."""
        ...

    def passages(self, rows: IntArray) -> list[Passage | None]:
        """The passages of these rows, in order; None for one deleted in the meantime."""
        ...

    def statistics(self, words: Sequence[str]) -> list[TermStatistics]:
        """Of each surface word, over its forms in all the index's languages."""
        ...

    @property
    def collection(self) -> CollectionStatistics: ...


def has_index(location: Path) -> bool:
    """Whether there is an index at a location."""
    from anaphora.index.local.store import DATABASE

    return (location / DATABASE).is_file()


def open_index(location: Path) -> Any:
    """Opens an index for searching."""
    from anaphora.index.local.index import LocalIndex

    return LocalIndex(location)
