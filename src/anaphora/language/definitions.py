"""Questions that ask what something is, and what they ask about."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from anaphora.language.context_dependence import is_context_dependent
from anaphora.language.question_words import folded_question
from anaphora.language.scripts import counts_characters
from anaphora.language.tables import table

_WORDS: Final = 4
_CHARACTERS: Final = 16


def defined_term(question: str, lang: str) -> str:
    """What a question asks to define, in small letters; empty for any other question, and for one
    about what an earlier turn said.

    >>> defined_term("What is a boot loader?", "en"), defined_term("永続化とは", "ja")
    ('boot loader', '永続化')
    >>> defined_term("What is it?", "en"), defined_term("what is the default", "en")
    ('', '')
    """
    pattern = _pattern(lang)
    match = pattern.match(folded_question(question, lang).rstrip("?？؟.!。 ")) if pattern else None
    if match is None or is_context_dependent(question, lang):
        return ""
    term = next((text.strip() for text in match.groups() if text), "")
    size, most = len(term.split()), _WORDS
    if counts_characters(lang):
        size, most = len(term), _CHARACTERS
    return term if 0 < size <= most else ""


@lru_cache(maxsize=64)
def _pattern(lang: str) -> re.Pattern[str] | None:
    pattern = table(lang, "questions").get("definition")
    return re.compile(pattern) if pattern else None
