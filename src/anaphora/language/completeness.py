"""How much a question says itself, as far as its words tell."""

from __future__ import annotations

from typing import Literal

from anaphora.language.analysis import analyzer, tokenize
from anaphora.language.context_dependence import is_context_dependent
from anaphora.language.question_words import question_type
from anaphora.language.scripts import counts_characters

_TERMS_PER_WORD = 4
"""How many terms a word has where these are characters and pairs of characters."""

_FRAGMENT = 4
"""The most words of a fragment."""


def completeness(question: str, lang: str) -> Literal[0, 1, 2]:
    """0 for a question that refers to an earlier one, or is a fragment: at most four words, two of
    them content words, without a question word or a verb that asks. Otherwise 1 with one content
    word, and 2 with more.

    >>> completeness("what is preseeding", "en"), completeness("how do I print a letter", "en")
    (1, 2)
    >>> completeness("whats the default", "en"), completeness("whats the default size", "en")
    (1, 2)
    >>> completeness("from Windows?", "en"), completeness("怎么删除它", "zh")
    (0, 0)
    """
    if is_context_dependent(question, lang):
        return 0
    term = analyzer(lang).term
    # "whats" for "what's".
    own = (word for word in tokenize(question) if term(word.removesuffix("s") or word))
    words = len({word for word in own if term(word)})
    if counts_characters(lang) or lang == "ko":
        words //= _TERMS_PER_WORD
    fragment = not counts_characters(lang) and len(question.split()) <= _FRAGMENT
    if fragment and words <= 2 and question_type(question, lang) == "other":
        return 0
    return 2 if words > 1 else 1
