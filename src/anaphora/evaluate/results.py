"""The results of a run, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from anaphora.datasets.example import Example
from anaphora.records import Answer, Passage, Rewrite

Phrasing = Literal["original", "rewritten", "human"]
"""A question as it was asked, as the pipeline rewrote it, and as a person rewrote it."""

PHRASINGS: tuple[Phrasing, ...] = ("original", "rewritten", "human")

Ranking = tuple[tuple[str, float], ...]
"""Passage ids with their scores, best first."""

Cause = Literal[
    "rewriting", "retrieval", "reranking", "reading", "generation", "checking", "language", "data"
]
"""Why a turn failed: a stage, a wrong language, or the data. "reading" is that of a reader that
quotes; of one that writes it is "generation", or "checking" where its check was wrong."""

NEAR: Final = 5
"""A search failed if none of so many first hits is relevant."""


@dataclass(frozen=True, slots=True)
class PhrasingResult:
    """The pipeline's output for one phrasing of a question.

    Attributes:
        hits: those of the first stage.
        reranked: None where no reranker ran.
        answer: None where no reader ran.
        scores: by metric, in 0..1.
        seconds: by stage.
    """

    rewrite: Rewrite
    hits: Ranking = ()
    reranked: Ranking | None = None
    answer: Answer | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def ranking(self) -> Ranking:
        """The order in which the reader received the passages."""
        return self.hits if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn under every phrasing.

    Attributes:
        results: "original" and "rewritten" always; "human" only where the data have a rewrite.
        cause: None for a turn that succeeded, or whose failure cannot be attributed.
        similarity: of the system's and the person's phrasing: their words ("question", ROUGE-1
            recall), their meanings ("meaning", cosine), their hits ("hits", recall) and their
            answers ("answer", Jaccard).
        search_failed: whether none of the first `NEAR` hits that the reader received for the
            system's rewrite is relevant; None where nothing was searched or nothing was judged
            relevant.
    """

    example: Example
    results: Mapping[Phrasing, PhrasingResult]
    cause: Cause | None = None
    similarity: Mapping[str, float] = field(default_factory=dict)
    search_failed: bool | None = None

    @property
    def unchanged(self) -> bool | None:
        """Whether the human rewrite equals the question; None where there is no rewrite."""
        if not self.example.rewrites:
            return None
        return " ".join(self.example.rewrites[0].split()) == " ".join(self.example.question.split())


def holds_relevant(ranking: Ranking, example: Example) -> bool:
    """Whether a passage in the ranking is relevant."""
    return any(example.relevant.get(id, 0) > 0 for id, _ in ranking)


def search_failures(known: Iterable[bool | None]) -> int | None:
    """How many of the turns' `search_failed` are true; None where none is known.

    >>> search_failures([True, None, False]), search_failures([None])
    (1, None)
    """
    found = [one for one in known if one is not None]
    return sum(found) if found else None


@dataclass(frozen=True)
class Run:
    """A system measured on a data set.

    Attributes:
        name: the system's.
        dataset: the data set's.
        about: the configuration as resolved ("config"), "versions", "started", "turns", …
        metrics: their names, the most important one first.
        success: the metric and the threshold that a turn must reach, such as ("F1", ">=0.5").
        outcomes: one a turn, in the data set's order.
        passages: by id, those among the best hits, in the citations, and the relevant ones.
        warnings: what a reader of the figures must know, a sentence each.
    """

    name: str
    dataset: str
    about: Mapping[str, Any]
    metrics: tuple[str, ...]
    success: tuple[str, str]
    outcomes: tuple[Outcome, ...]
    passages: Mapping[str, Passage] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
