"""Answers, the citations they stand on, and the trace of how they came about."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.conversation import Rewrite
from anaphora.passage import Hit


@dataclass(frozen=True, slots=True)
class Citation:
    """A character range of a passage: `passage.text[start:end] == quote`."""

    passage_id: str
    doc_id: str
    title: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`abstained` says that the documents hold no answer; `confidence` is in 0..1.

    `text` marks the citation that each statement stands on as [1], [2], … in their order.
    """

    text: str
    lang: str
    confidence: float
    citations: tuple[Citation, ...] = ()
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage's output and the wall-clock seconds it took."""

    name: str
    output: Rewrite | tuple[Hit, ...] | Answer
    seconds: float


@dataclass(frozen=True, slots=True)
class Trace:
    """Every stage of one turn, in the order they ran."""

    stages: tuple[Stage, ...]

    @property
    def timings(self) -> dict[str, float]:
        return {stage.name: stage.seconds for stage in self.stages}

    @property
    def hits(self) -> tuple[Hit, ...]:
        """What the reader was given: reranked if that stage ran, else as retrieved."""
        found = self.output("rerank") or self.output("retrieve")
        return found if isinstance(found, tuple) else ()

    def output(self, name: str) -> Rewrite | tuple[Hit, ...] | Answer | None:
        """What the named stage gave, or None if it did not run."""
        return next((stage.output for stage in self.stages if stage.name == name), None)
