"""Where a quotation is on the pages of a PDF."""

from __future__ import annotations

import ctypes
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from anaphora.ingest.pdf.layout import HYPHENS
from anaphora.ingest.pdf.letters import LINE_HYPHEN, text_of
from anaphora.ingest.pdf.pages import opened, text_page_of

_SHORTEST_PART = 12  # characters of a quotation of which only a part is found
_MOST_SKIPPED = 200  # characters of a quotation that are not on the pages
_CONTEXT = 200  # characters before and after that tell two places apart
_PRECISION = 100  # parts of a point
_CELLS = "|"  # stands between the cells of a row, and not on the page
Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top, in points from the lower left corner of the page as it is shown."""


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """A box for each line of a quotation on a page.

    Attributes:
        page: from 1.
        width: of the page as it is shown, in points; so is `height`.
    """

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def boxes(
    path: Path, pages: Iterable[int], quote: str, before: str = "", after: str = ""
) -> list[PageBoxes]:
    """Where a quotation is on some pages, as one box for each line; for highlighting it.

    White space, hyphens and the borders of cells are ignored, because lines are joined when a PDF
    is read. The quotation may cross from page to page, and its lines may be apart from each other.

    Args:
        pages: the pages that may hold it, in ascending order from 1; others are ignored.
        before: the text before the quotation, which tells it from the same words elsewhere.
        after: the text after it.

    Returns:
        The pages that hold a part of the quotation.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
        OSError: the file cannot be opened.
    """
    with opened(path) as pdf:
        numbers = [page for page in pages if 0 < page <= len(pdf)]
        letters: list[str] = []
        places: list[tuple[int, int]] = []
        for number in numbers:
            of_page, own = _letters_of_page(pdf, number)
            letters.append(of_page)
            places += [(number, at) for at in own]
        whole = "".join(letters)
        context = _letters(before)[0][-_CONTEXT:], _letters(after)[0][:_CONTEXT]
        found: dict[int, dict[int, None]] = {}
        for start, end in _parts(whole, quote, *context):
            for number, at in places[start:end]:
                found.setdefault(number, {})[at] = None
        return [_boxes_on_page(pdf, number, list(found[number])) for number in sorted(found)]


def _letters_of_page(pdf: Any, number: int) -> tuple[str, list[int]]:
    with text_page_of(pdf, number - 1) as text_page:
        return _letters(text_of(text_page))


def _letters(text: str) -> tuple[str, list[int]]:
    """The characters by which text is compared, each with its place in the text."""
    letters: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        if not char.isspace() and char not in HYPHENS and char not in (LINE_HYPHEN, _CELLS):
            decomposed = unicodedata.normalize("NFKD", char)
            letters.append(decomposed)
            places += [at] * len(decomposed)
    return "".join(letters), places


def _parts(letters: str, quote: str, before: str, after: str) -> list[tuple[int, int]]:
    """The ranges of letters that are the quotation's, or those of its lines."""
    whole, _ = _letters(quote)
    if not whole:
        return []
    places = list(_occurrences(letters, whole))
    if places:
        at = max(places, key=lambda one: _likeness(letters, one, one + len(whole), before, after))
        return [(at, at + len(whole))]
    found: list[tuple[int, int]] = []
    last = max(0, letters.find(before[-_SHORTEST_PART:]) if before else 0)
    for line in quote.split("\n"):
        part, _ = _letters(line)
        for start, end in _aligned(letters, part, last):
            found.append((start, end))
            last = end
    return found


def _occurrences(letters: str, part: str) -> Iterator[int]:
    at = letters.find(part)
    while at >= 0:
        yield at
        at = letters.find(part, at + 1)


def _likeness(letters: str, start: int, end: int, before: str, after: str) -> int:
    """How many letters around a place are those around the quotation."""
    same = 0
    while same < min(len(before), start) and letters[start - 1 - same] == before[-1 - same]:
        same += 1
    count = 0
    while count < min(len(after), len(letters) - end) and letters[end + count] == after[count]:
        count += 1
    return same + count


def _aligned(letters: str, part: str, last: int) -> Iterator[tuple[int, int]]:
    """Where a part is, in its order from `last`, with other text between its pieces: the foot of
    one page and the head of the next."""
    skipped = 0
    while part and skipped < _MOST_SKIPPED:
        size = _longest_beginning(letters, part, last)
        if size < min(_SHORTEST_PART, len(part)) or (
            # A few letters are found anywhere: they count only where the piece before them ends.
            size < _SHORTEST_PART and skipped and not letters.startswith(part, last)
        ):
            part = part[1:]
            skipped += 1
            continue
        start = letters.find(part[:size], last)
        yield start, start + size
        last = start + size
        part = part[size:]


def _longest_beginning(letters: str, part: str, last: int) -> int:
    """The size of the longest beginning of a part that the letters hold from `last` on."""
    sizes = range(1, len(part) + 1)
    return bisect_left(sizes, True, key=lambda size: letters.find(part[:size], last) < 0)


def _boxes_on_page(pdf: Any, number: int, places: list[int]) -> PageBoxes:
    with text_page_of(pdf, number - 1) as text_page:
        lines = _line_boxes([text_page.get_charbox(at, loose=True) for at in places])
        page = text_page.page
        width, height = page.get_size()
        shown = tuple(_shown(page, box, width, height) for box in lines)
        return PageBoxes(number, round(width, 2), round(height, 2), shown)


def _shown(page: Any, box: Box, width: float, height: float) -> Box:
    """A box of the page's own coordinates on the page as it is shown: cropped and rotated."""
    from pypdfium2 import raw

    right, down = ctypes.c_int(), ctypes.c_int()
    size = round(width * _PRECISION), round(height * _PRECISION)
    corners = []
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        raw.FPDF_PageToDevice(
            page.raw, 0, 0, *size, 0, x, y, ctypes.byref(right), ctypes.byref(down)
        )
        corners.append((right.value / _PRECISION, height - down.value / _PRECISION))
    (x1, y1), (x2, y2) = corners
    return (
        round(min(x1, x2), 2),
        round(min(y1, y2), 2),
        round(max(x1, x2), 2),
        round(max(y1, y2), 2),
    )


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
