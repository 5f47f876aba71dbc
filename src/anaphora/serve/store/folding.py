"""How texts are compared when conversations are searched."""

from __future__ import annotations

import re
from typing import Final

from anaphora.normal_form import normal_form

_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
"""Accents of Latin, Greek and Cyrillic, and the points of Hebrew and Arabic: many people leave them
out when they search. Vowel signs of other scripts are no such marks."""
_LETTERS: Final = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o"})


def folded(text: str) -> str:
    """The text without differences of case, width and accents; white space is folded.

    >>> folded("Máy  BƠM"), folded("ＡＢＣ İstanbul"), folded("كِتَاب"), folded("ポンプ")
    ('may bom', 'abc istanbul', 'كتاب', 'ポンプ')
    """
    text = normal_form("NFKD", normal_form("NFKC", text).casefold())
    text = normal_form("NFC", _MARKS.sub("", text)).translate(_LETTERS)
    return " ".join(text.split())
