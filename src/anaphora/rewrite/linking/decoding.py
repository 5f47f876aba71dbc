"""Decoding: from the scores of links to the n best sets of edits, in one pass over the gaps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

import numpy as np
import numpy.typing as npt

from anaphora.rewrite.linking.heads import FloatArray, Heads, Links

_BEAM_STARTS, _BEAM_ENDS = 6, 4
"""How many first words, and last words for each, are scored for one gap."""
_MAX_VARYING_GAPS = 4
"""In how many gaps of a question the next best results may differ from the best."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least probability of each decision.

    Attributes:
        span: a span is inserted into a gap.
        replacing: a span is inserted into a gap before a deleted word.
        second: a second span is inserted into the same gap.
        phrase: a phrase is inserted into a gap without a span.
        deletion: a word is deleted.
    """

    span: float = 0.45
    replacing: float = 0.25
    second: float = 0.5
    phrase: float = 0.6
    deletion: float = 0.5


@dataclass(frozen=True, slots=True)
class Span:
    """A span of the context, from node `first` to node `last`."""

    first: int
    last: int
    probability: float


@dataclass(frozen=True, slots=True)
class Insertion:
    """What is inserted before word `gap` of the question: phrase, span, phrase, span, phrase.

    `phrases` are numbers of the closed set, 0 for none; `probability` is that of the spans, or
    without any that of the phrase.
    """

    gap: int
    spans: tuple[Span, ...]
    phrases: tuple[int, int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class Decoded:
    """The edits of one question.

    Attributes:
        insertions: by gap.
        deleted: the deleted words.
        confidence: the product of the probabilities of all edits, or `null` without any; not
            calibrated.
        null: the probability that nothing has to be inserted anywhere.
        relative_probability: of these edits among the returned results; they sum to 1.
    """

    insertions: tuple[Insertion, ...]
    deleted: tuple[int, ...]
    confidence: float
    null: float
    relative_probability: float = 1.0


SpanText = Callable[[int, int], str]
"""The folded text from one node of the context to another: spans with equal texts are added up."""


def decode(
    links: Links,
    heads: Heads,
    max_ends: Sequence[int],
    text: SpanText,
    allowed: npt.NDArray[np.bool_],
    thresholds: Thresholds,
    count: int = 1,
) -> list[Decoded]:
    """Decodes the links of one example.

    Args:
        max_ends: for each node, the last node that a span from there may have.
        allowed: the phrases of the question's language [v].
        count: how many results are returned at most. They differ in the spans of gaps that have
            any.

    Returns:
        The results, the most probable first; at least one.
    """
    gaps = _Gaps(links, heads, max_ends, text, allowed, thresholds)
    deletions = 1 / (1 + np.exp(-links.deletions))
    deleted = {int(word) for word in np.flatnonzero(deletions >= thresholds.deletion)}
    options = [gaps.insertions(gap, gap in deleted, count) for gap in range(len(gaps.starts[0]))]
    null = float(np.prod(gaps.starts[0, :, 0].astype(np.float64)))
    found: dict[tuple[Insertion, ...], Decoded] = {}
    combined = _combined([some for some in options if some], count)
    total = sum(map(_probability, combined))
    for chosen in combined:
        insertions = tuple(_without_repetitions(chosen, deleted, text))
        relative = _probability(chosen) / total
        if insertions in found:
            known = found[insertions]
            relative += known.relative_probability
            found[insertions] = replace(known, relative_probability=relative)
            continue
        kept = supported_deletions(deleted, insertions)
        factors = [one.probability for one in insertions] + [float(deletions[w]) for w in kept]
        confidence = float(np.prod(factors)) if factors else null
        found[insertions] = Decoded(insertions, tuple(sorted(kept)), confidence, null, relative)
    return list(found.values())


@dataclass(frozen=True)
class _Gaps:
    """The insertions that one example may have at each gap."""

    links: Links
    heads: Heads
    max_ends: Sequence[int]
    text: SpanText
    allowed: npt.NDArray[np.bool_]
    thresholds: Thresholds

    @cached_property
    def starts(self) -> FloatArray:
        """The probabilities of `Links.starts`."""
        return _softmax(self.links.starts)

    def insertions(self, gap: int, deleted: bool, count: int) -> list[Insertion]:
        """The most probable insertions for a gap, best first, or none.

        Args:
            deleted: whether the word after the gap is deleted.
        """
        threshold = self.thresholds.replacing if deleted else self.thresholds.span
        if 1 - self.starts[0, gap, 0] >= threshold:
            return self._with_spans(gap, count)
        phrase = _softmax(self._phrases(0, gap, 0, 0))
        best = int(phrase.argmax())
        if best and phrase[best] >= self.thresholds.phrase:
            return [Insertion(gap, (), (best, 0, 0), float(phrase[best]))]
        return []

    def _with_spans(self, gap: int, count: int) -> list[Insertion]:
        """Of two spans only the first one varies."""
        second: list[Span] = []
        if 1 - self.starts[1, gap, 0] >= self.thresholds.second:
            second = self._spans(1, gap)
        found = []
        for best in self._spans(0, gap)[:count]:
            disjoint = (one for one in second if one.last < best.first or one.first > best.last)
            spans = (best, *islice(disjoint, 1))
            phrases = [0, 0, 0]
            ends = {0: spans[0], 2: spans[-1]}
            if len(spans) == 2:
                ends[1] = spans[1]
            for slot, span in ends.items():
                phrases[slot] = int(self._phrases(slot, gap, span.first, span.last).argmax())
            probability = math.prod(one.probability for one in spans)
            found.append(Insertion(gap, spans, (phrases[0], phrases[1], phrases[2]), probability))
        return found

    def _spans(self, slot: int, gap: int) -> list[Span]:
        """The most probable spans, best first; equal texts are one span, the most probable of them,
        with the sum of their probabilities."""
        links, starts = self.links, self.starts[slot, gap]
        found: dict[str, Span] = {}
        for first in map(int, np.argsort(-starts[1:])[:_BEAM_STARTS] + 1):
            last = min(self.max_ends[first], len(starts) - 1)
            scores = links.ends[slot, gap, first : last + 1] + links.spans[first, first : last + 1]
            ends = _softmax(scores)
            for offset in map(int, np.argsort(-ends)[:_BEAM_ENDS]):
                key = self.text(first, first + offset)
                known = found.get(key) or Span(first, first + offset, 0.0)
                probability = known.probability + float(starts[first] * ends[offset])
                found[key] = replace(known, probability=probability)
        return sorted(found.values(), key=lambda span: -span.probability)

    def _phrases(self, slot: int, gap: int, first: int, last: int) -> FloatArray:
        """The logits of the phrases [v], very low for those of other languages."""
        scores = self.heads.phrases(self.links, slot, gap, first, last)
        return np.where(self.allowed, scores, np.float32(-1e9))


def _combined(options: Sequence[Sequence[Insertion]], count: int) -> Sequence[Sequence[Insertion]]:
    """The most probable combinations of one option for each gap."""
    if count == 1:
        return [[one[0] for one in options]]
    varying = [one if n < _MAX_VARYING_GAPS else one[:1] for n, one in enumerate(options)]
    return sorted(product(*varying), key=_probability, reverse=True)[:count]


def _probability(insertions: Sequence[Insertion]) -> float:
    """Of the first spans, as only these vary between combinations."""
    return math.prod(
        one.spans[0].probability if one.spans else one.probability for one in insertions
    )


def _without_repetitions(
    insertions: Sequence[Insertion], deleted: set[int], text: SpanText
) -> list[Insertion]:
    """Without the less probable one of two insertions of the same span, unless each has deleted
    words of its own to replace. A run of deleted words counts once."""
    kept: list[Insertion] = []
    inserted: set[str] = set()
    replaced: set[int] = set()
    for one in sorted(insertions, key=lambda one: (one.gap not in deleted, -one.probability)):
        texts = {text(span.first, span.last) for span in one.spans}
        first = one.gap
        while first - 1 in deleted:
            first -= 1
        replaces = one.gap in deleted and first not in replaced
        if not replaces and any(a in b or b in a for a in texts for b in inserted):
            continue
        inserted |= texts
        replaced.add(first)
        kept.append(one)
    return sorted(kept, key=lambda one: one.gap)


def supported_deletions(deleted: set[int], insertions: Sequence[Insertion]) -> set[int]:
    """The deletions that an insertion replaces: each run with an insertion next to it."""
    gaps = {one.gap for one in insertions}
    kept: set[int] = set()
    for word in sorted(deleted):
        if word - 1 in deleted:
            continue
        run = [word]
        while run[-1] + 1 in deleted:
            run.append(run[-1] + 1)
        if gaps & set(range(word, run[-1] + 2)):
            kept.update(run)
    return kept


def _softmax(scores: FloatArray) -> FloatArray:
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: FloatArray = shifted / shifted.sum(axis=-1, keepdims=True)
    return result
