"""Unicode normal forms in linear time."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

_MARKS: Final = 30
"""Marks on one letter; no language needs as many."""
_JOINER: Final = "\u034f"
_LAST: Final = 0x1FFFF
"""No character behind it is a mark with an order."""


def normal_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """The normal form of a text, in a time that is linear in its length.

    A normal form sorts the marks on a letter, in a time that is quadratic in their number: 200,000
    of them took 20 seconds, in which no other thread ran. So a combining grapheme joiner, over
    which no mark is moved, is put behind every 30 marks that are not in their order (Unicode
    Standard Annex 15, "Stream-Safe Text Process").

    >>> normal_form("NFC", "cafe\u0301"), len(normal_form("NFC", "a" + "\u0315\u0300" * 45))
    ('café', 92)
    """
    if unicodedata.is_normalized(form, text):  # its marks are in order, so this is linear
        return text
    if len(text) > _MARKS:
        text = _crowded().sub(_parted, text)
    return unicodedata.normalize(form, text)


def _parted(found: re.Match[str]) -> str:
    marks = found[0]
    orders = list(map(unicodedata.combining, marks))
    if orders == sorted(orders):
        return marks
    return _JOINER.join(marks[at : at + _MARKS] for at in range(0, len(marks), _MARKS))


@lru_cache(maxsize=1)
def _crowded() -> re.Pattern[str]:
    marks = "".join(filter(unicodedata.combining, map(chr, range(_LAST))))
    return re.compile(f"[{marks}]{{{_MARKS + 1},}}")
