"""From scores to edits, in one pass over the gaps of the question; the best, and the next best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
import numpy.typing as npt

from anaphora.rewrite.linking.heads import FloatArray, Heads, Links

_STARTS, _ENDS = 6, 4
"""How many first words, and last words for each, are looked at for one gap."""
_FREE = 4
"""Gaps of a question that the next best results may differ in."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability on a decision is taken.

    Attributes:
        span: a gap gets a span.
        replacing: a gap gets a span where the word after it goes.
        second: it gets another one.
        phrase: a gap without a span gets a phrase.
        deletion: a word goes.
    """

    span: float = 0.45
    replacing: float = 0.25
    second: float = 0.5
    phrase: float = 0.6
    deletion: float = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """A span of the context, from node `first` to `last`, and how probable its words are."""

    first: int
    last: int
    chance: float


@dataclass(frozen=True, slots=True)
class Placed:
    """What goes before word `gap` of the question: phrase, span, phrase, span, phrase.

    `phrases` are numbers of the closed set, 0 for none; `chance` is the probability that there is
    something here at all, and of the words chosen.
    """

    gap: int
    spans: tuple[Choice, ...]
    phrases: tuple[int, int, int]
    chance: float


@dataclass(frozen=True, slots=True)
class Decoded:
    """Edits of one question.

    Attributes:
        placed: insertions by gap.
        deleted: the words that go.
        confidence: the product of the probabilities of all edits, or where there are none `null`;
            not calibrated.
        null: the probability that nothing has to be put in anywhere.
        share: how probable these edits are among the results that were asked for; sums to 1.
    """

    placed: tuple[Placed, ...]
    deleted: tuple[int, ...]
    confidence: float
    null: float
    share: float = 1.0


Texts = Callable[[int, int], str]
"""The folded text from one node of the context to another: equal texts share probability."""


def decode(
    links: Links,
    heads: Heads,
    reach: Sequence[int],
    text: Texts,
    allowed: npt.NDArray[np.bool_],
    thresholds: Thresholds,
    count: int = 1,
) -> list[Decoded]:
    """Decides all links of one example.

    Args:
        reach: the last node that a span from each node may have.
        allowed: the phrases of the question's language [v].
        count: how many results are wanted at most. They differ in the spans of gaps that have one.

    Returns:
        The results, the most probable first; at least one.
    """
    chances = _softmax(links.starts)
    gone = 1 / (1 + np.exp(-links.deletions))
    spans = 1 - chances[0, :, 0]
    deleted = {int(word) for word in np.flatnonzero(gone >= thresholds.deletion)}
    options: list[list[Placed]] = []
    for gap in range(len(spans)):
        replaces = gap in deleted
        needed = thresholds.replacing if replaces else thresholds.span
        if spans[gap] >= needed:
            options.append(
                _options(links, heads, reach, text, allowed, thresholds, chances, gap, count)
            )
        else:
            phrase = _softmax(np.where(allowed, heads.phrases(links, 0, gap, 0, 0), -1e9))
            best = int(phrase.argmax())
            if best and phrase[best] >= thresholds.phrase:
                options.append([Placed(gap, (), (best, 0, 0), float(phrase[best]))])
    null = float(np.prod(chances[0, :, 0].astype(np.float64)))
    found: dict[tuple[Placed, ...], Decoded] = {}
    combined = _combined(options, count)
    total = sum(map(_chance, combined))
    for chosen in combined:
        placed = tuple(_resolved(chosen, deleted, text))
        share = _chance(chosen) / total
        if placed in found:
            found[placed] = replace(found[placed], share=found[placed].share + share)
            continue
        kept = supported(deleted, placed)
        decided = [one.chance for one in placed] + [float(gone[word]) for word in kept]
        sure = float(np.prod(decided)) if decided else null
        found[placed] = Decoded(placed, tuple(sorted(kept)), sure, null, share)
    return list(found.values())


def _combined(options: Sequence[Sequence[Placed]], count: int) -> Sequence[Sequence[Placed]]:
    """The most probable choices of one option a gap."""
    if count == 1:
        return [[one[0] for one in options]]
    # Beyond the first gaps the best of each is enough: nobody reads so many results.
    free = [one if number < _FREE else one[:1] for number, one in enumerate(options)]
    return sorted(product(*free), key=_chance, reverse=True)[:count]


def _chance(placed: Sequence[Placed]) -> float:
    """By which choices are compared: of what they hold only the first spans vary."""
    return math.prod(one.spans[0].chance if one.spans else one.chance for one in placed)


def _options(
    links: Links,
    heads: Heads,
    reach: Sequence[int],
    text: Texts,
    allowed: npt.NDArray[np.bool_],
    thresholds: Thresholds,
    chances: FloatArray,
    gap: int,
    count: int,
) -> list[Placed]:
    """What may go into a gap, the most probable first; of two spans only the first one varies."""
    second: list[Choice] = []
    if 1 - chances[1, gap, 0] >= thresholds.second:
        second = candidates(links, chances[1, gap], 1, gap, reach, text)
    found = []
    for best in candidates(links, chances[0, gap], 0, gap, reach, text)[:count]:
        apart = (one for one in second if one.last < best.first or one.first > best.last)
        spans = (best, *islice(apart, 1))
        phrases = [0, 0, 0]
        ends = {0: spans[0], 2: spans[-1]}
        if len(spans) == 2:
            ends[1] = spans[1]
        for slot, span in ends.items():
            scores = heads.phrases(links, slot, gap, span.first, span.last)
            phrases[slot] = int(np.where(allowed, scores, -1e9).argmax())
        chance = best.chance if len(spans) == 1 else best.chance * spans[1].chance
        found.append(Placed(gap, spans, (phrases[0], phrases[1], phrases[2]), chance))
    return found


def candidates(
    links: Links, chances: FloatArray, slot: int, gap: int, reach: Sequence[int], text: Texts
) -> list[Choice]:
    """The most probable spans for a gap, equal texts as one, best first."""
    nodes = len(chances)
    found: dict[str, Choice] = {}
    for first in np.argsort(-chances[1:])[:_STARTS] + 1:
        last = min(reach[first], nodes - 1)
        scores = links.ends[slot, gap, first : last + 1] + links.spans[first, first : last + 1]
        ends = _softmax(scores)
        for offset in np.argsort(-ends)[:_ENDS]:
            chance = float(chances[first] * ends[offset])
            key = text(int(first), int(first + offset))
            # The most probable of the places comes first and stands for all.
            before = found.get(key) or Choice(int(first), int(first + offset), 0.0)
            found[key] = replace(before, chance=before.chance + chance)
    return sorted(found.values(), key=lambda choice: -choice.chance)


def _resolved(placed: Sequence[Placed], deleted: set[int], text: Texts) -> list[Placed]:
    """Without a span that stands a second time where nothing asks for it, the less probable one
    goes. Words that go and stand together ask once."""
    kept: list[Placed] = []
    said: set[str] = set()
    asked: set[int] = set()
    for one in sorted(placed, key=lambda one: (one.gap not in deleted, -one.chance)):
        texts = {text(span.first, span.last) for span in one.spans}
        first = one.gap
        while first - 1 in deleted:
            first -= 1
        asks = one.gap in deleted and first not in asked
        if not asks and any(mine in theirs or theirs in mine for mine in texts for theirs in said):
            continue
        said |= texts
        asked.add(first)
        kept.append(one)
    return sorted(kept, key=lambda one: one.gap)


def supported(deleted: set[int], placed: Sequence[Placed]) -> set[int]:
    """The words that may go, as something comes in their place: each run of them with an insertion
    before or after it."""
    gaps = {one.gap for one in placed}
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
