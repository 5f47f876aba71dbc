"""Labels for the linker from a question and its rewrite: deletions and insertions.

An insertion is a place in the question (before a word, or at its end) that receives

    phrase  span  phrase  span  phrase

where a span is a sequence of words from one earlier utterance and a phrase is in a closed set
("of", "besides", ", "); any of the five may be empty: "besides | supernatural abilities | ,". A
word of the rewrite that cannot be expressed in this way counts as missed.
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
"""The number of missed words that a further span must save."""

Span = tuple[int, int]
"""The first and the last word of a span, numbered over the whole context."""

Spelling = Callable[[int, int], str]
"""The text of the words from one number to before another."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """The text that is inserted before word `gap` of the question.

    `spans` has up to two entries, each with every place of the context where the words of the span
    occur. `phrases` are those before, between and after the spans, "" for none. `lacking`: most of
    the inserted words occur in no earlier utterance, so that nothing can be learned from them.
    """

    gap: int
    spans: tuple[tuple[Span, ...], ...]
    phrases: tuple[str, str, str]
    lacking: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """`missed` is how many of the `inserted` words of the rewrite the labels cannot express."""

    deleted: tuple[int, ...]
    insertions: tuple[Insertion, ...]
    missed: int
    inserted: int


class Aligner:
    """Finds labels for rewrites over one context.

    Args:
        context: the words of each earlier utterance, folded.
        function_words: stop words and punctuation, which are not a span by themselves.
    """

    def __init__(self, context: Sequence[Sequence[str]], function_words: Container[str]) -> None:
        self._words = [word for utterance in context for word in utterance]
        self._ends: list[int] = []
        at = 0
        for utterance in context:
            at += len(utterance)
            self._ends += [at] * len(utterance)
        self._places: dict[str, list[int]] = {}
        for number, word in enumerate(self._words):
            self._places.setdefault(word, []).append(number)
        self._function_words = function_words

    def align(
        self,
        question: Sequence[str],
        rewrite: Sequence[str],
        phrases: Container[str] | None = None,
        spelling: Spelling | None = None,
    ) -> Labels:
        """Labels that turn `question` into `rewrite` (folded words).

        Args:
            phrases: the closed set; None allows any phrase of up to LONGEST_PHRASE words, which is
                how the set is found.
            spelling: the text of the phrases; without it the words of the rewrite with spaces.
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
        """The spans and phrases that express most of the words from `start` to before `end`, and
        how many words are missed."""
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
        """Ranges of `words` that occur in the context: the longest from each word, and the same
        without the function words at its end."""
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
                if any(one not in self._function_words for one in words[start : start + longest]):
                    found.append((start, start + longest))
                if words[start + longest - 1] not in self._function_words:
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
    """The phrases before, between and after `spans`, and how many words they do not express."""
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


def closed_set(
    conversations: Iterable[Iterable[Labels]], at_least: int, at_most: int
) -> tuple[str, ...]:
    """The phrases that occur in enough conversations, the most frequent first. Phrases that one
    conversation repeats are its topic and are not counted."""
    counts: Counter[str] = Counter()
    for conversation in conversations:
        counts.update(
            {phrase for one in conversation for place in one.insertions for phrase in place.phrases}
        )
    del counts[""]
    return tuple(text for text, count in counts.most_common(at_most) if count >= at_least)


def apply(question: Sequence[str], context: Sequence[str], labels: Labels) -> list[str]:
    """The words of the rewrite that the labels express: the upper bound for a linker."""
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
