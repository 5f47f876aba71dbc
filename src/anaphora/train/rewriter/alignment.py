"""What a linker has to learn from a question and its rewrite: deletions, and what goes where.

Every change between the two is a place in the question (before a word, or at its end) that gets

    phrase  span  phrase  span  phrase

where a span is a run of words of one earlier utterance and a phrase stands in a closed set
("of", "besides", ", "); any of the five may be missing. "besides | supernatural abilities | ,".
A word of the rewrite that this cannot say is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from anaphora.rewrite.linking.realization import MAX_SPAN_WORDS

LONGEST_PHRASE = 4
_LONGEST_INSERTION = 48
_NEW_SPAN = 0.6
"""What a second span must save in missed words to be taken."""

Span = tuple[int, int]
"""The first and the last word of a span, numbered over the whole context."""

Spelling = Callable[[int, int], str]
"""How words are written, from one to before another."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """What goes before word `gap` of the question.

    `spans` has no, one or two entries, each with every place of the context where these words
    stand; `phrases` are those before, between and after, "" for none. `lacking`: what was put
    here is for the most part in no earlier utterance, so that there is nothing to learn from it.
    """

    gap: int
    spans: tuple[tuple[Span, ...], ...]
    phrases: tuple[str, str, str]
    lacking: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """`missed` counts the rewrite's words that the labels do not give, of `inserted` new ones."""

    deleted: tuple[int, ...]
    insertions: tuple[Insertion, ...]
    missed: int
    inserted: int


class Aligner:
    """Finds labels for rewrites over one context.

    Args:
        context: the words of each earlier utterance, folded.
        empty: words that alone are no span: the language's stop words and signs.
    """

    def __init__(self, context: Sequence[Sequence[str]], empty: Container[str]) -> None:
        self._words = [word for utterance in context for word in utterance]
        self._ends: list[int] = []
        at = 0
        for utterance in context:
            at += len(utterance)
            self._ends += [at] * len(utterance)
        self._places: dict[str, list[int]] = {}
        for number, word in enumerate(self._words):
            self._places.setdefault(word, []).append(number)
        self._empty = empty

    def align(
        self,
        question: Sequence[str],
        rewrite: Sequence[str],
        phrases: Container[str] | None = None,
        spelling: Spelling | None = None,
    ) -> Labels:
        """Labels that turn `question` into `rewrite` (folded words).

        Args:
            phrases: the closed set; without it any run of up to LONGEST_PHRASE words is one, which
                is how the set is found in the first place.
            spelling: how phrases are written that are words of the rewrite; without it as these,
                with spaces.
        """
        spelling = spelling or (lambda first, end: " ".join(rewrite[first:end]))
        deleted: list[int] = []
        insertions: list[Insertion] = []
        missed = inserted = 0
        matcher = SequenceMatcher(None, question, rewrite, autojunk=False)
        for kind, first, last, start, end in matcher.get_opcodes():
            if kind == "equal":
                continue
            deleted += range(first, last)
            if start == end:
                continue
            inserted += end - start
            spans, texts, lost = self._decompose(rewrite, start, end, phrases, spelling)
            missed += lost
            insertions.append(Insertion(first, spans, texts, 2 * lost >= end - start))
        return Labels(tuple(deleted), tuple(insertions), missed, inserted)

    def _decompose(
        self,
        rewrite: Sequence[str],
        start: int,
        end: int,
        phrases: Container[str] | None,
        spelling: Spelling,
    ) -> tuple[tuple[tuple[Span, ...], ...], tuple[str, str, str], int]:
        """The spans and phrases that give most of the words from `start` to before `end`, and how
        many words are missed."""
        words = rewrite[start:end]
        if len(words) > _LONGEST_INSERTION:
            return (), ("", "", ""), len(words)

        def spelled(first: int, last: int) -> str:
            return spelling(start + first, start + last)

        runs = self._runs(words)
        options: list[tuple[tuple[int, int], ...]] = [()]
        options += [(run,) for run in runs]
        options += [(a, b) for a in runs for b in runs if a[1] <= b[0]]
        best: tuple[float, tuple[tuple[int, int], ...]] = (float("inf"), ())
        chosen: tuple[list[str], int] = ([], len(words))
        for option in options:
            texts, lost = _phrases(len(words), option, phrases, spelled)
            cost = lost + _NEW_SPAN * len(option) + 0.2 * sum(bool(text) for text in texts)
            if cost < best[0]:
                best, chosen = (cost, option), (texts, lost)
        texts, lost = chosen
        # With one span there is nothing between two.
        texts = [texts[0], texts[1] if len(texts) == 3 else "", texts[-1] if best[1] else ""]
        spans = tuple(self._find(words[a:b]) for a, b in best[1])
        return spans, (texts[0], texts[1], texts[2]), lost

    def _runs(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Ranges of `words` that stand in the context: the longest from each word, and where its
        end is an empty word, also those without it."""
        found: list[tuple[int, int]] = []
        for start, word in enumerate(words):
            longest = 0
            for place in self._places.get(word, ()):
                size = 1
                while (
                    size < MAX_SPAN_WORDS
                    and start + size < len(words)
                    and place + size < self._ends[place]
                    and self._words[place + size] == words[start + size]
                ):
                    size += 1
                longest = max(longest, size)
            while longest:
                if any(one not in self._empty for one in words[start : start + longest]):
                    found.append((start, start + longest))
                if words[start + longest - 1] not in self._empty:
                    break
                longest -= 1
        return found

    def _find(self, words: Sequence[str]) -> tuple[Span, ...]:
        size = len(words)
        return tuple(
            (place, place + size - 1)
            for place in self._places[words[0]]
            if place + size <= self._ends[place]
            and self._words[place : place + size] == list(words)
        )


def _phrases(
    size: int, spans: Sequence[tuple[int, int]], known: Container[str] | None, spelled: Spelling
) -> tuple[list[str], int]:
    """The phrase before, between and after `spans`, and how many words no phrase gives."""
    borders = [0, *(border for span in spans for border in span), size]
    texts: list[str] = []
    lost = 0
    for start, end in list(pairwise(borders))[::2]:
        text, missing = _phrase(start, end, known, spelled)
        texts.append(text)
        lost += missing
    return texts, lost


def _phrase(
    start: int, end: int, known: Container[str] | None, spelled: Spelling
) -> tuple[str, int]:
    for size in range(min(end - start, LONGEST_PHRASE), 0, -1):
        for first in range(start, end - size + 1):
            text = spelled(first, first + size)
            if known is None or text in known:
                return text, end - start - (0 if known is None else size)
    return "", end - start


def closed_set(talks: Iterable[Iterable[Labels]], at_least: int, at_most: int) -> tuple[str, ...]:
    """The phrases that occur in often enough talks, the most frequent first: what one talk says
    again and again is its subject."""
    counts: Counter[str] = Counter()
    for talk in talks:
        counts.update(
            {phrase for one in talk for place in one.insertions for phrase in place.phrases}
        )
    del counts[""]
    return tuple(text for text, count in counts.most_common(at_most) if count >= at_least)


def apply(question: Sequence[str], context: Sequence[str], labels: Labels) -> list[str]:
    """The words of the rewrite that the labels give: the best that a linker could do."""
    deleted = set(labels.deleted)
    gaps = {insertion.gap: insertion for insertion in labels.insertions}
    words: list[str] = []
    for number in range(len(question) + 1):
        insertion = gaps.get(number)
        if insertion:
            for slot in range(3):
                words += insertion.phrases[slot].split()
                if slot < len(insertion.spans):
                    first, last = insertion.spans[slot][0]
                    words += context[first : last + 1]
        if number < len(question) and number not in deleted:
            words.append(question[number])
    return words
