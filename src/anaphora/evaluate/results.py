"""What a run found out about each turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from anaphora.datasets.example import Example
from anaphora.records import Answer, Passage, Rewrite

Form = Literal["original", "rewritten", "human"]
"""The three phrasings of a question: as it was asked, as the pipeline rewrote it, as people did."""

FORMS: tuple[Form, ...] = ("original", "rewritten", "human")

Ranking = tuple[tuple[str, float], ...]
"""Passage ids with their scores, best first."""

Culprit = Literal["rewriting", "retrieval", "reranking", "reading", "language", "data"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What one phrasing of a question came to.

    `hits` are the first stage's; `reranked` is None where no reranker ran, `answer` where no
    reader did. `scores` are in 0..1 by metric, `seconds` by stage.
    """

    rewrite: Rewrite
    hits: Ranking = ()
    reranked: Ranking | None = None
    answer: Answer | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def ranking(self) -> Ranking:
        """What the reader was given first to last."""
        return self.hits if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn: "rewritten" was always tried; "human" only where the data hold a rewrite.

    `culprit` is None for a turn that succeeded, or that cannot be judged. `likeness` says how alike
    the system's and the person's phrasings are: their words ("question", ROUGE-1 recall), their
    meanings ("meaning", cosine), their hits ("hits", recall) and answers ("answer", Jaccard).
    """

    example: Example
    tried: Mapping[Form, Tried]
    culprit: Culprit | None = None
    likeness: Mapping[str, float] = field(default_factory=dict)

    @property
    def unchanged(self) -> bool | None:
        """Whether people left the question as it was; None where they were not asked."""
        if not self.example.rewrites:
            return None
        return " ".join(self.example.rewrites[0].split()) == " ".join(self.example.question.split())


@dataclass(frozen=True)
class Run:
    """A pipeline tried on a data set.

    Attributes:
        name: the pipeline's.
        dataset: the data set's.
        about: the configuration as resolved ("config"), "versions", "started", "counts", …
        metrics: their names, the headline first.
        success: the metric and threshold that part right from wrong, such as ("F1", ">=0.5").
        outcomes: one a turn, in the data set's order.
        passages: by id, those among the best hits and in the citations.
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
