"""Readers around models that write an answer from passages without citing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from anaphora.language import identify, not_in_documents, sentences
from anaphora.protocols import Checker, Reader
from anaphora.read.attribution import attributed
from anaphora.read.draft import Draft
from anaphora.read.fallback import NO_ANSWER, as_fallback, honest_quotation, is_hopeless
from anaphora.read.nearest import best_passages
from anaphora.read.output import Written
from anaphora.read.sources import Section, numbered, section
from anaphora.records import UNKNOWN, Answer, Citation, Hit, Query, Writing


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """A generated text and what it was generated from.

    Attributes:
        confidence: the geometric mean of the probabilities of its tokens.
        hits: those that the model read; none where no hit fitted into its window.
        note: what did not fit, in words; empty where everything did.
    """

    text: str
    confidence: float
    hits: tuple[Hit, ...]
    note: str = ""


class Writer(Protocol):
    """Writes an answer to each query from its hits, the best first."""

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    def write(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[RawAnswer]: ...


@dataclass(frozen=True)
class UncheckedReader:
    """Answers with what was written as it is, for experiments: nothing says that the passages
    support it.

    The citations are the passages that were read, the best first; the text does not mark them.

    Args:
        passages: how many of the best hits are read.
    """

    writer: Writer
    passages: int = 5

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        written = self.writer.write(queries, [found[: self.passages] for found in hits])
        return [self._answer(query, raw) for query, raw in zip(queries, written, strict=True)]

    def _answer(self, query: Query, raw: RawAnswer) -> Answer:
        notes = tuple(filter(None, (raw.note,)))
        writing = Writing(self.writer.name, notes=notes, requests=1)
        if not raw.text:
            text = not_in_documents(query.lang)
            return Answer(text, query.lang, 0.0, abstained=True, writing=writing)
        lang = identify(raw.text)
        return Answer(
            raw.text,
            query.lang if lang == UNKNOWN else lang,
            raw.confidence,
            tuple(_whole(hit) for hit in raw.hits),
            writing=writing,
        )


@dataclass(frozen=True)
class CheckedReader:
    """Shows of what was written only the sentences that the passages support.

    Each sentence is attributed to the sentences of the passages that support it best, then checked
    like one of `anaphora.read.llm`: it must be in the question's language and its citations must
    support it. If nothing is left, the extractive answer is given, and `Answer.writing` says why.
    The model does not read sentences that hold instructions to a model.

    Args:
        extractive: gives the answer where nothing is left.
        passages: how many of the best hits are read.
    """

    writer: Writer
    checker: Checker
    extractive: Reader
    passages: int = 5

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        quoted = [
            honest_quotation(self.extractive, query, found)
            for query, found in zip(queries, hits, strict=True)
        ]
        sections = [
            [] if is_hopeless(answer) else self._sections(query, found)
            for query, found, answer in zip(queries, hits, quoted, strict=True)
        ]
        given = [[_without_planted(one) for one in found] for found in sections]
        written = self.writer.write(queries, given)
        return [
            self._answer(query, answer, raw, found)
            for query, answer, raw, found in zip(queries, quoted, written, sections, strict=True)
        ]

    def _sections(self, query: Query, hits: list[Hit]) -> list[Section]:
        best = best_passages(query, hits, self.passages)
        return [one for one, _ in map(section, best) if one.sources]

    def _answer(
        self, query: Query, quoted: Answer, raw: RawAnswer, sections: Sequence[Section]
    ) -> Answer:
        draft = self._draft(query, raw, sections)
        notes = tuple(filter(None, (raw.note,)))
        requests = int(bool(sections))
        writing = Writing(
            self.writer.name, tuple(draft.statements), "", notes, requests, draft.seconds
        )
        if not draft.text:
            reason = NO_ANSWER if is_hopeless(quoted) else self._reason(raw, draft)
            return as_fallback(self.extractive, query, quoted, replace(writing, fallback=reason))
        lang = query.lang if query.lang != UNKNOWN else identify(draft.text)
        supports = [one.support for one in draft.statements if one.fate != "struck"]
        confidence = min(one.probability for one in supports if one)
        return Answer(draft.text, lang, confidence, tuple(draft.citations), writing=writing)

    def _draft(self, query: Query, raw: RawAnswer, sections: Sequence[Section]) -> Draft:
        """The sentences of a raw answer, each with what it was attributed to, checked."""
        read = {hit.passage.passage_id for hit in raw.hits}
        sources = numbered([one for one in sections if one.sources[0].passage.passage_id in read])
        evidence = [source.evidence for source in sources]
        draft = Draft(query, self.checker, sources)
        for start, end in sentences(raw.text, query.lang):
            text = raw.text[start:end]
            places = attributed(text, evidence, self.checker, query.lang, query.text)
            written = Written(text, tuple(place + 1 for place in places))
            # Each sentence has its own citations: it does not wait for those of the next.
            for _ in (*draft.add(written), *draft.end()):
                pass
        return draft

    def _reason(self, raw: RawAnswer, draft: Draft) -> str:
        if not raw.hits:
            return raw.note or "no passage has a sentence that a model may be shown"
        if not draft.statements:
            return f"the model {self.writer.name} gave an empty answer"
        if all(one.fault == "language" for one in draft.statements):
            return f"the model {self.writer.name} answered in another language"
        return f"the model {self.writer.name} wrote nothing that its sources support"


def _without_planted(one: Section) -> Hit:
    """The hit with the text of its sentences alone."""
    hit = one.sources[0].hit
    text = " ".join(source.line for source in one.sources)
    shown = replace(hit.passage, title=one.heading, section=(), text=text, blocks=())
    return replace(hit, passage=shown)


def _whole(hit: Hit) -> Citation:
    one = hit.passage
    return Citation(
        one.passage_id,
        one.doc_id,
        one.heading,
        one.text,
        0,
        len(one.text),
        blocks=one.blocks,
    )
