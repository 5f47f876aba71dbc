"""Answers, the citations they stand on, and the trace of how they came about."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.records.conversation import Rewrite
from anaphora.records.passage import Hit


@dataclass(frozen=True, slots=True)
class Citation:
    """A character range of a passage: `passage.text[start:end] == quote`.

    `span` is the range, inside it, of the shortest answer, where the reader knows one.
    """

    passage_id: str
    doc_id: str
    title: str
    quote: str
    start: int
    end: int
    span: tuple[int, int] | None = None

    @property
    def answer(self) -> str:
        """The shortest answer in the quote; empty where none is known."""
        if self.span is None:
            return ""
        return self.quote[self.span[0] - self.start : self.span[1] - self.start]


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

    @property
    def span(self) -> str:
        """The shortest answer, in the words of the first citation; empty where none is known."""
        return self.citations[0].answer if self.citations else ""


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
