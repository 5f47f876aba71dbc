"""The interfaces between stages, indexes and encoders.

A stage has one batch method; the history of a conversation is part of its input, never state.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from anaphora.records import (
    Answer,
    Checked,
    Cited,
    Claim,
    Conversation,
    Cut,
    Hit,
    Query,
    Rewrite,
    Support,
    Text,
    Understanding,
)

if TYPE_CHECKING:
    from anaphora.index import Index

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of a task, such as "encoding", how much of it is done, and of how much."""


def no_progress(task: str, done: int, total: int) -> None:
    """A `Progress` that shows nothing."""


class Understander(Protocol):
    """Identifies the language and the intent of each conversation's last turn."""

    def understand(self, conversations: Sequence[Conversation]) -> list[Understanding]: ...


class Rewriter(Protocol):
    """Makes the last question of each conversation self-contained.

    The user's turns carry their language: see `Understander`.
    """

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]: ...


class Retriever(Protocol):
    """Finds the k best passages for each query."""

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]: ...


class Reranker(Protocol):
    """Sorts hits anew and keeps the k best."""

    def rerank(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
    ) -> list[list[Hit]]: ...


@runtime_checkable
class LimitedReranker(Protocol):
    """A reranker with a time limit, which says where the limit cut."""

    def rerank_in_time(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
    ) -> list[tuple[list[Hit], Cut | None]]:
        """What `rerank` returns, for each query with where the time limit ended the scoring."""
        ...


class Reader(Protocol):
    """Answers each query from its hits, or abstains."""

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]: ...


@runtime_checkable
class StreamingReader(Protocol):
    """A reader that also answers in parts."""

    def stream(
        self, query: Query, hits: list[Hit]
    ) -> Generator[Checked | Text | Cited, None, Answer]:
        """Yields the answer's text and citations as they are ready; returns the answer."""
        ...


class Checker(Protocol):
    """Says of each claim whether its evidence supports it."""

    def check(self, claims: Sequence[Claim]) -> list[Support]: ...


class Translator(Protocol):
    """Translates questions and answers. Languages are ISO 639-1 codes."""

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """The translations; an empty text for one that is not faithful as far as can be told.

        Raises:
            ModelUnavailable: the model cannot be used, or does not know a language.
        """
        ...


class Encoder(Protocol):
    """Encodes texts as vectors. An index records the `name`: vectors of two encoders do not mix."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors of n questions: float32 [n, d]."""
        ...

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        """Unit vectors of n passages: float32 [n, d]; `progress` receives how many are done."""
        ...


class TermWeights(NamedTuple):
    """The terms of a text, by their numbers in an encoder's vocabulary, and their positive weights.

    Both have n elements, in the order of the numbers; no term is there twice.
    """

    terms: IntArray
    weights: FloatArray


class SparseEncoder(Protocol):
    """Encodes texts as weights of terms. An index records the `name`."""

    @property
    def name(self) -> str: ...

    @property
    def idf(self) -> Mapping[int, float] | None:
        """The weights that the model brings for the tokens of questions, by number, if it does."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> list[TermWeights]: ...

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[TermWeights]:
        """`progress` receives how many are done."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The distinct tokens of each text, as numbers in ascending order."""
        ...


class Resources(Protocol):
    """What a part may need besides its settings."""

    @property
    def index(self) -> Index | None:
        """The index that is searched; None for a stage that runs without one."""
        ...

    @property
    def encoder(self) -> Encoder | None:
        """The encoder of the index's vectors, loaded on first use; None where there are none."""
        ...

    @property
    def sparse_encoder(self) -> SparseEncoder | None:
        """The encoder of the index's sparse weights; None where there are none."""
        ...

    @property
    def checker(self) -> Checker | None:
        """The configured checker of written statements; None where they are not checked."""
        ...

    @property
    def translator(self) -> Translator | None:
        """The configured translator; None where nothing is translated."""
        ...
