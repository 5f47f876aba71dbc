"""Edits of a rewriter that gives only its rewrite: found by laying the two texts side by side."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from anaphora.language import counts_characters, stop_words
from anaphora.records import Edit, EditKind
from anaphora.rewrite.linking.words import Range, fold, word_ranges


@dataclass(frozen=True, slots=True)
class Said:
    """A text that a rewriter was shown; `turn` is its index in the talk, None for the title."""

    text: str
    turn: int | None


def aligned_edits(
    question: str, rewrite: str, lang: str, said: Sequence[Said] = ()
) -> tuple[Edit, ...]:
    """The edits that lead from the question to the rewrite, white space and Unicode form aside.

    Each is taken to come from the text of `said` that holds its words, or else most of them; of
    several the first. Time grows with the product of the two texts' lengths: give no long ones.

    >>> for edit in aligned_edits("When did they end?", "When did The Mothers end?", "en",
    ...                           [Said("Who were The Mothers?", 0)]):
    ...     print(edit.kind, edit.text, edit.source_turn, edit.position, edit.replaced)
    replace The Mothers 0 9 they
    """
    old, new = word_ranges(question), word_ranges(rewrite)
    matcher = SequenceMatcher(None, _keys(question, old), _keys(rewrite, new), autojunk=False)
    sources = _Sources(said, lang)
    edits: list[Edit] = []
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone = question[old[first][0] : old[last - 1][1]] if last > first else ""
        position = old[first][0] if first < len(old) else len(question)
        if end == start:
            edits.append(Edit("delete", gone, None, position))
            continue
        text = rewrite[new[start][0] : new[end - 1][1]]
        kind: EditKind = "replace" if gone else "insert"
        edits.append(Edit(kind, text, sources.find(text), position, gone))
    return tuple(edits)


def _keys(text: str, ranges: Sequence[Range]) -> list[str]:
    return [unicodedata.normalize("NFC", text[start:end]) for start, end in ranges]


class _Sources:
    """The texts that words may have come from, cut into words when first asked."""

    def __init__(self, said: Sequence[Said], lang: str) -> None:
        self._said = said
        self._empty = {fold(word) for word in stop_words(lang)} | {"'s"}
        self._runs = counts_characters(lang)
        self._texts: list[list[str]] | None = None

    def find(self, text: str) -> int | None:
        if self._texts is None:
            self._texts = [_folded(one.text) for one in self._said]
        words = _folded(text)
        told = [word for word in words if word not in self._empty and word.isalnum()]
        best, source = 0.5, None
        for one, known in zip(self._said, self._texts, strict=True):
            share = self._share(told or words, known)
            if share > best:
                best, source = share, one.turn
        return source

    def _share(self, words: Sequence[str], known: Sequence[str]) -> float:
        """How much of `words` stands in `known`: at all, or where the words are single characters,
        in one piece."""
        if not words:
            return 0.0
        if self._runs:
            match = SequenceMatcher(None, known, words, autojunk=False).find_longest_match()
            return match.size / len(words)
        present = set(known)
        return sum(word in present for word in words) / len(words)


def _folded(text: str) -> list[str]:
    return [fold(text[start:end]) for start, end in word_ranges(text)]
