"""Drafts: what a generator writes from passages, before anybody checked it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from anaphora.language import identify, not_in_documents
from anaphora.records import UNKNOWN, Answer, Citation, Hit, Query


@dataclass(frozen=True, slots=True)
class Draft:
    """A generated text and what it was generated from.

    Attributes:
        confidence: the geometric mean of the probabilities of its tokens.
        hits: those that the generator read; none where no hit fitted into its window, and then
            there is no text.
        note: what did not fit, in words; empty where everything did.
    """

    text: str
    confidence: float
    hits: tuple[Hit, ...]
    note: str = ""


class Drafter(Protocol):
    """Writes a draft for each query from its hits, the best first."""

    def draft(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[Draft]: ...


@dataclass(frozen=True)
class UncheckedReader:
    """Answers with drafts as they are: nothing says that the passages support them.

    The citations are the passages that were read, the best first; the text does not mark them.

    Args:
        passages: how many of the best hits are read.
    """

    drafter: Drafter
    passages: int = 5

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        drafts = self.drafter.draft(queries, [found[: self.passages] for found in hits])
        return [_answer(query, draft) for query, draft in zip(queries, drafts, strict=True)]


def _answer(query: Query, draft: Draft) -> Answer:
    if not draft.text:
        return Answer(not_in_documents(query.lang), query.lang, 0.0, abstained=True)
    lang = identify(draft.text)
    citations = tuple(_whole(hit) for hit in draft.hits)
    return Answer(draft.text, query.lang if lang == UNKNOWN else lang, draft.confidence, citations)


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
