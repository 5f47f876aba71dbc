"""The extractive reader: the parts of passages that answer, with the shortest answer marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from anaphora.crossencoder.model import CrossEncoder
from anaphora.index import TermStatistics
from anaphora.language import message, not_in_documents, tokenize
from anaphora.models.similarity import comparable
from anaphora.protocols import Encoder
from anaphora.read.choice import probabilities, second
from anaphora.read.confidence import (
    ANSWERABLE,
    ANSWERABLE_ACROSS,
    RIGHT,
    RIGHT_ACROSS,
    Signals,
)
from anaphora.read.extracts import ENOUGH, LONGEST, extract, is_cut, shown_blocks, whole
from anaphora.read.nearest import best_passages, says_nothing
from anaphora.read.other_sections import other_sections
from anaphora.read.rendering import rendered
from anaphora.read.unmentioned import unmentioned
from anaphora.records import Answer, Citation, Evidence, Hit, Passage, Query, Span, is_cross_lingual

PARTS = 4.0
"""A span at most this far behind the best one of its passage, in log-odds, is a part of the answer.
Answers to open questions take several sentences, and the second span is nearly as often right there
as the first (docs/models/judge.md)."""

_FIRST = 0.8
"""Fraction of the length that the first extract may have."""
_OTHER = 0.6
"""Fraction of the length that each other extract may have."""
_EXTRACTS = 4
_PRICE = 0.23
"""What showing as many characters as the length costs, in the probability that they answer."""
_MOST = 1.9
"""How many times its length an answer with several extracts may have: 1,330 characters by default.
Sure answers are shorter than the length and doubtful ones longer."""
_UNSURE = 0.6
"""Below this confidence the answer says that it is doubtful."""
_MANY = 100
"""Passages of a collection in which most words that people use occur; in a smaller one a word that
is missing says little."""
_NOTHING = 0.65
"""Below this probability that some passage answers, the nearest sections are shown."""
_NOTHING_OF_FEW = 0.5
"""The same in a collection of fewer than `_MANY` passages, for which it was not fitted."""
_NOTHING_ACROSS = 0.65
"""The same where the first passage is in another language than the question."""
_SAME = 0.8
"""A passage with a larger fraction of another one's tokens is a copy of it."""
_SECTIONS = 3
"""The nearest sections that an abstention shows."""
_LINE = 160
"""Characters shown of each of the nearest sections."""
_PERHAPS = 0.3
"""From this probability that some passage answers, the first of them has an extract instead."""

_NEAR, _STEEP = 0.836, 32.2
"""A span in another language loses `_STEEP` log-odds for each unit that its passage's cosine with
the question is below `_NEAR`: across languages the cross-encoder is overconfident
(docs/models/judge.md)."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A hit with its evidence. `support` is the log-odds that its best span answers, and `extent`
    the range of all that answers."""

    hit: Hit
    spans: tuple[Span, ...]
    support: float
    cross_lingual: bool
    extent: tuple[int, int] | None

    @property
    def passage(self) -> Passage:
        return self.hit.passage


@dataclass(frozen=True)
class ExtractiveReader:
    """Answers with extracts: parts of passages in whole blocks and sentences.

    The first extract is from the first hit, so that the reader never shows a worse passage than the
    ranking does; a hit in the question's language counts as if its rank were halved. Up to three
    others follow whose probability is worth their length (`read/choice.py`): none where the first
    is surely the right one, and rather short ones. Each has what the cross-encoder takes for all
    that answers, and the span that it takes for the shortest answer, which stays marked. Below a
    confidence the answer says that it is doubtful, and below another one it abstains: it names the
    question's words that no document has, and shows a line of each of the nearest sections, or an
    extract of the first one where it may answer after all. An answer that is not sure names other
    sections too (`read/other_sections.py`). The reader uses the evidence that a reranker with the
    same cross-encoder left on a hit.

    Args:
        passages: how many hits are read. Extracts may also be of later ones that a reranker has
            read.
        length: about how many characters the extracts have together in the mean.
        encoder: the default one. It compares the first passage, and those in another language than
            the question's, with the question if they came without a cosine; without it they are not
            compared.
        terms: of the index that was searched. It knows which words no document has; without it none
            is known.
    """

    cross_encoder: CrossEncoder
    passages: int = 5
    length: int = 700
    encoder: Encoder | None = None
    terms: TermStatistics | None = None

    def read(self, queries: Sequence[Query], hits: Sequence[list[Hit]]) -> list[Answer]:
        answers = []
        for query, candidates in zip(queries, self._candidates(queries, hits), strict=True):
            answer = self._answer(query, candidates)
            others = other_sections([one.passage for one in candidates], answer)
            answers.append(replace(answer, other_sections=others))
        return answers

    def signals(self, query: Query, hits: list[Hit]) -> Signals | None:
        """What the confidence in an answer from these hits depends on; None where no passage has a
        word."""
        (candidates,) = self._candidates([query], [hits])
        return self._signals(query, candidates)[0] if candidates else None

    def _candidates(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[list[_Candidate]]:
        considered = [
            self._considered(query, found) if any(map(str.isalnum, query.text)) else []
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
        pairs = [[(hit, next(evidence)) for hit in found] for found in considered]
        return [
            self._supported(
                query, [self._candidate(query, hit, one) for hit, one in found if one.spans]
            )
            for query, found in zip(queries, pairs, strict=True)
        ]

    def _supported(self, query: Query, candidates: list[_Candidate]) -> list[_Candidate]:
        """The candidates. Those of a follow-up that is read as asked have the support of its
        rewrite, if it is higher: as asked it may say too little to be answered."""
        if not query.read:
            return candidates
        first = candidates[: self.passages]
        whole = self.cross_encoder.score([(query.text, one.passage) for one in first])
        supports = [
            self._candidate(query, one.hit, evidence).support
            for one, evidence in zip(first, whole, strict=True)
        ]
        for at, support in enumerate(supports):
            candidates[at] = replace(first[at], support=max(first[at].support, support))
        return candidates

    def _considered(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """The hits that are read, and after them those that were read already."""
        best = best_passages(query, hits, len(hits))
        known = [
            hit
            for hit in best[self.passages :]
            if hit.evidence
            and hit.evidence.model == self.cross_encoder.name
            and not is_cross_lingual(query.lang, hit.passage.lang)
        ]
        return [*self._compared(query, best[: self.passages]), *known]

    def _compared(self, query: Query, hits: list[Hit]) -> list[Hit]:
        """The hits; the first one, and those in another language than the question, have their
        cosine."""
        missing = [
            at
            for at, hit in enumerate(hits)
            if hit.cosine is None and (at == 0 or is_cross_lingual(query.lang, hit.passage.lang))
        ]
        if self.encoder is None or not missing:
            return hits
        (question,) = self.encoder.encode_queries([query.text])
        vectors = self.encoder.encode_passages([hits[at].passage.searched_text for at in missing])
        found = list(hits)
        for at, cosine in zip(missing, (vectors @ question).tolist(), strict=True):
            found[at] = replace(hits[at], cosine=comparable(cosine))
        return found

    def _evidence(self, pairs: Sequence[tuple[Query, Hit]]) -> list[Evidence]:
        """The evidence of each hit: its own if it is of this cross-encoder, else computed."""
        name = self.cross_encoder.name
        known = [
            hit.evidence if hit.evidence and hit.evidence.model == name else None
            for _, hit in pairs
        ]
        missing = [
            (query.question, hit.passage)
            for (query, hit), evidence in zip(pairs, known, strict=True)
            if evidence is None
        ]
        computed = iter(self.cross_encoder.score(missing) if missing else ())
        return [next(computed) if evidence is None else evidence for evidence in known]

    def _answer(self, query: Query, candidates: Sequence[_Candidate]) -> Answer:
        if not candidates:
            return Answer(not_in_documents(query.lang), query.lang, 0.0, abstained=True)
        signals, new = self._signals(query, candidates)
        first = candidates[0]
        if signals.across:
            answerable, least = ANSWERABLE_ACROSS(signals), _NOTHING_ACROSS
        else:
            answerable = ANSWERABLE(signals)
            least = _NOTHING if self._has_many else _NOTHING_OF_FEW
        # The probability was not fitted for a first span that is probable in a collection of a few
        # passages, where the others say nothing.
        if first.support < 0 and answerable < least:
            return _nearest(query, candidates, answerable, new)
        right = RIGHT_ACROSS if signals.across else RIGHT
        return _composed(query, candidates, right(signals), self.length)

    def _signals(
        self, query: Query, candidates: Sequence[_Candidate]
    ) -> tuple[Signals, tuple[str, ...]]:
        """What the confidence depends on, and the words that no document has."""
        first = candidates[0]
        mean = fmean(one.support for one in candidates[: self.passages])
        known = Signals(first.support, mean, first.hit.cosine, across=first.cross_lingual)
        # Words differ between languages.
        if first.cross_lingual or self.terms is None:
            return known, ()
        new = unmentioned(self.terms, query.question, query.lang)
        counted = len(new) if self._has_many else 0
        return known._replace(unmentioned=counted), new

    @property
    def _has_many(self) -> bool:
        """Whether the collection has many passages, or is not known."""
        return self.terms is None or self.terms.collection.passages >= _MANY

    def _candidate(self, query: Query, hit: Hit, evidence: Evidence) -> _Candidate:
        cross_lingual = is_cross_lingual(query.lang, hit.passage.lang)
        span = evidence.spans[0].score
        support = self.cross_encoder.support(evidence.relevance, span, cross_lingual)
        if cross_lingual and self.encoder and hit.cosine is not None:
            support -= _STEEP * max(0.0, _NEAR - hit.cosine)
        spans = _widened(hit.passage.text, parts(evidence.spans))
        return _Candidate(hit, spans, support, cross_lingual, evidence.extent)


def _widened(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans in whole graphemes."""
    return tuple(Span(*whole(text, one.start, one.end), one.score) for one in spans)


def parts(spans: Sequence[Span], behind: float = PARTS) -> list[Span]:
    """Those of a passage's spans, the best first, that are parts of its answer.

    >>> [span.start for span in parts([Span(0, 4, 9.0), Span(30, 34, 6.0), Span(60, 64, 2.0)])]
    [0, 30]
    """
    return [span for span in spans if span.score >= spans[0].score - behind]


def _composed(
    query: Query, candidates: Sequence[_Candidate], confidence: float, length: int
) -> Answer:
    """The answer with an extract of the first candidate, and those of others that are worth their
    length."""
    first = candidates[0]
    lang = first.passage.lang
    shown = [(first, _citation(first, int(_FIRST * length)))]
    room = _MOST * length - _characters(*shown[0])
    for chance, one in _others(query, candidates, shown[0][1].quote):
        citation = _citation(one, int(_OTHER * length))
        characters = _characters(one, citation)
        if chance * length < _PRICE * characters or characters > room:
            continue
        if says_nothing(one.passage) or any(
            not _adds(one.passage, other.passage) or _repeats(citation.quote, known.quote)
            for other, known in shown
        ):
            continue
        shown.append((one, citation))
        room -= characters
        if len(shown) == _EXTRACTS:
            break
    paragraphs = [message("unsure", query.lang)] if confidence < _UNSURE else []
    paragraphs.append(_marked(first.passage, shown[0][1], 1))
    if len(shown) > 1:
        paragraphs.append(message("also", query.lang))
    above = ""
    for number, (one, citation) in enumerate(shown[1:], 2):
        section = _section(one.passage)
        if section and citation.title != above:
            paragraphs.append(section)
        above = citation.title
        paragraphs.append(_marked(one.passage, citation, number))
    citations = tuple(citation for _, citation in shown)
    return Answer("\n\n".join(paragraphs), lang, confidence, citations)


def _others(
    query: Query, candidates: Sequence[_Candidate], shown: str
) -> list[tuple[float, _Candidate]]:
    """The candidates after the first one, in the order in which they are shown, with the
    probability that each is the one that answers."""
    chances = probabilities([one.hit.score for one in candidates])
    (_, first), *others = zip(chances, candidates, strict=True)
    if others:
        at = second(query, first.passage, shown, [one.passage for _, one in others])
        others.insert(0, others.pop(at))
    return others


def _characters(one: _Candidate, citation: Citation) -> int:
    """How long an extract is with its heading."""
    return len(_marked(one.passage, citation, 1)) + len(_section(one.passage))


def _section(passage: Passage) -> str:
    """The lowest two headings above a passage, or else its document's title."""
    return " › ".join(passage.section[-2:]) or passage.title


def _adds(passage: Passage, first: Passage) -> bool:
    """Whether a passage is in the language of the first one and not nearly a copy of it."""
    return passage.lang == first.lang and not _repeats(passage.text, first.text)


def _repeats(text: str, other: str) -> bool:
    """Whether nearly all tokens of one text are in the other."""
    tokens, known = set(tokenize(text)), set(tokenize(other))
    return len(tokens & known) > _SAME * min(len(tokens), len(known))


def _marked(passage: Passage, citation: Citation, number: int) -> str:
    """The quote with its structure and its number, and "…" where it begins or ends inside a
    sentence."""
    text = rendered(citation.quote, citation.blocks)
    border = "\n" if citation.blocks[-1].kind == "code" else " "
    return f"{_broken(passage, citation, text)}{border}[{number}]"


def _broken(passage: Passage, citation: Citation, text: str) -> str:
    before = "… " if is_cut(passage, citation.start) else ""
    return f"{before}{text}{' …' if is_cut(passage, citation.end) else ''}"


def _nearest(
    query: Query, candidates: Sequence[_Candidate], confidence: float, new: tuple[str, ...]
) -> Answer:
    """An abstention with the words that no document has, and a line of each of the nearest
    sections, or an extract of the first one, which may answer after all."""
    sections: dict[str, _Candidate] = {}
    for one in candidates:
        sections.setdefault(one.passage.heading or one.passage.passage_id, one)
    lines, citations = [], []
    for number, one in enumerate(list(sections.values())[:_SECTIONS], 1):
        if number == 1 and confidence >= _PERHAPS:
            citation = _citation(one, ENOUGH)
            own = f"\n{_marked(one.passage, citation, 1)}"
        else:
            citation = _citation(one, _LINE, _LINE)
            line = " ".join(citation.quote.split())
            own = f" {_broken(one.passage, citation, line)} [{number}]"
        lines.append(f"• {citation.title}:{own}")
        citations.append(citation)
    said = [message("unmentioned", query.lang).format(", ".join(new))] if new else []
    text = "\n".join((*said, message("nearest", query.lang), *lines))
    return Answer(text, query.lang, confidence, tuple(citations), abstained=True, unmentioned=new)


def _citation(one: _Candidate, budget: int, longest: int = LONGEST) -> Citation:
    passage = one.passage
    start, end = extract(passage, one.spans, budget, longest, one.extent)
    span = one.spans[0]
    return Citation(
        passage.passage_id,
        passage.doc_id,
        passage.heading,
        passage.text[start:end],
        start,
        end,
        (span.start, span.end),
        shown_blocks(passage, start, end),
    )
