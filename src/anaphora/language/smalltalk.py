"""Utterances that ask nothing of the documents: courtesies, and talk with the assistant itself."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from anaphora.language import scripts
from anaphora.language.analysis import normalize
from anaphora.language.beside import BESIDE
from anaphora.language.chitchat import ABOUT, CHAT
from anaphora.language.courtesies import COURTESIES
from anaphora.language.phrases import SmallTalk
from anaphora.language.remarks import REMARKS

_LONGEST: Final = 80

_ORDER: Final[tuple[SmallTalk | None, ...]] = (
    None,
    "assent",
    "greeting",
    "thanks",
    "farewell",
    "chat",
    "about",
)
"""Of several in a row the last of these is replied to; None is what is only said beside them."""

_ASKING: Final = frozenset({"greeting", "chat", "about"})
"""What may end in a question mark and still ask nothing of the documents."""

_ALONE: Final = """
    no | não | non | ei | لا | नहीं | không | có | ไม่ | ไม่ใช่ | 不 | 不是 | 不用 | 请 | 請
    お願いします
"""
"""Negate, ask or bid as soon as other words stand beside them: "no entiendo", "được không"."""

_SPELLINGS: Final = str.maketrans("ёأإآىةँ", "еااايهं", "'’ʼ‘`´\u093c")

_UNSPACED: Final = f"{scripts.HAN}{scripts.KANA}{scripts.THAI}"
_UNIT: Final = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_CLAUSE: Final = re.compile(r"([^,.!?:;…。、،؛؟।\n]+)(\s*[?؟])?")


def small_talk(text: str) -> SmallTalk | None:
    """What an utterance is that asks nothing of the documents; None for any other.

    The whole of it must be small talk: "hi, what is apt?" asks something, and so does "who are you
    according to the handbook?". Several in a row still ask nothing ("OK, thank you! Bye.") but
    assent or thanks with a question mark ask something ("Fine?"). Case, other punctuation, emoji,
    drawn-out letters and accents left out do not matter. Text without any letter or digit is not
    small talk, and neither is the empty text.

    >>> small_talk("Merci beaucoup !"), small_talk("Hi! Who are you?"), small_talk("What is apt?")
    ('thanks', 'about', None)
    """
    if len(text) > _LONGEST:
        return None
    highest = 0
    for clause, asked in _CLAUSE.findall(normalize(text)):
        rank = _rank(_key(clause))
        if rank is None or (asked and _ORDER[rank] not in _ASKING):
            return None
        highest = max(highest, rank)
    return _ORDER[highest]


def is_small_talk(text: str) -> bool:
    """Whether an utterance asks nothing of the documents; see `small_talk`.

    >>> is_small_talk("Merci beaucoup !"), is_small_talk("Hi! What is apt?")
    (True, False)
    """
    return small_talk(text) is not None


def _rank(clause: str) -> int | None:
    """The place in the order of a clause of listed phrases, one after another."""
    units = [unit.span() for unit in _UNIT.finditer(clause)]
    reached: list[int | None] = [0] + [None] * len(units)
    for last, (_, end) in enumerate(units):
        for first in range(last + 1):
            before = reached[first]
            if before is None:
                continue
            phrase = clause[units[first][0] : end]
            rank = _known(phrase)
            if rank is not None and (phrase == clause or phrase not in _alone()):
                reached[last + 1] = max(before, rank)
                break
    return reached[-1]


def _known(phrase: str) -> int | None:
    """The place in the order of one phrase, which may be drawn out."""
    rank = _phrases().get(phrase)
    return _phrases().get(re.sub(r"(.)\1{2,}", r"\1", phrase)) if rank is None else rank


@lru_cache(maxsize=1)
def _alone() -> frozenset[str]:
    return frozenset(map(_key, re.split(r"[|\n]", _ALONE)))


@lru_cache(maxsize=1)
def _phrases() -> dict[str, int]:
    """By phrase, its place in the order; a greeting where a language says it and another not."""
    kinds: tuple[SmallTalk, ...] = ("greeting", "thanks", "farewell", "assent")
    listed: list[tuple[SmallTalk | None, dict[str, str]]] = [
        (kind, {lang: texts[column] for lang, texts in COURTESIES.items()})
        for column, kind in enumerate(kinds)
    ]
    listed += [("about", ABOUT), ("chat", CHAT), ("assent", REMARKS), (None, BESIDE)]
    found: dict[str, int] = {}
    bare: dict[str, int] = {}
    for kind, texts in listed:
        for lang, text in texts.items():
            for phrase in map(_key, re.split(r"[|\n]", text)):
                found.setdefault(phrase, _ORDER.index(kind))
                # Without its accents most of Vietnamese would be other words.
                if lang != "vi":
                    bare.setdefault(_unaccented(phrase), _ORDER.index(kind))
    phrases = bare | found
    phrases.pop("", None)
    return phrases


def _unaccented(key: str) -> str:
    if not key.isascii() and key[0] < "\u0250":
        key = unicodedata.normalize("NFD", key.replace("ı", "i"))
        return "".join(char for char in key if not unicodedata.combining(char))
    return key


def _key(text: str) -> str:
    text = normalize(text).casefold().replace("i\u0307", "i").translate(_SPELLINGS)
    kept = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text)
    return " ".join("".join(kept).split())
