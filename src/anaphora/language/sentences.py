"""Sentence segmentation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

from anaphora.language import scripts, tables
from anaphora.language.stopwords import stop_words

_CLOSERS: Final = "\"'”’»«)\\]}」』】）》〉›"
_OPENERS: Final = "\"'”“«»„‘’([{¿¡*_-–—"
_BREAKS: Final = "\n\r\x0b\x0c\x85\u2028\u2029"

_STOPS: Final = (
    # A stop that always ends a sentence, one that may, a line break. None of them can backtrack:
    # each matches as far as possible and is examined afterwards. Hostile input takes linear time.
    rf"(?P<always>[。！？｡؟۔।॥።։។៕။]+[.!?…]*[{_CLOSERS}]*)"
    rf"|(?P<maybe>[.!?…．‥⁇⁈⁉‼]+[{_CLOSERS}]*(?:[\u00a0\u202f ]»)?(?:\[\d{{1,3}}\])*)"
    rf"|(?P<line>[{_BREAKS}]\s*)"
)
_SPACE: Final = r"|(?P<space>\x20+)"

_BULLET: Final = re.compile(r"(?:[-*+•‣◦▪●○■–—·⁃]|\(?\d{1,3}[.)、．]|\(?[a-zA-Z][.)])\s")

_ROW: Final = re.compile(r"\S \| \S|\S\t+\S")
_NARROWEST, _WIDEST = 20, 60
_ENDS: Final = (".", "!", "?", "…", "؟", "۔", "।")

_UNWRAPPED: Final = frozenset({"zh", "ja", "ko", "th", "lo", "km", "my"})
"""Languages in which a line without a full stop is as often a cell or an item as a wrapped line."""

_STOP: Final = re.compile("[。！？｡.!?…]")
_FIRST_UNIT: Final = re.compile(r"^(?:[\x21-\x7e]+|[\uac00-\ud7a3]+|.)")
_HANGING: Final = 4
"""Columns by which a full line may be shorter, so that the next one does not begin with a mark."""
_LONGEST_WORD: Final = 8
"""Columns of a word in a script that shows no borders of words."""

_THAI_CLAUSE: Final = 30
"""Length from which a space in Thai or Lao counts as the end of a sentence, in characters."""

_SHORTEST_WORDS, _SHORTEST_CHARACTERS = 4, 8

_ABBREVIATIONS: Final = "dr prof vol fig cf etc ed eds st vs al ca no nr p pp tel"
"""Of any language."""

_ORDINAL_DOTS: Final = frozenset({"de", "fi", "tr", "da", "no", "nb", "cs", "sk", "hu", "et", "pl"})


@lru_cache(maxsize=64)
def _pattern(lang: str) -> re.Pattern[str]:
    # “ opens a quotation in most languages but closes one in German and some others.
    stops = _STOPS if scripts.counts_characters(lang) else _STOPS.replace("”", "”“")
    return re.compile(stops + _SPACE if lang in ("th", "lo") else stops)


@lru_cache(maxsize=64)
def _abbreviations(lang: str) -> frozenset[str]:
    return frozenset(f"{_ABBREVIATIONS} {tables.text(lang, 'abbreviations')}".split())


def is_fragment(text: str, lang: str) -> bool:
    """Whether a text is too short to state something by itself: less than four words, or eight
    characters in a language without spaces.

    >>> is_fragment("In 1887.", "en"), is_fragment("It is painted red.", "en")
    (True, False)
    """
    if scripts.counts_characters(lang):
        return len(text.strip()) < _SHORTEST_CHARACTERS
    return len(text.split()) < _SHORTEST_WORDS


def sentences(text: str, lang: str) -> list[tuple[int, int]]:
    """The sentences of a text as character ranges `(start, end)`, in order.

    No range begins or ends with white space, and all other characters are in a range. Blank lines,
    list items, headings and other short lines end a sentence; a line break inside a wrapped
    paragraph does not. The time is linear in the length of any text.

    >>> text = "Dr. Kay came at 3.5 p.m. today. He left."
    >>> [text[start:end] for start, end in sentences(text, "en")]
    ['Dr. Kay came at 3.5 p.m. today.', 'He left.']
    """
    found: list[tuple[int, int]] = []
    start = line = 0
    wraps, lines = _line_breaks(text, lang)
    for match in _pattern(lang).finditer(text):
        kind = match.lastgroup
        end = match.end()
        if kind == "always":
            border = not _quotation_continues(text, match)
        elif kind == "maybe":
            border = _ends(text, match, start, lang)
        elif kind == "line":
            border = match.start() not in wraps and (
                match.start() in lines or _line_ends(text, match, line, lang)
            )
            line = end
        else:
            border = _clause_ends(text, match, start)
        if border:
            _add(found, text, start, end)
            start = end
    _add(found, text, start, len(text))
    return found


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        found.append((start, end))


def _quotation_continues(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence continues after a Japanese quotation: 「行く。」と言った。"""
    after = text[match.end() : match.end() + 1]
    return text[match.end() - 1] in "」』" and "\u3041" <= after <= "\u3096"


def _ends(text: str, match: re.Match[str], start: int, lang: str) -> bool:
    end = match.end()
    if end == len(text):
        return True
    mark = text[match.start()]
    after = text[end]
    if not after.isspace():
        if mark == "．":
            return not after.isdecimal()
        if scripts.is_cjk(after):
            return mark in "!?⁇⁈⁉‼" or (mark == "." and scripts.is_cjk(text[match.start() - 1]))
        return False
    following = text[end : end + 40].lstrip()
    if not following:
        return True
    following = following.lstrip(_OPENERS + " ") or following
    if following[0].islower():
        return False
    if mark != "." or match[0].startswith(".."):
        return True
    return _full_stop_ends(text, match, start, following, lang)


def _full_stop_ends(text: str, match: re.Match[str], start: int, following: str, lang: str) -> bool:
    stop = match.start()
    near = text[max(start, stop - 24) : stop]
    parts = near.split()
    word = parts[-1].lstrip(_OPENERS) if parts and not near[-1].isspace() else ""
    if not word:
        return True
    at_start = len(parts) == 1 and stop - start <= 24
    if word.isdecimal():
        if at_start and len(word) <= 3:
            return False
        return not (lang in _ORDINAL_DOTS and len(word) <= 2)
    if not _may_abbreviate(word, following, lang):
        return True
    word_after = re.match(r"[^\W\d_]+", following)
    return (
        word_after is not None
        and word_after[0][0].isupper()
        and len(word_after[0]) > 1
        and word_after[0].casefold() in stop_words(lang)
        and not at_start
    )


def _may_abbreviate(word: str, following: str, lang: str) -> bool:
    folded = word.casefold()
    pieces = re.split(r"\.-?", folded)
    if all(0 < len(piece) <= 2 and piece.isalpha() for piece in pieces) and (
        len(pieces) > 1 or len(_letters(folded)) == 1
    ):
        # Initials; but a single Han, kana or Hangul character is a word.
        return not scripts.is_cjk(word[0]) and scripts.script_of(word[0]) != "Hangul"
    if folded in ("no", "art", "on", "es", "ex", "eli", "max", "min", "d", "co"):
        return following[0].isdecimal() and folded in _abbreviations(lang)
    return folded in _abbreviations(lang)


def _letters(word: str) -> str:
    return "".join(char for char in word if not unicodedata.category(char).startswith("M"))


def _line_ends(text: str, match: re.Match[str], line: int, lang: str) -> bool:
    breaks = match[0].replace("\r\n", "\n")
    if sum(map(breaks.count, _BREAKS)) > 1 or "\x0c" in breaks or "\u2029" in breaks:
        return True
    if _BULLET.match(text, match.end()):
        return True
    length = match.start() - line
    shortest, longest = (15, 60) if scripts.counts_characters(lang) else (40, 120)
    if not shortest <= length <= longest:
        return True
    return text[match.start() - 1] in ":;：；"


def _line_breaks(text: str, lang: str) -> tuple[frozenset[int], frozenset[int]]:
    """The positions of the line breaks inside narrow paragraphs, and of those that end a line which
    no editor wrapped.

    In a narrow paragraph no line has room for the next line's first word, the last line ends with a
    stop, and some line begins with a letter that is not a capital.
    """
    wraps: set[int] = set()
    lines: set[int] = set()
    if "\n" not in text:
        return frozenset(), frozenset()
    block: list[str] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        if line and not line.isspace():
            block.append(line)
        else:
            if len(block) > 1:
                ends = [*accumulate(len(one) + 1 for one in block)]
                begin = at - ends[-1] - 1
                breaks = [begin + end for end in ends[:-1]]
                if _narrow(block):
                    wraps.update(breaks)
                elif lang in _UNWRAPPED and not _wrapped(block):
                    lines.update(breaks)
                else:
                    rows = [_ROW.search(one) is not None for one in block]
                    beside = map(any, pairwise(rows))
                    lines.update(place for place, row in zip(breaks, beside, strict=True) if row)
            block = []
        at += len(line) + 1
    return frozenset(wraps), frozenset(lines)


def _wrapped(lines: Sequence[str]) -> bool:
    """Whether the lines are those of a wrapped paragraph: no line has room for what the next one
    begins with, and some line has a stop, except in scripts that have none."""
    widths = [_columns(line.rstrip()) for line in lines]
    widest = max(widths)
    units = [_FIRST_UNIT.findall(line.lstrip())[0] for line in lines]
    if any(map(_has_borders, units)) and not any(map(_STOP.search, lines)):
        return False
    return all(
        width + _columns(unit) + (_HANGING if _has_borders(unit) else _LONGEST_WORD) > widest
        for width, unit in zip(widths, units[1:], strict=False)
    )


def _has_borders(unit: str) -> bool:
    """Whether a line may be broken at either side of a unit: not so in Thai, within a word."""
    return unit.isascii() or scripts.script_of(unit[0]) in ("Han", "Kana", "Hangul")


def _columns(text: str) -> int:
    """The width of a text in a font of fixed pitch."""
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else unicodedata.category(char) != "Mn"
        for char in text
    )


def _narrow(lines: Sequence[str]) -> bool:
    widest = max(map(len, lines))
    if not _NARROWEST <= widest <= _WIDEST or not lines[-1].rstrip(_CLOSERS).endswith(_ENDS):
        return False
    following = [line.split(maxsplit=1)[0] for line in lines[1:]]
    return all(
        len(line) + 1 + len(word) > widest and not _BULLET.match(line)
        for line, word in zip(lines, following, strict=False)
    ) and any(word[0].isalpha() and not word[0].isupper() for word in following)


def _clause_ends(text: str, match: re.Match[str], start: int) -> bool:
    end = match.end()
    if match.start() - start < _THAI_CLAUSE or end == len(text):
        return False
    before = scripts.script_of(text[match.start() - 1])
    after = scripts.script_of(text[end])
    if "." in text[end : end + 3]:
        # An abbreviation follows, such as that of the Buddhist era before a year.
        return False
    # ๆ repeats the preceding word and is often surrounded by spaces.
    return before in ("Thai", "Lao") and after in ("Thai", "Lao") and text[end] != "ๆ"
