"""Whether a question depends on earlier turns: pronouns, demonstratives, "and …?"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from anaphora.language.tables import table
from anaphora.normal_form import normal_form

_WORD: Final = re.compile(r"[\w'’\u0300-\u036f\u0900-\u0963]+")


_ARABIC_AND: Final = "و"
"""It is written together with the word after it."""


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
    lang = _listed(lang)
    pattern = _pattern(lang)
    if pattern:
        return pattern.search(_folded(text)) is not None
    referring = _words(lang, "referring")
    forms = _forms(lang)
    words = _split(_without_idioms(text, lang))
    return (
        begins_with_and(text, lang)
        or any(part in referring for word in words for part in (word, *_parts(word)))
        or (forms is not None and forms.search(_folded(text).replace("’", "'")) is not None)
    )


def begins_with_and(text: str, lang: str) -> bool:
    """Whether a question begins with a word that continues the one before, such as "and" or "what
    about"; False in languages without spaces between words.

    >>> begins_with_and("And when?", "en"), begins_with_and("¿Y en 1998?", "es")
    (True, True)
    """
    lang = _listed(lang)
    if _pattern(lang):
        return False
    words = _split(text)
    continuing = _words(lang, "continuing")
    return bool(words) and (words[0] in continuing or "_".join(words[:2]) in continuing)


def without_and(text: str, lang: str) -> str:
    """A question without the word that continues the one before, if it begins with one.

    >>> without_and("and how do I copy a file?", "en"), without_and("Why?", "en")
    ('how do I copy a file?', 'Why?')
    """
    if not begins_with_and(text, lang):
        return text
    words = list(_WORD.finditer(text))
    if words[0][0].startswith(_ARABIC_AND) and len(words[0][0]) > 1:
        return text[words[0].start() + 1 :]
    continuing = _words(_listed(lang), "continuing")
    count = 1 if words[0][0].casefold() in continuing else 2
    return text[words[count - 1].end() :].lstrip(" ,") if len(words) > count else text


def _without_idioms(text: str, lang: str) -> str:
    """Without phrases whose words refer to nothing."""
    pattern = _compiled(lang, "not_referring")
    return pattern.sub("", _folded(text)) if pattern else text


def _listed(lang: str) -> str:
    return lang if table(lang, "context_dependence") else "en"


def _folded(text: str) -> str:
    return normal_form("NFC", text).casefold()


def _parts(word: str) -> list[str]:
    return re.split("['’]", word)


def _split(text: str) -> list[str]:
    return [word.strip("'’") for word in _WORD.findall(_folded(text))]


def _pattern(lang: str) -> re.Pattern[str] | None:
    """Of a language without spaces between words, where single words cannot be looked up."""
    return _compiled(lang, "pattern")


def _forms(lang: str) -> re.Pattern[str] | None:
    """Of pronouns that only their context distinguishes from other words."""
    return _compiled(lang, "forms")


@lru_cache(maxsize=256)
def _compiled(lang: str, name: str) -> re.Pattern[str] | None:
    pattern = table(lang, "context_dependence").get(name)
    return None if pattern is None else re.compile(pattern)


@lru_cache(maxsize=64)
def _words(lang: str, name: str) -> frozenset[str]:
    return frozenset(table(lang, "context_dependence")[name].split())
