"""The reader that stands on the judge: the shortest answer, in the sentence that says it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.crossencoder.model import CrossEncoder
from anaphora.language import analyzer, counts_characters, not_in_documents, tokenize
from anaphora.protocols import Encoder
from anaphora.read.nearest import best_passages
from anaphora.read.units import is_sentence, quoted, whole
from anaphora.records import Answer, Citation, Evidence, Hit, Query, Span, is_cross_lingual

_MARGIN = 1.0
"""How far behind the best statement another may be and still be its equal, in log-odds: then it is
said too."""
_SAME_LANGUAGE = 2.0
"""The same, for one in the question's language to be put before one in another."""
PARTS = 4.0
"""How far behind the best span of its passage another may be and still be a part of the answer, in
log-odds. What answers an open question is more than one sentence, and the judge's second thoughts
about a passage are nearly as often right there as its first; a question that asks for a name leaves
them further behind (docs/models/judge.md)."""

_NEAR, _STEEP = 0.79, 30.0
"""A passage in another language whose cosine with the question is under the first speaks the less
for its spans: by so many log-odds a unit. The judge, asked across languages, may take a number for
any number (docs/models/judge.md)."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A span of a hit's passage and the characters `start` to `end` of the sentences around it.

    `support` is the log-odds that the span answers.
    """

    hit: Hit
    span: Span
    start: int
    end: int
    support: float

    @property
    def quote(self) -> str:
        return self.hit.passage.text[self.start : self.end]

    @property
    def said(self) -> tuple[str, ...]:
        """The span's words: statements that say the same agree. Stop words say nothing beside
        others, and what has no words stands for itself."""
        passage = self.hit.passage
        text = passage.text[self.span.start : self.span.end]
        return tuple(analyzer(passage.lang).terms(text) or tokenize(text) or [text])


@dataclass(frozen=True)
class ExtractiveReader:
    """Answers from the best `passages` hits with up to `sentences` statements, each cited.

    A statement is the sentence around a span that the judge takes for the answer. Passages whose
    spans say the same share a statement, which then carries a citation of each and counts by all of
    them. Where no span is likelier right than not, or the question has no word, the reader says
    that the documents hold no answer.

    Args:
        encoder: the default one, whose cosine, which a hit has under "dense" or gets here, also
            tells whether a passage in another language than the question's is near.
    """

    judge: CrossEncoder
    passages: int = 5
    sentences: int = 3
    encoder: Encoder | None = None

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        considered = [
            best_passages(query, found, self.passages)
            for query, found in zip(queries, hits, strict=True)
        ]
        considered = [
            self._compared(query, found) if any(map(str.isalnum, query.text)) else []
            for query, found in zip(queries, considered, strict=True)
        ]
        pairs = [
            (query.text, hit.passage)
            for query, found in zip(queries, considered, strict=True)
            for hit in found
        ]
        judged = iter(self.judge.score(pairs))
        return [
            self._answer(query, [(hit, next(judged)) for hit in found])
            for query, found in zip(queries, considered, strict=True)
        ]

    def _compared(self, query: Query, hits: list[Hit]) -> list[Hit]:
        """The hits, where those in another language than the question have their cosine."""
        missing = [
            at
            for at, hit in enumerate(hits)
            if is_cross_lingual(query.lang, hit.passage.lang) and "dense" not in hit.sources
        ]
        if self.encoder is None or not missing:
            return hits
        (asked,) = self.encoder.encode_queries([query.text])
        told = self.encoder.encode_passages([hits[at].passage.searched_text for at in missing])
        found = list(hits)
        for at, cosine in zip(missing, (told @ asked).tolist(), strict=True):
            found[at] = replace(hits[at], sources={**hits[at].sources, "dense": cosine})
        return found

    def _answer(self, query: Query, judged: Sequence[tuple[Hit, Evidence]]) -> Answer:
        statements = sorted(
            (
                self._statement(hit, one.relevance, span, query.lang)
                for hit, one in judged
                for span in parts(one.spans)
            ),
            key=lambda one: -one.support - _preference(one, query.lang),
        )
        groups = _agreeing(statements, query.lang)
        if not groups:
            sure = max((probability(one.support) for one in statements), default=0.0)
            return Answer(not_in_documents(query.lang), query.lang, sure, abstained=True)
        sure = max(probability(one.support) for one in groups[0])
        return _composed(_chosen(groups, self.sentences), sure)

    def _statement(self, hit: Hit, relevance: float, span: Span, lang: str) -> _Statement:
        text = hit.passage.text
        span = Span(*whole(text, span.start, span.end), span.score)
        start, end = quoted(hit.passage, span.start, span.end)
        foreign = is_cross_lingual(lang, hit.passage.lang)
        support = self.judge.support(relevance, span.score, foreign)
        if foreign and self.encoder:
            support -= _STEEP * max(0.0, _NEAR - hit.sources["dense"])
        return _Statement(hit, span, start, end, support)


def _preference(one: _Statement, lang: str) -> float:
    """What puts a statement that is likelier right than not before its equals: its language."""
    return _SAME_LANGUAGE * (one.support > 0 and one.hit.passage.lang == lang)


def parts(spans: Sequence[Span], behind: float = PARTS) -> list[Span]:
    """Of a passage's spans, the best first, those that are said if it answers.

    >>> [span.start for span in parts([Span(0, 4, 9.0), Span(30, 34, 6.0), Span(60, 64, 2.0)])]
    [0, 30]
    """
    return [span for span in spans if span.score >= spans[0].score - behind]


def probability(support: float) -> float:
    return 1 / (1 + math.exp(-support))


def _agreeing(statements: Sequence[_Statement], lang: str) -> list[list[_Statement]]:
    """The statements that are likelier right than not, in groups of those that say the same, each
    in another passage; the likeliest group first.

    The odds of a group are those that one of its statements answers, were they independent. Three
    passages that say the same so outdo a single one that the judge likes a little better.
    """
    groups: dict[tuple[str, ...], list[_Statement]] = {}
    for one in statements:
        group = groups.setdefault(one.said, [])
        passages = {other.hit.passage.passage_id for other in group}
        if one.support >= 0 and one.hit.passage.passage_id not in passages:
            group.append(one)

    def likely(group: Sequence[_Statement]) -> float:
        wrong = math.prod(1 - probability(one.support) for one in group)
        return math.log((1 - wrong) / max(wrong, 1e-300)) + _preference(group[0], lang)

    return sorted(filter(None, groups.values()), key=likely, reverse=True)


def _chosen(groups: Sequence[Sequence[_Statement]], count: int) -> list[list[_Statement]]:
    """Up to `count` groups, without the statements whose sentence is quoted already.

    One that says something else must be nearly as likely as the first, in its language, and a
    sentence where the first is one: beside it a line of code says nothing.
    """
    first = groups[0][0]
    stated = is_sentence(first.quote)
    chosen: list[list[_Statement]] = []
    for group in groups:
        if group[0].support < first.support - _MARGIN or (
            group[0].hit.passage.lang != first.hit.passage.lang
        ):
            continue
        if stated and not is_sentence(group[0].quote):
            continue
        quoted_already = [other for before in chosen for other in before]
        new = [one for one in group if not any(_overlap(one, other) for other in quoted_already)]
        if new and len(chosen) < count:
            chosen.append(new)
    return chosen


def _overlap(one: _Statement, other: _Statement) -> bool:
    return (
        one.hit.passage.passage_id == other.hit.passage.passage_id
        and one.start < other.end
        and other.start < one.end
    )


def _composed(groups: Sequence[Sequence[_Statement]], confidence: float) -> Answer:
    lang = groups[0][0].hit.passage.lang
    space = "" if counts_characters(lang) else " "
    said: list[str] = []
    citations: list[Citation] = []
    for group in groups:
        marks = ""
        for one in group:
            citations.append(_citation(one))
            marks += f"[{len(citations)}]"
        said.append(f"{' '.join(citations[-len(group)].quote.split())}{space}{marks}")
    return Answer(space.join(said), lang, confidence, tuple(citations))


def _citation(one: _Statement) -> Citation:
    passage = one.hit.passage
    return Citation(
        passage.passage_id,
        passage.doc_id,
        passage.heading,
        passage.text[one.start : one.end],
        one.start,
        one.end,
        (one.span.start, one.span.end),
    )
