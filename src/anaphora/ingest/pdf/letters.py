"""The characters of a page as they are read, each in the place of PDFium's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from anaphora.ingest.encodings import guess_encoding
from anaphora.normal_form import normal_form

NO_LETTER = "\x1f"
"""Stands where a character was drawn that is a part of another one; white space for Python."""

LINE_HYPHEN = "\ufffe"
"""Stands for a hyphen at the end of a line."""

_SPECIAL = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\2\x7f]")
"""Characters in two halves, as in UTF-16, and hyphens."""
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_OF_TEX = re.compile("[\x10-\x16\x1b-\x1e]")
_CYRILLIC_OF_TEX = str.maketrans(
    "\1\3\4\5\6\7\x08\x0b\x0c\x10\x11\x15\x16\x1b\x1c\x1d\x1eѕїј",
    "´˜¨˝˚ˇ˘¸˛“”–—ﬀﬁﬂﬃ«»ё",
)
"""Where TeX's encoding T2A differs from the code page of Windows, which it is decoded by."""
_SHOWN = {ord(NO_LETTER): ""} | str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)

_LAM_ALEF = re.compile("[اأإآ]ل")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{2,}"
)
"""Letters of Hebrew and Arabic script, without digits."""
_ACCENTS = {
    "`": "\u0300",
    "´": "\u0301",
    "^": "\u0302",
    "ˆ": "\u0302",
    "~": "\u0303",
    "˜": "\u0303",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "°": "\u030a",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}
"""Accents that fonts have as characters of their own, and what composes with a letter."""
_SIGNS = {"ˆ": "^", "˜": "~"}
"""Signs for which fonts of TeX have an accent."""
_DOTLESS = {"ı": "i", "ȷ": "j"}
_MOST_ACCENTS = 2_000  # of a page; each is compared with all letters
_NEAR = 0.5  # of a letter's height: an accent is no farther above or below it
_GAP = 0.2  # of a letter's height: letters of one word are no farther apart
_BESIDE_ACCENT = re.compile(f"[ {NO_LETTER}]*{NO_LETTER}[ {NO_LETTER}]*")
_BEYOND_ASCII = re.compile("[\xa1-\xff]{3,}")
"""A word of such letters alone is in no language that is written with them."""
_WITHOUT_LATIN = re.compile("(?<![A-Za-z])(?!¨(?![\xa1-\xff]))[\xa1-\xff]+(?![A-Za-z])")
_FEWEST_LETTERS = 30
_OTHER_ALPHABETS = frozenset(
    ["cp1251", "koi8-r", "cp866", "iso8859-5", "cp1253", "cp1255", "cp1256", "iso8859-6", "cp874"]
)


def text_of(text_page: Any) -> str:
    """The text of a page, with a character for each of PDFium's: letters of another alphabet that a
    font has in the places of Latin ones, accents on their letters, and words in the order of
    reading."""
    text = _CONTROL.sub(NO_LETTER, _in_its_alphabet(_characters(text_page)))
    return _in_logical_order(_with_accents(text, text_page), text_page)


def _characters(text_page: Any) -> str:
    from pypdfium2 import raw

    text = str(text_page.get_text_range())
    count = text_page.count_chars()
    if len(text) != count:  # PDFium leaves out characters that it does not know
        text = "".join([chr(raw.FPDFText_GetUnicode(text_page, at)) for at in range(count)])
    letters = list(text)
    for match in _SPECIAL.finditer(text):
        at, char = match.start(), match[0]
        hyphen = char == "\x7f" and text[at + 1 : at + 2] == "\r"  # in fonts of TeX
        if hyphen or (char == "\2" and raw.FPDFText_IsHyphen(text_page, at)):
            letters[at] = LINE_HYPHEN
        elif len(char) == 2:
            high, low = map(ord, char)
            code = 0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00
            letters[at : at + 2] = chr(code), NO_LETTER
    return "".join(letters)


def _in_its_alphabet(text: str) -> str:
    words = _BEYOND_ASCII.findall(text)
    if sum(map(len, words)) < _FEWEST_LETTERS:
        return text
    encoding = guess_encoding(" ".join(words).encode("latin-1"))
    if encoding not in _OTHER_ALPHABETS:
        return text
    decoded = _WITHOUT_LATIN.sub(
        lambda match: match[0].encode("latin-1").decode(encoding, "replace"), text
    )
    of_tex = encoding == "cp1251" and _OF_TEX.search(text)
    return decoded.translate(_CYRILLIC_OF_TEX) if of_tex else decoded


def readable(text: str) -> str:
    """A part of the text without what stands for no letter, and with the letters of ligatures."""
    return text.translate(_SHOWN)


def _with_accents(text: str, text_page: Any) -> str:
    """Puts accents on the letters that they are drawn at, wherever they are in the text."""
    accents = [at for at, char in enumerate(text) if char in _ACCENTS][:_MOST_ACCENTS]
    if not accents:
        return text
    bases = [at for at, char in enumerate(text) if char.isalpha() and char not in _ACCENTS]
    if not bases:
        return text
    letters = list(text)
    left, bottom, right, top = np.array([text_page.get_charbox(at) for at in bases]).T
    for at in accents:
        box = text_page.get_charbox(at)
        middle = (box[0] + box[2]) / 2
        apart = np.maximum(np.maximum(box[1] - top, bottom - box[3]), 0.0)
        apart[(middle < left) | (middle > right)] = np.inf
        nearest = int(apart.argmin())
        base = bases[nearest]
        composed = normal_form(
            "NFC", _DOTLESS.get(letters[base], letters[base]) + _ACCENTS[text[at]]
        )
        if apart[nearest] < _NEAR * (top[nearest] - bottom[nearest]) and len(composed) == 1:
            letters[base], letters[at] = composed, NO_LETTER
        else:
            letters[at] = _SIGNS.get(text[at], text[at])
    return _BESIDE_ACCENT.sub(
        lambda match: _without_false_spaces(match, text_page), "".join(letters)
    )


def _without_false_spaces(match: re.Match[str], text_page: Any) -> str:
    """PDFium takes the distance to an accent for a space."""
    size = len(match[0])
    before, after = match.start() - 1, match.end()
    if " " not in match[0] or before < 0 or after >= len(match.string):
        return NO_LETTER * size
    one, other = text_page.get_charbox(before), text_page.get_charbox(after)
    height = max(one[3] - one[1], other[3] - other[1])
    apart = max(other[0] - one[2], one[0] - other[2])
    return (" " if apart > _GAP * height else NO_LETTER) + NO_LETTER * (size - 1)


def _in_logical_order(text: str, text_page: Any) -> str:
    """Reverses what PDFium returns in visual order: words from right to left whose letters come
    from left to right, and Arabic lam-alef ligatures in other words.

    The letters of one glyph have the same box; an alef and a lam that are two glyphs have two.
    """
    letters = list(text)
    for word in _RIGHT_TO_LEFT.finditer(text):
        start, end = word.span()
        if text_page.get_charbox(start)[0] < text_page.get_charbox(end - 1)[0]:
            letters[start:end] = reversed(letters[start:end])
            continue
        for match in _LAM_ALEF.finditer(text, start, end):
            at = match.start()
            if text_page.get_charbox(at) == text_page.get_charbox(at + 1):
                letters[at : at + 2] = letters[at + 1], letters[at]
    return "".join(letters)
