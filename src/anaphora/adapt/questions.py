"""Questions that are generated from the passages of an index.

Each question is a sentence of a passage, and the passages before and after it in the same section
are what it should find. Its own passage is left out of the ranking, because its words would give it
away. A language model also writes questions, which should find the passage that they were written
for. docs/decisions/adapting.md compares this with headings and key words as questions.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

from anaphora.errors import ModelUnavailable
from anaphora.index import Index
from anaphora.language import normalize, tokenize
from anaphora.language.scripts import counts_characters
from anaphora.language.sentences import sentences
from anaphora.models.chat import LanguageModel, Message
from anaphora.protocols import Progress, no_progress
from anaphora.read.extracts import blocks_of
from anaphora.records import Passage, Query

logger = logging.getLogger(__name__)

_PROSE = ("paragraph", "item", "description", "note", "quotation")
_SHORTEST, _LONGEST = 6, 30
"""Words of a sentence that is asked; two characters where a language has no borders of words."""
_PER_PASSAGE = 2
_PER_DOCUMENT = 25
_WRITTEN = 200
"""Passages for which a language model writes a question."""
_SHOWN = 2000
_MOST_FAILURES = 4
"""After as many failures in a row the model counts as unavailable."""
_INSTRUCTION = (
    "You write search queries. You are given a passage of a manual. Write one short question that "
    "somebody who has not read the manual would type to find what the passage says. Use everyday "
    "words, not those of the passage, and the language of the passage. Write the question alone."
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what a search should find.

    Attributes:
        doc_id: the document that it was made from; empty for one that people wrote.
        gains: the gain of each passage that answers it, by id.
        without: the passages that are left out of the ranking.
    """

    query: Query
    doc_id: str
    gains: dict[str, float]
    without: frozenset[str] = frozenset()


def passages_by_document(index: Index, most: int, seed: int) -> list[list[Passage]]:
    """The passages of documents that are drawn at random until there are `most` passages."""
    ids = list(_document_ids(index))
    random.Random(seed).shuffle(ids)
    found: list[list[Passage]] = []
    count = 0
    for id in ids:
        if count >= most:
            break
        passages = index.passages_of(id)
        if passages:
            found.append(passages)
            count += len(passages)
    return found


def _document_ids(index: Index) -> Iterator[str]:
    after = ""
    while page := index.documents(after=after):
        yield from (one.doc_id for one in page)
        after = page[-1].doc_id


def generated(documents: Sequence[Sequence[Passage]], most: int, seed: int) -> list[Asked]:
    """At most `most` sentences of the documents as questions.

    A sentence that occurs in several passages asks for none of them.
    """
    rng = random.Random(seed)
    every = [[(passage, _sentences(passage)) for passage in document] for document in documents]
    times = Counter(
        key for document in every for _, found in document for key in {_key(one) for one in found}
    )
    asked: list[Asked] = []
    for document in every:
        own: list[Asked] = []
        for _, group in groupby(document, key=lambda one: one[0].section):
            section = list(group)
            for at, (passage, found) in enumerate(section):
                near = [
                    section[other][0] for other in (at - 1, at + 1) if 0 <= other < len(section)
                ]
                once = [one for one in found if times[_key(one)] == 1]
                if near:
                    own += [
                        Asked(
                            Query(text, passage.lang),
                            passage.doc_id,
                            {one.passage_id: 1.0 for one in near},
                            frozenset([passage.passage_id]),
                        )
                        for text in rng.sample(once, min(_PER_PASSAGE, len(once)))
                    ]
        asked += rng.sample(own, min(_PER_DOCUMENT, len(own)))
    rng.shuffle(asked)
    return asked[:most]


def _sentences(passage: Passage) -> list[str]:
    found: dict[str, str] = {}
    for block in blocks_of(passage):
        if block.kind in _PROSE:
            text = passage.text[block.start : block.end]
            for start, end in sentences(text, passage.lang):
                one = " ".join(text[start:end].split())
                if _SHORTEST <= _length(one, passage.lang) <= _LONGEST:
                    found.setdefault(_key(one), one)
    return list(found.values())


def _length(text: str, lang: str) -> int:
    return len(text) // 2 if counts_characters(lang) else len(text.split())


def _key(text: str) -> str:
    return normalize(text).casefold()


def written(
    documents: Sequence[Sequence[Passage]],
    model: LanguageModel,
    seed: int,
    parallel: int = 4,
    progress: Progress = no_progress,
) -> list[Asked]:
    """Questions that a language model writes for passages drawn at random.

    If the model fails several times in a row, it is not asked again, and a warning says why.
    """
    every = [passage for document in documents for passage in document]
    drawn = random.Random(seed).sample(every, min(_WRITTEN, len(every)))
    failures = 0
    asked: list[Asked] = []
    with ThreadPoolExecutor(parallel) as pool:
        for start in range(0, len(drawn), parallel):
            part = drawn[start : start + parallel]
            for passage, said in zip(
                part, pool.map(lambda one: _write(model, one), part), strict=True
            ):
                failures = failures + 1 if isinstance(said, ModelUnavailable) else 0
                if isinstance(said, ModelUnavailable):
                    if failures >= _MOST_FAILURES:
                        logger.warning(
                            f"{said}; the language model wrote {len(asked)} questions, and the "
                            "others are sentences of the documents"
                        )
                        return asked
                elif said:
                    gains = {passage.passage_id: 1.0}
                    query = Query(said, passage.lang)
                    asked.append(Asked(query, passage.doc_id, gains))
            progress("writing questions", start + len(part), len(drawn))
    return asked


def _write(model: LanguageModel, passage: Passage) -> str | ModelUnavailable:
    """The question; empty if what the model wrote is none."""
    shown = f"{passage.heading}\n{passage.text[:_SHOWN]}"
    messages = [Message("system", _INSTRUCTION), Message("user", shown)]
    try:
        text = "".join(model.stream(messages))
    except ModelUnavailable as error:
        return error
    line = next((line.strip(" \t\"'«»“”„") for line in text.splitlines() if line.strip()), "")
    return line if 2 <= len(tokenize(line)) <= 2 * _LONGEST else ""
