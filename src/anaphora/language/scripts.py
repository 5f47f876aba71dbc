"""Unicode scripts, grapheme boundaries, and the unit in which the length of a text is counted.

Importing this module is cheap; the character tables are built on first use.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL: Final = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc"
THAI: Final = "\u0e00-\u0e3a\u0e40-\u0e7f"
LAO: Final = "\u0e80-\u0eff"
MYANMAR: Final = "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"
KHMER: Final = "\u1780-\u17d3\u17d7\u17dc-\u17dd\u17e0-\u17e9"
"""Each of these is the inside of a regular-expression character class."""

_CLASSES: Final = {
    "Latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
    "\uff21-\uff3a\uff41-\uff5a",
    "Cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "Greek": "\u0370-\u0373\u0376-\u037d\u037f-\u03ff\u1f00-\u1fff",
    "Arabic": "\u0620-\u065f\u066e-\u06d3\u06d5-\u06ff\u0750-\u077f\u08a0-\u08ff"
    "\ufb50-\ufdff\ufe70-\ufefc",
    "Hebrew": "\u0591-\u05f2\ufb1d-\ufb4f",
    "Devanagari": "\u0900-\u0963\u0966-\u097f\ua8e0-\ua8ff",
    "Bengali": "\u0980-\u09ff",
    "Gurmukhi": "\u0a00-\u0a7f",
    "Gujarati": "\u0a80-\u0aff",
    "Oriya": "\u0b00-\u0b7f",
    "Tamil": "\u0b80-\u0bff",
    "Telugu": "\u0c00-\u0c7f",
    "Kannada": "\u0c80-\u0cff",
    "Malayalam": "\u0d00-\u0d7f",
    "Sinhala": "\u0d80-\u0dff",
    "Thai": THAI,
    "Lao": LAO,
    "Tibetan": "\u0f00-\u0fff",
    "Myanmar": MYANMAR,
    "Georgian": "\u10a0-\u10ff\u1c90-\u1cbf\u2d00-\u2d2f",
    "Armenian": "\u0531-\u058f",
    "Ethiopic": "\u1200-\u139f",
    "Khmer": KHMER,
    "Hangul": HANGUL,
    "Kana": KANA,
    "Han": HAN,
}

_CHARACTER_COUNTED: Final = frozenset({"zh", "ja", "th", "km", "lo", "my"})


def counts_characters(lang: str) -> bool:
    """Whether the length of a text in this language is counted in characters, not in words.

    True where words are not separated by spaces: zh, ja, th, km, lo, my.

    >>> counts_characters("ja"), counts_characters("ko")
    (True, False)
    """
    return lang in _CHARACTER_COUNTED


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(f"[{inside}]+") for name, inside in _CLASSES.items()}


def inside(script: str) -> str:
    """A script's characters as the inside of a regular-expression character class.

    Raises:
        KeyError: the script is not in the table.
    """
    return _CLASSES[script]


def any_but_latin() -> str:
    """A regular expression for one character of any listed script other than Latin."""
    return f"[{''.join(inside for name, inside in _CLASSES.items() if name != 'Latin')}]"


@lru_cache(maxsize=1)
def _ranges() -> tuple[list[int], list[tuple[int, str]]]:
    """The start of each range in order, and its end and script."""
    table = sorted(
        (ord(low), ord(high or low), name)
        for name, inside in _CLASSES.items()
        for low, high in re.findall(r"(.)(?:-(.))?", inside)
    )
    return [low for low, _, _ in table], [(high, name) for _, high, name in table]


@lru_cache(maxsize=4096)
def script_of(char: str) -> str | None:
    """The script of one character; None for digits, punctuation, symbols and rare scripts.

    >>> script_of("ж"), script_of("7")
    ('Cyrillic', None)
    """
    starts, ends = _ranges()
    code = ord(char)
    index = bisect_right(starts, code) - 1
    if index < 0:
        return None
    end, name = ends[index]
    return name if code <= end else None


def script_counts(text: str) -> dict[str, int]:
    """The number of characters of each script that occurs in the text.

    Digits, punctuation, spaces, symbols and emoji do not belong to a script.

    >>> script_counts("Tokyo は 東京")
    {'Latin': 5, 'Kana': 1, 'Han': 2}
    """
    if text.isascii():
        latin = sum(map(str.isalpha, text))
        return {"Latin": latin} if latin else {}
    counts: dict[str, int] = {}
    for name, pattern in _patterns().items():
        count = sum(map(len, pattern.findall(text)))
        if count:
            counts[name] = count
    return counts


def dominant_script(text: str) -> str | None:
    """The script of most characters of the text; None for a text without letters.

    >>> dominant_script("Что такое apt?")
    'Cyrillic'
    """
    counts = script_counts(text)
    return max(counts, key=counts.__getitem__) if counts else None


def is_cjk(char: str) -> bool:
    """Whether one character is a Han character or Japanese kana.

    >>> is_cjk("東"), is_cjk("は"), is_cjk("한"), is_cjk("a")
    (True, True, False, False)
    """
    return _cjk().match(char) is not None


@lru_cache(maxsize=1)
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{HAN}{KANA}]")


@lru_cache(maxsize=1)
def mark_class() -> str:
    """The combining marks (Unicode M*) as the inside of a regular-expression character class.

    Beyond the Basic Multilingual Plane these are whole blocks of Brahmic and West African scripts,
    letters included, because there `re` compares each character with every range in turn.
    """
    marks = ranges(
        code for code in range(0x0300, 0x10000) if unicodedata.category(chr(code))[0] == "M"
    )
    return marks + "\U00010a00-\U00011fff\U00016a40-\U00016fff\U0001e8d0-\U0001e94a"


def ranges(codes: Iterable[int]) -> str:
    """Code points as the inside of a regular-expression character class with the fewest ranges."""
    found: list[list[int]] = []
    for code in sorted(codes):
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in found)


def continues_grapheme(before: str, after: str) -> bool:
    """Whether a character belongs to the grapheme of the one before it (Unicode, UAX 29).

    Simplified: any two adjacent regional indicators belong together.

    >>> [continues_grapheme(*pair) for pair in ("กำ", "จ้", "ab", "🇯🇵", "東京")]
    [True, True, False, True, False]
    """
    return (
        unicodedata.category(after)[0] == "M"
        or before == "\u200d"
        or _continuing().match(after) is not None
        or _flag().match(before + after) is not None
    )


@lru_cache(maxsize=1)
def _continuing() -> re.Pattern[str]:
    """Characters that continue a grapheme but are not marks: joiners, Thai and Lao am, vowels and
    finals of decomposed Hangul, half-width voicing marks, skin tones and tags of emoji."""
    return re.compile(
        "[\u200c\u200d\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7fb\uff9e\uff9f"
        "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
    )


@lru_cache(maxsize=1)
def _flag() -> re.Pattern[str]:
    return re.compile("[\U0001f1e6-\U0001f1ff]{2}")
