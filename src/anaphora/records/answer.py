"""Answers, and the trace of how they came about."""

from __future__ import annotations

from dataclasses import dataclass, field

from anaphora.records.citation import Citation
from anaphora.records.conversation import Rewrite, Understanding
from anaphora.records.passage import Hit
from anaphora.records.writing import Writing


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the last turn of a conversation.

    Attributes:
        text: marks the citation in which each statement is grounded as [1], [2], … in their order.
        lang: the language of the text.
        confidence: the probability that it answers, in 0..1.
        abstained: the documents hold no answer, and the text says so.
        second_reading: another, self-contained reading of the question, if that is nearly as
            probable and other passages answer it; empty otherwise.
        unmentioned: words of the question that occur in none of the documents, where it abstained.
        other_sections: of a quoted answer that is not sure, the best passage of each of a few
            sections that were found and are not cited, the best first.
        writing: how a reader that writes came to it; None from one that quotes.
        trace: how it came about; None from a reader alone.
    """

    text: str
    lang: str
    confidence: float
    citations: tuple[Citation, ...] = ()
    abstained: bool = False
    second_reading: str = ""
    unmentioned: tuple[str, ...] = ()
    other_sections: tuple[Citation, ...] = ()
    writing: Writing | None = None
    trace: Trace | None = field(default=None, compare=False, repr=False)

    @property
    def span(self) -> str:
        """The shortest answer, from the first citation; empty where none was found."""
        return self.citations[0].answer if self.citations else ""


@dataclass(frozen=True, slots=True)
class Cut:
    """A time limit of `limit` seconds ended reranking when `scored` of `hits` hits had a score.

    >>> str(Cut(8, 20, 0.2))
    'the reranker scored 8 of 20 hits within its limit of 200 ms'
    """

    scored: int
    hits: int
    limit: float

    def __str__(self) -> str:
        return (
            f"the reranker scored {self.scored} of {self.hits} hits within its limit of "
            f"{1000 * self.limit:.0f} ms"
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """The output of one stage, and the wall-clock seconds that it took.

    `cut` says where a time limit ended the stage early; None where the output is that of every run.
    """

    name: str
    output: Understanding | Rewrite | tuple[Hit, ...] | Answer | Writing
    seconds: float
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The stages of one turn in the order in which they ran.

    They are "understand", "rewrite", "retrieve", "rerank", "read" and "check". A turn that is not a
    question has only the first; a pipeline without a reranker has no "rerank", and one whose reader
    does not write has no "check".
    """

    stages: tuple[Stage, ...]

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by stage."""
        return {stage.name: stage.seconds for stage in self.stages}

    @property
    def understanding(self) -> Understanding:
        """The language and intent of the turn."""
        found = self.output("understand")
        assert isinstance(found, Understanding)
        return found

    @property
    def rewrite(self) -> Rewrite | None:
        """The question that was searched; None where nothing was."""
        found = self.output("rewrite")
        return found if isinstance(found, Rewrite) else None

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The hits that the reader received: reranked if that stage ran, else as retrieved."""
        found = self.output("rerank") or self.output("retrieve")
        return found if isinstance(found, tuple) else ()

    @property
    def adapted(self) -> bool:
        """Whether the index's adapter shifted the vectors that found the hits."""
        return any(hit.adapted for hit in self.hits)

    @property
    def cut(self) -> Cut | None:
        """Where a time limit ended a stage early, so that a faster machine may answer otherwise."""
        return next((stage.cut for stage in self.stages if stage.cut), None)

    def output(
        self, name: str
    ) -> Understanding | Rewrite | tuple[Hit, ...] | Answer | Writing | None:
        """The output of the named stage, or None if it did not run."""
        return next((stage.output for stage in self.stages if stage.name == name), None)
