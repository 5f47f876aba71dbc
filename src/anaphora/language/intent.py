"""Intents: a question, or a greeting, thanks or a farewell, which ask nothing of the documents.

An utterance is a courtesy only if it consists of nothing else. The phrases of each language are in
the table `[courtesies]` of its file (see `anaphora.language.tables`):

`greeting`, `thanks`, `farewell`
    Courtesies.
`assent`
    Reactions to an answer ("ok", "got it", "sorry"). Their intent is "thanks", but they have a
    reply of their own.
`alone`
    Assent only as a whole clause: in addition to other words they negate or ask ("no", "có").
`particles`
    Forms of address, emphasis and what people give thanks for ("doc", "so much", "for your help").
    They are not courtesies, but may accompany one.

Phrases of all languages are recognised in every conversation.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

from anaphora.language import listed_languages, normalize, scripts
from anaphora.language.tables import table
from anaphora.normal_form import normal_form
from anaphora.records import Intent

_LONGEST: Final = 80
"""Characters; a longer utterance is a question."""

Courtesy = Literal["assent", "greeting", "thanks", "farewell"]

INTENTS: Final[dict[Courtesy, Intent]] = {
    "greeting": "greeting",
    "thanks": "thanks",
    "farewell": "farewell",
    "assent": "thanks",
}
"""The intent of each courtesy."""

_RANKED: Final[tuple[Courtesy | None, ...]] = (None, "assent", "greeting", "thanks", "farewell")
"""Of several courtesies in a row the last one of these counts; None is a particle."""

_RANKS: Final[dict[str, int]] = {kind or "particles": at for at, kind in enumerate(_RANKED)}

_SPELLINGS: Final = str.maketrans("ёأإآىةँ", "еااايهं", "'’ʼ‘`´\u093c")

_UNSPACED: Final = f"{scripts.HAN}{scripts.KANA}{scripts.THAI}"
_UNIT: Final = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_CLAUSE: Final = re.compile(r"([^,.!?:;…。、،؛؟।\n]+)(\s*[?؟])?")


def classify_intent(text: str) -> Intent:
    """The intent of an utterance: that of its courtesy, else "question".

    >>> classify_intent("Merci beaucoup !"), classify_intent("OK, got it")
    ('thanks', 'thanks')
    >>> classify_intent("Hi! What is apt?")
    'question'
    """
    courtesy = classify_courtesy(text)
    return "question" if courtesy is None else INTENTS[courtesy]


def classify_courtesy(text: str) -> Courtesy | None:
    """The courtesy that an utterance consists of; None for any other utterance.

    Several courtesies in a row remain one ("OK, thank you! Bye."); a courtesy followed by a
    question is a question. So are assent and thanks with a question mark ("Fine?"), unlike
    greetings ("How are you?"). Case, other punctuation, emoji, drawn-out letters and missing
    accents are ignored. Text without letters and digits is not a courtesy.

    >>> classify_courtesy("OK"), classify_courtesy("OK, thank you! Bye.")
    ('assent', 'farewell')
    """
    if len(text) > _LONGEST:
        return None
    highest = 0
    for clause, asks in _CLAUSE.findall(normalize(text)):
        rank = _rank(phrase_key(clause))
        if rank is None or (asks and _RANKED[rank] != "greeting"):
            return None
        highest = max(highest, rank)
    return _RANKED[highest]


def _rank(clause: str) -> int | None:
    """The highest rank in a clause that is a sequence of listed phrases; None for any other."""
    phrases, alone = _phrases()
    if clause in alone:
        return _RANKS["assent"]
    units = [unit.span() for unit in _UNIT.finditer(clause)]
    # For each number of units, the highest rank in a segmentation of that many of them.
    reached: list[int | None] = [0] + [None] * len(units)
    for last, (_, end) in enumerate(units):
        for first in range(last + 1):
            before = reached[first]
            if before is None:
                continue
            phrase = clause[units[first][0] : end]
            rank = phrases.get(phrase)
            if rank is None:
                rank = phrases.get(re.sub(r"(.)\1{2,}", r"\1", phrase))
            if rank is not None:
                reached[last + 1] = max(before, rank)
                break
    return reached[-1]


@lru_cache(maxsize=1)
def _phrases() -> tuple[dict[str, int], frozenset[str]]:
    """The rank of each phrase in any language, and the phrases that count only alone.

    Of a phrase listed under several keys, in one language or in several, the first of the loop's
    keys counts.
    """
    exact: dict[str, int] = {}
    unaccented: dict[str, int] = {}
    alone: set[str] = set()
    for kind in ("greeting", "thanks", "farewell", "assent", "particles", "alone"):
        for lang in sorted(listed_languages()):
            for phrase in re.split(r"[,\n]", table(lang, "courtesies").get(kind, "")):
                key = phrase_key(phrase)
                # Without its accents most of Vietnamese would be other words.
                keys = (key,) if lang == "vi" else (key, _unaccented(key))
                if kind == "alone":
                    alone.update(keys)
                else:
                    exact.setdefault(keys[0], _RANKS[kind])
                    unaccented.setdefault(keys[-1], _RANKS[kind])
    ranks = unaccented | exact
    ranks.pop("", None)
    return {key: rank for key, rank in ranks.items() if key not in alone}, frozenset(alone - {""})


def _unaccented(key: str) -> str:
    if key and not key.isascii() and key[0] < "\u0250":
        key = normal_form("NFD", key.replace("ı", "i"))
        return "".join(char for char in key if not unicodedata.combining(char))
    return key


def phrase_key(text: str) -> str:
    """The form of a phrase in which spelling variants are equal."""
    text = normalize(text).casefold().replace("i\u0307", "i").translate(_SPELLINGS)
    kept = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text)
    return " ".join("".join(kept).split())
