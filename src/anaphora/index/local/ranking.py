"""Scoring a query over the segments of one snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index import CollectionStatistics, LexicalMode, WordStatistics
from anaphora.index.local import kernel
from anaphora.index.local.impacts import PER_UNIT, impact_key
from anaphora.index.local.postings import Postings
from anaphora.index.local.segment import Segment
from anaphora.index.local.similarity import term_scores
from anaphora.protocols import TermWeights

Array = npt.NDArray[Any]
_Lists = tuple[Segment, Postings, Sequence[int], Array]
"""The lists of a segment that a query needs, by their numbers, and the scores of their codes."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rows of passages (int64 [n]) and their scores (float32 [n]), best first."""

    rows: Array
    scores: Array


@dataclass(frozen=True, slots=True)
class Word:
    """A query word: its occurrences in the query, and the numbers of its terms in each segment."""

    count: int
    statistics: WordStatistics
    numbers: tuple[tuple[int, ...], ...]


def look_up(
    segments: Sequence[Segment], forms: Mapping[str, Sequence[bytes]], count: int = 1
) -> Word:
    """Looks up a word. Its forms in all languages of the index count as one term: Pirkola (1998),
    "The Effects of Query Structure and Dictionary Setups in Dictionary-Based Cross-Language
    Information Retrieval".

    `forms` are the word's terms in each language that any segment holds.
    """
    df = ttf = 0
    numbers = []
    for segment in segments:
        here = []
        for lang in segment.record.languages:
            for form in forms[lang]:
                number = segment.postings.find(form)
                if number >= 0:
                    here.append(number)
                    of_form = segment.term_statistics(number)
                    df += of_form[0]
                    ttf += of_form[1]
        numbers.append(tuple(here))
    return Word(count, WordStatistics(df, ttf), tuple(numbers))


def rank(
    segments: Sequence[Segment],
    collection: CollectionStatistics,
    words: Sequence[Word],
    k: int,
    mode: LexicalMode,
) -> Ranking:
    """Returns the k best passages, exactly. Passages that score 0 are left out."""
    return _best_of(_word_lists(segments, collection, words, mode), k)


def rank_impacts(segments: Sequence[Segment], query: TermWeights, k: int) -> Ranking:
    """Returns the k passages with the largest dot products of their weights and a query's, exactly.
    Passages that score 0 are left out."""
    return _best_of(_impact_lists(segments, query), k)


def _word_lists(
    segments: Sequence[Segment],
    collection: CollectionStatistics,
    words: Sequence[Word],
    mode: LexicalMode,
) -> Iterator[_Lists]:
    for place, segment in enumerate(segments):
        here = [word for word in words if word.numbers[place]]
        if not here:
            continue
        tables = term_scores(
            mode,
            collection,
            np.array([[word.statistics.df] for word in here]),
            np.array([[word.statistics.ttf] for word in here]),
            segment.code_tf,
            segment.code_length,
        )
        counts = [word.count for word in here]
        if max(counts) > 1:
            tables = tables * np.array(counts)[:, np.newaxis]
        numbers = [number for word in here for number in word.numbers[place]]
        if len(numbers) > len(here):
            tables = tables.repeat([len(word.numbers[place]) for word in here], axis=0)
        yield segment, segment.postings, numbers, tables


def _impact_lists(segments: Sequence[Segment], query: TermWeights) -> Iterator[_Lists]:
    keys = [impact_key(term) for term in query.terms.tolist()]
    for segment in segments:
        impacts = segment.impacts
        if impacts is None:
            continue
        found = np.array([impacts.find(key) for key in keys], dtype=np.int64)
        weights = query.weights[found >= 0].astype(np.float64) / PER_UNIT
        if len(weights):
            tables = weights[:, np.newaxis] * impacts.code_tf
            yield segment, impacts, found[found >= 0].tolist(), tables


def _best_of(lists: Iterable[_Lists], k: int) -> Ranking:
    """Searches one segment after the other, each for what is better than the k best so far."""
    rows: list[Array] = []
    scores: list[Array] = []
    floor = 0.0
    for segment, postings, numbers, tables in lists:
        ordinals, found = kernel.search(
            postings, numbers, tables.astype(np.float32), segment.live, k, floor
        )
        rows.append(segment.rows[ordinals])
        scores.append(found)
        if sum(map(len, scores)) >= k:
            floor = float(np.partition(np.concatenate(scores), -k)[-k])
    return best(rows, scores, k)


def best(rows: Iterable[Array], scores: Iterable[Array], k: int) -> Ranking:
    """Returns the k best of several rankings. Ties are ordered by row."""
    rows, scores = list(rows), list(scores)
    if len(rows) == 1:
        return Ranking(rows[0][:k], scores[0][:k])
    all_rows = np.concatenate([np.empty(0, np.int64), *rows])
    all_scores = np.concatenate([np.empty(0, np.float32), *scores])
    order = np.lexsort((all_rows, -all_scores))[:k]
    return Ranking(all_rows[order], all_scores[order])
