"""Whether a question depends on earlier turns: pronouns, demonstratives, "and …?"."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from anaphora.language.tables import table

_WORD: Final = re.compile(r"[\w'’\u0300-\u036f\u0900-\u0963]+")


def is_context_dependent(text: str, lang: str) -> bool:
    """Whether a question refers to an earlier turn by a pronoun, a demonstrative or its beginning.

    Questions in a language without a list are looked up in English.

    >>> is_context_dependent("When did they disband?", "en")
    True
    >>> is_context_dependent("¿Y en 1998?", "es")
    True
    >>> is_context_dependent("什么是猫？", "zh")
    False
    """
    text = unicodedata.normalize("NFC", text).casefold()
    if not table(lang, "context_dependence"):
        lang = "en"
    pattern = _pattern(lang)
    if pattern:
        return pattern.search(text) is not None
    words = [word.strip("'’") for word in _WORD.findall(text)]
    if not words:
        return False
    continuing = _words(lang, "continuing")
    if words[0] in continuing or "_".join(words[:2]) in continuing:
        return True
    referring = _words(lang, "referring")
    return any(part in referring for word in words for part in (word, *re.split("['’]", word)))


@lru_cache(maxsize=64)
def _pattern(lang: str) -> re.Pattern[str] | None:
    """Of a language without spaces between words, where single words cannot be looked up."""
    pattern = table(lang, "context_dependence").get("pattern")
    return None if pattern is None else re.compile(pattern)


@lru_cache(maxsize=64)
def _words(lang: str, name: str) -> frozenset[str]:
    return frozenset(table(lang, "context_dependence")[name].split())
