"""How much a question says itself, as far as its words tell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from anaphora.language.analysis import analyzer, tokenize
from anaphora.language.context_dependence import is_context_dependent, without_and
from anaphora.language.definitions import defined_term
from anaphora.language.question_words import question_type
from anaphora.language.scripts import counts_characters
from anaphora.language.stopwords import stop_words
from anaphora.language.tables import table

_TERMS_PER_WORD = 4
"""How many terms a word has where these are characters and pairs of characters."""
_ENOUGH = 3
"""Content words with which a question that goes on with "and" can be searched by itself."""
_FRAGMENT = 4
"""The most words of a fragment."""
_NO = {
    "no", "not", "none", "kein", "keine", "keinen", "nicht", "pas", "aucun", "aucune", "non",
    "nessun", "nessuna", "não", "nenhum", "nenhuma", "нет", "не", "ei", "hiçbir", "yok", "không",
    "chưa", "لا", "ليس", "नहीं",
}  # fmt: skip
"""What a problem begins with: "no sound"."""


def completeness(question: str, lang: str) -> Literal[0, 1, 2]:
    """0 for a question that refers to an earlier one, or is a fragment: at most four words, two of
    them content words, without a question word or a verb that asks. Otherwise 1 with one content
    word, and 2 with more, or if it asks what something is.

    >>> completeness("what is preseeding", "en"), completeness("how do I print a letter", "en")
    (2, 2)
    >>> completeness("whats the default", "en"), completeness("whats the default size", "en")
    (1, 2)
    >>> completeness("from Windows?", "en"), completeness("怎么删除它", "zh")
    (0, 0)
    """
    if is_context_dependent(question, lang):
        return 0
    if defined_term(question, lang) or says_its_topic(question, lang):
        return 2
    words = _content_words(question, lang)
    if words <= 2 and _is_fragment(question, lang):
        return 0
    return 2 if words > 1 else 1


def is_tail(question: str, lang: str) -> bool:
    """Whether a question is a fragment that begins with a function word, as the end of an earlier
    question could. In the conversations of `training/dialogues` 77 of 78 such fragments need the
    questions before them, and 5 of the 27,557 questions there that were asked alone are such ones.

    >>> is_tail("to another machine", "en"), is_tail("nur mit Tastatur", "de")
    (True, True)
    >>> is_tail("default port", "en"), is_tail("no sound", "en"), is_tail("in which folder", "en")
    (False, False, False)
    """
    first = question.split(maxsplit=1)[0].lower() if question.strip() else ""
    return first in stop_words(lang) - _NO and _is_fragment(question, lang)


def _is_fragment(question: str, lang: str) -> bool:
    short = not counts_characters(lang) and len(question.split()) <= _FRAGMENT
    return short and question_type(question, lang) == "other"


def may_refer_beyond(question: str, lang: str) -> bool:
    """Whether a question that refers to something says enough to be searched by itself: what "it"
    is may be what all documents are about, and no turn has named.

    >>> may_refer_beyond("does it run on Windows", "en")
    True
    >>> may_refer_beyond("how do I delete it", "en")
    False
    """
    return (
        is_context_dependent(question, lang)
        and without_and(question, lang) == question
        and _content_words(question, lang) > 1
    )


def goes_on_alone(question: str, lang: str) -> bool:
    """Whether a question that goes on with "and" has enough words to be searched by itself.

    >>> goes_on_alone("and ask the developers for a new feature", "en")
    True
    >>> goes_on_alone("and for a feature", "en"), goes_on_alone("ask for a new feature", "en")
    (False, False)
    """
    return without_and(question, lang) != question and _content_words(question, lang) >= _ENOUGH


def _content_words(question: str, lang: str) -> int:
    term = analyzer(lang).term
    # "whats" for "what's".
    own = (word for word in tokenize(question) if term(word.removesuffix("s") or word))
    count = len({word for word in own if term(word)})
    return count // _TERMS_PER_WORD if counts_characters(lang) or lang == "ko" else count


def says_its_topic(question: str, lang: str) -> bool:
    """Whether the form of a question shows that nothing is left out of it.

    >>> says_its_topic("通貨を追加するには", "ja"), says_its_topic("追加するには", "ja")
    (True, False)
    """
    pattern = _complete(lang)
    return pattern is not None and pattern.search(question) is not None


@lru_cache(maxsize=64)
def _complete(lang: str) -> re.Pattern[str] | None:
    pattern = table(lang, "context_dependence").get("complete")
    return re.compile(pattern) if pattern else None
