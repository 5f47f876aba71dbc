"""The extractive reader: the shortest answers, quoted with the sentences around them."""

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
"""A statement at most this far behind the best one, in log-odds, is quoted too."""
_SAME_LANGUAGE = 2.0
"""A statement in the question's language precedes others at most this far ahead, in log-odds."""
PARTS = 4.0
"""A span at most this far behind the best one of its passage, in log-odds, is a part of the answer.
Answers to open questions take several sentences, and the second span is nearly as often right there
as the first; for a question that asks for a name the others are further behind
(docs/models/judge.md)."""

_NEAR, _STEEP = 0.79, 30.0
"""A span in another language loses `_STEEP` log-odds for each unit that its passage's cosine with
the question is below `_NEAR`: across languages the cross-encoder is overconfident
(docs/models/judge.md)."""


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
    def terms(self) -> tuple[str, ...]:
        """The span's index terms: statements with equal terms agree. A span of stop words alone is
        compared by its tokens, and one without tokens by its text."""
        passage = self.hit.passage
        text = passage.text[self.span.start : self.span.end]
        return tuple(analyzer(passage.lang).terms(text) or tokenize(text) or [text])


@dataclass(frozen=True)
class ExtractiveReader:
    """Answers from the best `passages` hits with up to `sentences` cited statements.

    A statement is the sentence around a span that the cross-encoder takes for the answer. Passages
    whose spans agree share a statement, which carries a citation of each and counts by all of them.
    The reader abstains where no span is more probably right than wrong, and where the question has
    no word. It uses the evidence that a reranker with the same cross-encoder left on a hit.

    Args:
        encoder: the default one. It compares passages in another language than the question's that
            came without a cosine; without it they are not compared.
    """

    cross_encoder: CrossEncoder
    passages: int = 5
    sentences: int = 3
    encoder: Encoder | None = None

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        considered = [
            self._compared(query, best_passages(query, found, self.passages))
            if any(map(str.isalnum, query.text))
            else []
            for query, found in zip(queries, hits, strict=True)
        ]
        evidence = iter(
            self._evidence(
                [
                    (query, hit)
                    for query, found in zip(queries, considered, strict=True)
                    for hit in found
                ]
            )
        )
        return [
            self._answer(query, [(hit, next(evidence)) for hit in found])
            for query, found in zip(queries, considered, strict=True)
        ]

    def _compared(self, query: Query, hits: list[Hit]) -> list[Hit]:
        """The hits; those in another language than the question have their cosine."""
        missing = [
            at
            for at, hit in enumerate(hits)
            if is_cross_lingual(query.lang, hit.passage.lang) and hit.cosine is None
        ]
        if self.encoder is None or not missing:
            return hits
        (question,) = self.encoder.encode_queries([query.text])
        vectors = self.encoder.encode_passages([hits[at].passage.searched_text for at in missing])
        found = list(hits)
        for at, cosine in zip(missing, (vectors @ question).tolist(), strict=True):
            found[at] = replace(hits[at], cosine=cosine)
        return found

    def _evidence(self, pairs: Sequence[tuple[Query, Hit]]) -> list[Evidence]:
        """The evidence of each hit: its own if it is of this cross-encoder, else computed."""
        name = self.cross_encoder.name
        known = [
            hit.evidence if hit.evidence and hit.evidence.model == name else None
            for _, hit in pairs
        ]
        missing = [
            (query.text, hit.passage)
            for (query, hit), evidence in zip(pairs, known, strict=True)
            if evidence is None
        ]
        computed = iter(self.cross_encoder.score(missing) if missing else ())
        return [next(computed) if evidence is None else evidence for evidence in known]

    def _answer(self, query: Query, found: Sequence[tuple[Hit, Evidence]]) -> Answer:
        statements = sorted(
            (
                self._statement(hit, evidence.relevance, span, query.lang)
                for hit, evidence in found
                for span in parts(evidence.spans)
            ),
            key=lambda one: -one.support - _preference(one, query.lang),
        )
        groups = _agreeing(statements, query.lang)
        if not groups:
            confidence = max((probability(one.support) for one in statements), default=0.0)
            return Answer(not_in_documents(query.lang), query.lang, confidence, abstained=True)
        confidence = max(probability(one.support) for one in groups[0])
        return _composed(_chosen(groups, self.sentences), confidence)

    def _statement(self, hit: Hit, relevance: float, span: Span, lang: str) -> _Statement:
        text = hit.passage.text
        span = Span(*whole(text, span.start, span.end), span.score)
        start, end = quoted(hit.passage, span.start, span.end)
        cross_lingual = is_cross_lingual(lang, hit.passage.lang)
        support = self.cross_encoder.support(relevance, span.score, cross_lingual)
        if cross_lingual and self.encoder and hit.cosine is not None:
            support -= _STEEP * max(0.0, _NEAR - hit.cosine)
        return _Statement(hit, span, start, end, support)


def _preference(one: _Statement, lang: str) -> float:
    """What a probable statement in the question's language gains over others, in log-odds."""
    return _SAME_LANGUAGE * (one.support > 0 and one.hit.passage.lang == lang)


def parts(spans: Sequence[Span], behind: float = PARTS) -> list[Span]:
    """Those of a passage's spans, the best first, that are parts of its answer.

    >>> [span.start for span in parts([Span(0, 4, 9.0), Span(30, 34, 6.0), Span(60, 64, 2.0)])]
    [0, 30]
    """
    return [span for span in spans if span.score >= spans[0].score - behind]


def probability(support: float) -> float:
    """The probability for log-odds."""
    return 1 / (1 + math.exp(-support))


def _agreeing(statements: Sequence[_Statement], lang: str) -> list[list[_Statement]]:
    """The probable statements, in groups of those that agree, each from another passage; the most
    probable group first.

    The odds of a group are those that at least one of its statements answers, were they
    independent. So three passages that agree outrank one that scores a little higher.
    """
    groups: dict[tuple[str, ...], list[_Statement]] = {}
    for one in statements:
        group = groups.setdefault(one.terms, [])
        passages = {other.hit.passage.passage_id for other in group}
        if one.support >= 0 and one.hit.passage.passage_id not in passages:
            group.append(one)

    def log_odds(group: Sequence[_Statement]) -> float:
        wrong = math.prod(1 - probability(one.support) for one in group)
        return math.log((1 - wrong) / max(wrong, 1e-300)) + _preference(group[0], lang)

    return sorted(filter(None, groups.values()), key=log_odds, reverse=True)


def _chosen(groups: Sequence[Sequence[_Statement]], count: int) -> list[list[_Statement]]:
    """Up to `count` groups, without the statements whose sentence is already quoted.

    Another group must be nearly as probable as the first, in its language, and a sentence where the
    first is one.
    """
    first = groups[0][0]
    sentence_first = is_sentence(first.quote)
    chosen: list[list[_Statement]] = []
    for group in groups:
        if group[0].support < first.support - _MARGIN or (
            group[0].hit.passage.lang != first.hit.passage.lang
        ):
            continue
        if sentence_first and not is_sentence(group[0].quote):
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
    texts: list[str] = []
    citations: list[Citation] = []
    for group in groups:
        marks = ""
        for one in group:
            citations.append(_citation(one))
            marks += f"[{len(citations)}]"
        texts.append(f"{' '.join(citations[-len(group)].quote.split())}{space}{marks}")
    return Answer(space.join(texts), lang, confidence, tuple(citations))


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
