"""Words of several languages that name a value, found at a place of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from anaphora.language import scripts
from anaphora.normal_form import normal_form


class Lexicon:
    """Values by the words that name them.

    Args:
        table: by value, its words. "*" stands for any ending, "_" for a space. A word of a script
            without spaces matches wherever it stands, all others match whole.

    >>> months = Lexicon({"1": "january январ*", "3": "3月 मार्च"})
    >>> months.at("в январе", 2), months.at("3月は", 0), months.at("januaryx", 0)
    ((('1',), 8), (('3',), 2), None)
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        self._stems: dict[str, tuple[str, ...]] = {}
        self._pieces: dict[str, tuple[str, ...]] = {}
        for value, words in table.items():
            for word in words.split():
                form = _folded(word.rstrip("*").replace("_", " "))
                group = self._stems if word.endswith("*") else self._words
                if _unspaced().search(form) or not form[-1].isalpha() or " " in form:
                    group = self._pieces
                group[form] = (*group.get(form, ()), value)
        self._longest = max(map(len, self._pieces), default=0)

    def at(self, text: str, start: int) -> tuple[tuple[str, ...], int] | None:
        """The values of the word that begins at a place, and its end; None if there is no such."""
        word = _word().match(text, start)
        if word:
            form = _folded(word[0])
            if found := self._words.get(form):
                return found, word.end()
        for size in range(self._longest, 0, -1):
            piece = text[start : start + size]
            if len(piece) == size and (found := self._pieces.get(_folded(piece))):
                return found, start + size
        if word:
            for size in range(len(form), 1, -1):
                if found := self._stems.get(form[:size]):
                    return found, word.end()
        return None


def words(text: str) -> list[tuple[int, int]]:
    """The character ranges of the words of a text.

    What is written without spaces is one word. Latin and other letters are never in one word.
    """
    return [match.span() for match in _word().finditer(text)]


def _folded(word: str) -> str:
    return normal_form("NFC", word.replace("İ", "i").lower())


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    latin, marks = scripts.inside("Latin"), scripts.mark_class()
    return re.compile(
        rf"[{latin}][{latin}{marks}0-9]*|[^\W\d_{latin}](?:[^\W\d_{latin}]|[{marks}])*"
    )


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{scripts.HAN}{scripts.KANA}{scripts.HANGUL}{scripts.THAI}]")
