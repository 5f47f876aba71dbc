"""The extractive reader: the sentences that best answer, each one a citation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anaphora.answer import Answer, Citation
from anaphora.index import Engine
from anaphora.language import counts_characters, not_in_documents
from anaphora.passage import UNKNOWN, Hit, Query
from anaphora.read.evidence import Evidence, gather

if TYPE_CHECKING:
    from anaphora.retrieve.encoders import Encoder

_OWN_LANGUAGE = 0.3
"""What a sentence in the question's language is preferred by, in log-odds."""
_MARGIN = 1.0
"""How far behind the best one a sentence may be and still be quoted, in log-odds."""


@dataclass(frozen=True, slots=True)
class ExtractiveReader:
    """Quotes up to `sentences` sentences of the best `passages` hits, in reading order.

    A sentence counts by the question's words it holds and, with an encoder, by how near its
    meaning is; among equals one in the question's language is preferred. Where the best one does
    not support an answer, the reader says that the documents hold none.
    """

    engine: Engine
    encoder: Encoder | None
    passages: int = 5
    sentences: int = 3

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        return [
            self._answer(query, found[: self.passages])
            for query, found in zip(queries, hits, strict=True)
        ]

    def _answer(self, query: Query, hits: Sequence[Hit]) -> Answer:
        found = [
            (support(one) + _OWN_LANGUAGE * _same_language(one, query), one)
            for one in gather(query, hits, self.engine, self.encoder)
        ]
        confidence = max((confident(support(one)) for _, one in found), default=0.0)
        if confidence < 0.5:
            return Answer(not_in_documents(query.lang), query.lang, confidence, abstained=True)
        found.sort(key=lambda pair: pair[0], reverse=True)
        best, first = found[0]
        lang = first.hit.passage.lang
        chosen = [
            one
            for score, one in found[: self.sentences]
            if score >= best - _MARGIN and one.hit.passage.lang == lang
        ]
        return _compose(chosen, lang, confidence)


def support(one: Evidence) -> float:
    """Log-odds that the sentence holds the answer (fitted by bench/reader.py)."""
    # The fitting sets have no headings, so that they cannot tell the two coverages apart.
    by_words = 0.8 * one.coverage + 0.2 * one.own_coverage
    if not one.nearness:
        return 7.2 * by_words - 4.8
    return 5.3 * by_words + 17.0 * one.nearness + 7.2 * one.passage_nearness - 25.1


def confident(support: float) -> float:
    """The probability that the documents hold an answer, by the support of the best sentence."""
    return 1 / (1 + math.exp(-(1.25 * support + 1.9)))


def _same_language(one: Evidence, query: Query) -> bool:
    return query.lang != UNKNOWN and one.hit.passage.lang == query.lang


def _compose(chosen: Sequence[Evidence], lang: str, confidence: float) -> Answer:
    """Sentences that follow one another in a passage become one quote."""
    citations: list[Citation] = []
    for one in sorted(chosen, key=lambda one: (one.hit.rank, one.start)):
        passage = one.hit.passage
        start = one.start
        if citations and citations[-1].passage_id == passage.passage_id:
            between = passage.text[citations[-1].end : one.start]
            if not between.strip():
                start = citations.pop().start
        citations.append(
            Citation(
                passage.passage_id,
                passage.doc_id,
                passage.heading,
                passage.text[start : one.end],
                start,
                one.end,
            )
        )
    space = "" if counts_characters(lang) else " "
    text = space.join(
        f"{' '.join(citation.quote.split())}{space}[{number}]"
        for number, citation in enumerate(citations, 1)
    )
    return Answer(text, lang, confidence, tuple(citations))
