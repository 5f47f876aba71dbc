"""Where a quotation is on a page of a PDF."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from pathlib import Path
from typing import TypeAlias

from anaphora.ingest.pdf.layout import HYPHENS
from anaphora.ingest.pdf.pages import LINE_HYPHEN, in_logical_order, opened, text_page_of

_SHORTEST_PART = 12  # characters of a quotation of which only a part is on the page
Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top, in points from the lower left corner of the page."""


def boxes(path: Path, page: int, quote: str) -> list[Box]:
    """Where a quotation is on a page, as one box for each line; for highlighting it.

    White space and hyphens are ignored, because lines are joined when a PDF is read. The lines of
    the quotation may be apart from each other on the page. Of a quotation that begins on the page
    before or ends on the next one, the boxes of the part on this page are returned.

    Args:
        page: from 1.

    Returns:
        An empty list if the page does not exist or holds no part of the quotation.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
        OSError: the file cannot be opened.
    """
    with opened(path) as pdf:
        if not 0 < page <= len(pdf):
            return []
        with text_page_of(pdf, page - 1) as text_page:
            text = str(text_page.get_text_range())
            if len(text) != text_page.count_chars():
                return []
            letters, places = _letters(in_logical_order(text, text_page))
            found: list[Box] = []
            for start, end in _parts(letters, quote):
                places_of_part = dict.fromkeys(places[start:end])
                found += _line_boxes([text_page.get_charbox(at) for at in places_of_part])
            return found


def _letters(text: str) -> tuple[str, list[int]]:
    """The characters by which text is compared, each with its place in the text."""
    letters: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        if not char.isspace() and char not in HYPHENS and char != LINE_HYPHEN:
            decomposed = unicodedata.normalize("NFD", char)
            letters.append(decomposed)
            places += [at] * len(decomposed)
    return "".join(letters), places


def _parts(letters: str, quote: str) -> list[tuple[int, int]]:
    """The ranges of a page's letters that are the quotation's, or those of its lines."""
    whole, _ = _letters(quote)
    at = letters.find(whole)
    if not whole or at >= 0:
        return [(at, at + len(whole))] if whole else []
    found: list[tuple[int, int]] = []
    last = 0
    for line in quote.split("\n"):
        part, _ = _letters(line)
        at = letters.find(part, last)
        if not part:
            continue
        if at >= 0:
            found.append((at, at + len(part)))
        else:
            found += _partial(letters, part)
        last = found[-1][1] if found else 0
    return found


def _partial(letters: str, part: str) -> list[tuple[int, int]]:
    """Where the longest beginning, or else the longest end, of a part is."""
    head = bisect_left(range(len(part)), True, key=lambda size: part[: size + 1] not in letters)
    tail = bisect_left(range(len(part)), True, key=lambda size: part[-size - 1 :] not in letters)
    size = max(head, tail)
    if size < _SHORTEST_PART:
        return []
    at = letters.rfind(part[:head]) if head >= tail else letters.find(part[-tail:])
    return [(at, at + size)]


def _line_boxes(characters: list[Box]) -> list[Box]:
    """One box around the characters of each line, in their order."""
    found: list[Box] = []
    for left, bottom, right, top in characters:
        if right <= left and top <= bottom:
            continue
        if found:
            last = found[-1]
            middle = (bottom + top) / 2
            height = last[3] - last[1]
            apart = max(left - last[2], last[0] - right)
            if last[1] - 0.2 * height <= middle <= last[3] + 0.2 * height and apart < 5 * height:
                found[-1] = (
                    min(last[0], left),
                    min(last[1], bottom),
                    max(last[2], right),
                    max(last[3], top),
                )
                continue
        found.append((left, bottom, right, top))
    return found
