"""The extractive reader: the sentences that best answer, each one a citation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anaphora.answer import Answer, Citation
from anaphora.index import Engine
from anaphora.index.keyness import keyness
from anaphora.language import analyzer, counts_characters, not_in_documents, sentences, tokenize
from anaphora.passage import UNKNOWN, Hit, Query

if TYPE_CHECKING:
    from anaphora.retrieve.encoders import Encoder

_CANDIDATES = 24
"""Sentences that are compared with the question by their meaning; chosen by their words."""
_SENTENCES = 200
"""Sentences looked at in one passage."""
_LONGEST = 600
"""Characters of a quote."""
_OWN_LANGUAGE = 0.1
_MARGIN = 0.25


@dataclass(frozen=True, slots=True)
class _Candidate:
    hit: Hit
    start: int
    end: int
    coverage: float
    """Share of the question's words, by their weight, that the sentence and its heading hold."""

    @property
    def text(self) -> str:
        return self.hit.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class ExtractiveReader:
    """Quotes up to `sentences` sentences of the best `passages` hits, in reading order.

    A sentence counts by the question's words it holds and, with an encoder, by how near its meaning
    is; among equals one in the question's language is preferred. Where the best one does not
    support an answer, the reader says that the documents hold none.
    """

    engine: Engine
    encoder: Encoder | None
    passages: int = 5
    sentences: int = 3

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        return [self._one(query, found) for query, found in zip(queries, hits, strict=True)]

    def _one(self, query: Query, hits: list[Hit]) -> Answer:
        candidates = self._candidates(query, hits[: self.passages])
        if not candidates:
            return Answer(not_in_documents(query.lang), query.lang, 0.0, abstained=True)
        nearness = self._nearness(query, candidates)
        support = [
            _support(candidate.coverage, near)
            for candidate, near in zip(candidates, nearness, strict=True)
        ]
        confidence = _confidence(max(support))
        if confidence < 0.5:
            return Answer(not_in_documents(query.lang), query.lang, confidence, abstained=True)
        ranked = sorted(
            range(len(candidates)),
            key=lambda i: support[i] + _OWN_LANGUAGE * _same(candidates[i], query.lang),
            reverse=True,
        )
        best = support[ranked[0]]
        lang = candidates[ranked[0]].hit.passage.lang
        chosen = [
            candidates[i]
            for i in ranked[: self.sentences]
            if support[i] >= best - _MARGIN and candidates[i].hit.passage.lang == lang
        ]
        return _compose(chosen, lang, confidence)

    def _candidates(self, query: Query, hits: Sequence[Hit]) -> list[_Candidate]:
        own = analyzer(query.lang).term
        words = list(dict.fromkeys(word for word in tokenize(query.text) if own(word)))
        weights = keyness(self.engine, words)
        total = sum(weights) or 1.0
        found: dict[str, _Candidate] = {}
        for hit in hits:
            passage = hit.passage
            analyse = analyzer(passage.lang)
            forms = [set(analyse.term(word)) for word in words]
            heading = set(analyse.terms(passage.heading))
            for start, end in sentences(passage.text, passage.lang)[:_SENTENCES]:
                end = min(end, start + _LONGEST)
                text = passage.text[start:end]
                terms = heading.union(analyse.terms(text))
                held = sum(w for w, form in zip(weights, forms, strict=True) if form & terms)
                found.setdefault(text, _Candidate(hit, start, end, held / total))
        ranked = sorted(found.values(), key=lambda one: one.coverage, reverse=True)
        return ranked[:_CANDIDATES]

    def _nearness(self, query: Query, candidates: Sequence[_Candidate]) -> Sequence[float]:
        if self.encoder is None:
            return [math.nan] * len(candidates)
        asked = self.encoder.encode_queries([query.text])[0]
        said = self.encoder.encode_passages([candidate.text for candidate in candidates])
        return [float(near) for near in np.asarray(said) @ asked]


def _same(candidate: _Candidate, lang: str) -> bool:
    return lang != UNKNOWN and candidate.hit.passage.lang == lang


def _support(coverage: float, nearness: float) -> float:
    """Log-odds that the sentence answers."""
    if math.isnan(nearness):
        return 6.0 * (coverage - 0.5)
    return 4.0 * (coverage - 0.5) + 20.0 * (nearness - 0.84)


def _confidence(support: float) -> float:
    return 1 / (1 + math.exp(-support))


def _compose(chosen: Sequence[_Candidate], lang: str, confidence: float) -> Answer:
    ordered = sorted(chosen, key=lambda one: (one.hit.rank, one.start))
    citations: list[Citation] = []
    for one in ordered:
        passage = one.hit.passage
        last = citations[-1] if citations else None
        if (
            last
            and last.passage_id == passage.passage_id
            and not passage.text[last.end : one.start].strip()
        ):
            citations.pop()
            start = last.start
        else:
            start = one.start
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
