"""Utterances that ask nothing of the documents: courtesies, and talk with the assistant itself."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from anaphora.language.analysis import normalize
from anaphora.language.chitchat import ABOUT, CHAT
from anaphora.language.courtesies import COURTESIES
from anaphora.language.phrases import SmallTalk

_LONGEST: Final = 80

_PARTICLES: Final = r"(?:ครับผม|ครับ|คร้าบ|ค่ะ|คะ|นะคะ|นะครับ|จ้า|จ้ะ|นะ|ฮะ)+$"
_FILLERS: Final = frozenset({"again", "all", "anaphora", "everyone", "there", "you"})


_ORDER: Final[tuple[SmallTalk, ...]] = (
    "assent",
    "greeting",
    "thanks",
    "farewell",
    "chat",
    "about",
)
"""Of several in a row the last of these is replied to."""


def small_talk(text: str) -> SmallTalk | None:
    """What an utterance is that asks nothing of the documents; None for any other.

    The whole of it must be small talk: "hi, what is apt?" asks something, and so does "who are you
    according to the handbook?". Several in a row still ask nothing ("OK, thank you! Bye."). Case,
    punctuation, emoji and drawn-out letters do not matter. Text without any letter or digit is not
    small talk, and neither is the empty text.

    >>> small_talk("Merci beaucoup !"), small_talk("Hi! Who are you?"), small_talk("What is apt?")
    ('thanks', 'about', None)
    """
    if len(text) > _LONGEST:
        return None
    words = _key(text).split()
    return _covering(words) if words else None


def is_small_talk(text: str) -> bool:
    """Whether an utterance asks nothing of the documents; see `small_talk`.

    >>> is_small_talk("Merci beaucoup !"), is_small_talk("Hi! What is apt?")
    (True, False)
    """
    return small_talk(text) is not None


def _covering(words: list[str]) -> SmallTalk | None:
    """What the words are as phrases of the lists, one after another."""
    reached: list[SmallTalk | None] = [None] * (len(words) + 1)
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - 12), end):
            before = reached[start]
            if start and before is None:
                continue
            kind = _known(" ".join(words[start:end]), before)
            if kind:
                reached[end] = max(kind, before or kind, key=_ORDER.index)
                break
    return reached[-1]


def _known(phrase: str, before: SmallTalk | None) -> SmallTalk | None:
    """What a phrase is; one that only fills is what was said before it."""
    phrases = _phrases()
    if phrase in phrases:
        return phrases[phrase]
    if before and phrase in _FILLERS:
        return before
    plain = re.sub(_PARTICLES, "", phrase)
    if plain != phrase and (not plain or plain.strip() in phrases):
        return phrases.get(plain.strip(), before or "assent")
    return phrases.get(re.sub(r"(.)\1{2,}", r"\1", phrase))


@lru_cache(maxsize=1)
def _phrases() -> dict[str, SmallTalk]:
    """By phrase, what it is; a greeting where a language says it and another does not."""
    found: dict[str, SmallTalk] = {}
    courtesies = zip(*COURTESIES.values(), strict=True)
    kinds: tuple[SmallTalk, ...] = ("greeting", "thanks", "farewell", "assent")
    listed = [
        *zip(kinds, courtesies, strict=True),
        ("about", ABOUT.values()),
        ("chat", CHAT.values()),
    ]
    for kind, texts in listed:
        for phrase in re.split(r"[|\n]", "\n".join(texts)):
            found.setdefault(_key(phrase), kind)
    found.pop("", None)
    return found


def _key(text: str) -> str:
    text = normalize(text).casefold().replace("i\u0307", "i")
    text = re.sub("['’ʼ‘`´]", "", text)
    kept = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text)
    return " ".join("".join(kept).split())
