"""Follow-ups that say nothing of their own: "why?", "an example?", "in French, please".

The phrases of each language are in its file (see `anaphora.language.tables`):

`[follow_ups]`
    `why`, `how`, `example`, `amount`, `next` and `more` list utterances that ask on about the
    question before; the first of each fits behind any question. `in_language` has the ways to name
    the language of an answer, with {} for its name, and `asides` the words that may accompany it.
`[language_names]`
    The names of languages by their codes, as they fit into `in_language`.

Phrases of all languages are recognised in every conversation.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from anaphora.language import listed_languages, scripts
from anaphora.language.intent import phrase_key
from anaphora.language.tables import table

_LONGEST: Final = 80
"""Characters; more is a question of its own."""
_KINDS: Final = ("why", "how", "example", "amount", "next", "more")
_UNSPACED: Final = f"{scripts.HAN}{scripts.KANA}{scripts.THAI}"
_UNIT: Final = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_BORDER: Final = re.compile(r"[,;:.!?…。、，；：！？،؛؟।\n—–]+\s*")


def bare_follow_up(text: str, lang: str) -> str | None:
    """What asks on about the question before, as it is said in `lang`; None for other utterances.

    >>> bare_follow_up("Why?", "en"), bare_follow_up("pourquoi ?", "de")
    ('why', 'warum')
    """
    if len(text) > _LONGEST:
        return None
    key = phrase_key(text)
    kind = _bare().get(key)
    if kind is None:
        return None
    own = _phrases(lang, kind)
    if not own or key in map(phrase_key, own):
        return text.strip()
    return own[0]


class Instruction(NamedTuple):
    """The language that was asked for, and what the utterance says besides."""

    lang: str
    rest: str


def language_instruction(text: str) -> Instruction | None:
    """The instruction to answer in a language, at the beginning or end of an utterance.

    >>> language_instruction("And in French, please?")
    Instruction(lang='fr', rest='')
    >>> language_instruction("auf Deutsch: was ist ein Sponsor?")
    Instruction(lang='de', rest='was ist ein Sponsor?')
    >>> language_instruction("Is there a manual in French?")
    """
    text = text.strip()
    lang = _instructed(text)
    if lang:
        return Instruction(lang, "")
    for border in _BORDER.finditer(text):
        lang = _instructed(text[: border.start()])
        if lang:
            return Instruction(lang, text[border.end() :])
        lang = _instructed(text[border.end() :])
        if lang:
            return Instruction(lang, text[: border.end()].rstrip(" ,;:、，；：،؛—–"))
    return None


def _instructed(text: str) -> str:
    """The language that a text names; empty unless the text consists of listed phrases."""
    if len(text) > _LONGEST:
        return ""
    key = phrase_key(text)
    phrases = _instructions()
    units = [unit.span() for unit in _UNIT.finditer(key)]
    # For each number of units, the language named in a segmentation of that many of them.
    reached: list[str | None] = ["", *[None] * len(units)]
    for last, (_, end) in enumerate(units):
        for first in range(last + 1):
            before = reached[first]
            named = phrases.get(key[units[first][0] : end])
            if before is None or named is None or (before and named and before != named):
                continue
            reached[last + 1] = before or named or reached[last + 1] or ""
    return reached[-1] or ""


@lru_cache(maxsize=64)
def _phrases(lang: str, name: str, within: str = "follow_ups") -> tuple[str, ...]:
    listed = re.split(r"[,\n]", table(lang, within).get(name, ""))
    return tuple(phrase.strip() for phrase in listed if phrase.strip())


@lru_cache(maxsize=1)
def _bare() -> dict[str, str]:
    """The kind of each utterance."""
    found: dict[str, str] = {}
    for lang in sorted(listed_languages()):
        for kind in _KINDS:
            for phrase in _phrases(lang, kind):
                found.setdefault(phrase_key(phrase), kind)
    return found


@lru_cache(maxsize=1)
def _instructions() -> dict[str, str]:
    """The language that each phrase names; empty for one that only accompanies it."""
    found: dict[str, str] = {}
    for lang in sorted(listed_languages()):
        for phrase in _phrases(lang, "asides"):
            found.setdefault(phrase_key(phrase), "")
        for code in table(lang, "language_names"):
            for name in _phrases(lang, code, "language_names"):
                for form in _phrases(lang, "in_language"):
                    found[phrase_key(form.replace("{}", name))] = code
    return found
