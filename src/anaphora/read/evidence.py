"""The sentences that may answer, and what speaks for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from anaphora.index import Engine
from anaphora.index.keyness import keyness
from anaphora.language import analyzer, sentences, tokenize
from anaphora.passage import Hit, Passage, Query, across
from anaphora.read.units import LONGEST, whole

if TYPE_CHECKING:
    from anaphora.retrieve.encoders import Encoder

CANDIDATES = 8
"""Sentences compared with the question by their meaning (docs/decisions/reader-evidence.md)."""
_SENTENCES = 200
"""Sentences looked at in one passage."""
_COMPARED = 300
"""Characters of a heading and its sentence that their vector is made of: some 60 tokens."""
_NEWS = 0.5
"""What a sentence must say beyond the question, as the keyness of its other words: half of what a
word says that stands in one passage only."""

_HANDFUL = 5
"""As many new words that are not stop words always say enough."""

_ASKS = re.compile("[?？؟՞]")
_DIGIT = re.compile(r"\d")
_UNSPACED = re.compile("[\u3041-\u3096\u4e00-\u9fff]{1,2}$")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a hit's passage: characters `start` to `end` of its text.

    `native` says that the passage is in the question's language, as far as is known. `coverage` is
    the share of the question's words, by their keyness, that the sentence or its heading holds;
    `own_coverage` leaves the heading out. `nearness` is the cosine of the sentence's vector, under
    its heading, and the question's nearest phrasing; 0 without an encoder.
    """

    hit: Hit
    start: int
    end: int
    native: bool
    coverage: float
    own_coverage: float
    nearness: float = 0.0

    @property
    def text(self) -> str:
        return self.hit.passage.text[self.start : self.end]


def gather(
    query: Query,
    hits: Sequence[Hit],
    engine: Engine,
    encoder: Encoder | None,
) -> list[Evidence]:
    """The `CANDIDATES` most promising sentences of the hits, the most promising first.

    A sentence that says nothing beyond the question, or asks one itself, is no evidence.
    """
    found = _promising(_by_words(query, hits, engine))
    if encoder is None or not found:
        return found
    asked = np.asarray(encoder.encode_queries(query.phrasings))
    said = np.asarray(encoder.encode_passages([_in_context(one) for one in found]))
    # Words carried over help one sentence and hide another: the nearest phrasing counts.
    nearest = (said @ asked.T).max(axis=1)
    return [replace(one, nearness=float(near)) for one, near in zip(found, nearest, strict=True)]


def _in_context(one: Evidence) -> str:
    heading = one.hit.passage.heading
    return (f"{heading}\n{one.text}" if heading else one.text)[:_COMPARED]


def _promising(found: list[list[Evidence]]) -> list[Evidence]:
    """Sentences of the best passages with the most of the question's words.

    The n-th best sentence of the passage at rank r is as promising as n times r is small: words
    say nothing of a passage in another language, nor of how passages compare.
    """
    ranked = [
        (place * rank, rank, one)
        for rank, passage in enumerate(found, 1)
        for place, one in enumerate(
            sorted(passage, key=lambda one: one.coverage + one.own_coverage, reverse=True), 1
        )
    ]
    ranked.sort(key=lambda entry: entry[:2])
    return [one for _, _, one in ranked[:CANDIDATES]]


def _by_words(query: Query, hits: Sequence[Hit], engine: Engine) -> list[list[Evidence]]:
    words, weights = _question(query, engine)
    seen: set[str] = set()
    return [_of_passage(query, words, weights, hit, engine, seen) for hit in hits]


def _question(query: Query, engine: Engine) -> tuple[list[str], list[float]]:
    """The question's words and their shares of what it asks.

    A word counts by its keyness and by the share of the phrasings it is in: one that was carried
    over from earlier turns is not in the question as asked, and so counts half.
    """
    phrasings = [set(tokenize(text)) for text in query.phrasings]
    words = _words(query)
    weights = [
        keen * sum(word in phrasing for phrasing in phrasings) / len(phrasings)
        for word, keen in zip(words, keyness(engine, words), strict=True)
    ]
    total = sum(weights) or 1.0
    return words, [weight / total for weight in weights]


def _words(query: Query) -> list[str]:
    """The words of the question that are not stop words.

    Where words are written without spaces, its characters and pairs of them stand for words; those
    that reach into a stop word are none ("的默" and "多" in 的默认值是多少).
    """
    term = analyzer(query.lang).term
    words = dict.fromkeys(tokenize(query.text))
    stopped = {char for word in words if _UNSPACED.match(word) and not term(word) for char in word}
    return [
        word
        for word in words
        if term(word) and not (_UNSPACED.match(word) and stopped.intersection(word))
    ]


def _of_passage(
    query: Query,
    words: Sequence[str],
    weights: Sequence[float],
    hit: Hit,
    engine: Engine,
    seen: set[str],
) -> list[Evidence]:
    passage = hit.passage
    analyse = analyzer(passage.lang)
    forms = [set(analyse.term(word)) for word in words]
    asked = set(analyse.terms(query.text))
    native = not across(query.lang, passage.lang)
    found: list[Evidence] = []
    for start, end, context in _units(passage):
        text = passage.text[start:end]
        if text in seen or _ASKS.search(text):
            continue
        seen.add(text)
        if not _has_news(text, asked, passage.lang, engine):
            continue
        terms = set(analyse.terms(text))
        around = terms.union(analyse.terms(context))
        own = sum(weight for form, weight in zip(forms, weights, strict=True) if form & terms)
        both = sum(weight for form, weight in zip(forms, weights, strict=True) if form & around)
        found.append(Evidence(hit, start, end, native, both, own))
    return found


def _has_news(text: str, asked: set[str], lang: str, engine: Engine) -> bool:
    term = analyzer(lang).term
    words = [
        word
        for word in dict.fromkeys(tokenize(text))
        if term(word) and asked.isdisjoint(term(word))
    ]
    # A number that was not asked with says something, however many passages hold it.
    if len(words) > _HANDFUL or any(map(_DIGIT.search, words)):
        return True
    return sum(keyness(engine, words)) >= _NEWS


def _units(passage: Passage) -> list[tuple[int, int, str]]:
    """Sentences and table rows as character ranges, each with what it is read under.

    That is the passage's heading, and for a row also the header of its table: a first row without
    a digit, which is no answer itself.
    """
    text, heading = passage.text, passage.heading
    found: list[tuple[int, int, str]] = []
    prose = 0  # where the prose begins that is not yet cut into sentences
    for table in _tables(text):
        found += [(*span, heading) for span in _sentences(passage, prose, table[0][0])]
        prose = table[-1][1]
        first = text[slice(*table[0])]
        headed = len(table) > 1 and not _DIGIT.search(first)
        under = f"{heading}\n{first}" if headed else heading
        found += [(start, end, under) for start, end in table[headed:]]
    found += [(*span, heading) for span in _sentences(passage, prose, len(text))]
    return [
        (*whole(text, start, min(end, start + LONGEST)), under)
        for start, end, under in found[:_SENTENCES]
    ]


def _sentences(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sentences(passage.text[start:end], passage.lang):
        yield start + first, start + last


def _tables(text: str) -> Iterator[list[tuple[int, int]]]:
    """Runs of lines that hold cells, as the readers of files write them: "a | b", or tabs."""
    if " | " not in text and "\t" not in text:
        return
    table: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        row = line.strip()
        if " | " in row or "\t" in row:
            begin = start + line.index(row)
            table.append((begin, begin + len(row)))
        elif table:
            yield table
            table = []
        start += len(line) + 1
    if table:
        yield table
