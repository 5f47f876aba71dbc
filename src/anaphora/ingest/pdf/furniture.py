"""What pages hold besides their text: running heads, page numbers, tables of contents, indexes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from anaphora.ingest.content import contents_lines
from anaphora.ingest.pdf.layout import GAP, SMALLER
from anaphora.ingest.pdf.pages import Line

_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_PAGE_AFTER = re.compile(r"\S\s+(\d{1,4})$")
_PAGES_AFTER = re.compile(r"^[^.!?]{1,70}?(?:,?\s|(?: ?\.){4,}\s?)\d{1,4}(?:[-–,] ?\d{1,4})*$")
_RARE = 0.05  # of the pages: a line with this text is at the edge, "continued on the next page"
_FEWEST_ENTRIES = 8  # lines of a table of contents or an index on a page
_LONGEST_ENTRY = 300  # characters of such a line
_FRONT_PAGES = 50  # by which page numbers may exceed the count of pages
_SHORTEST_PART = 12  # characters of a quotation of which only a part is on the page


def drop_repeated(pages: list[list[Line]], usual: float) -> None:
    """Removes running heads and page numbers: lines equal but for numbers on most pages, and lines
    that stand apart from the text at the same height on most pages."""
    if len(pages) < 3:
        return
    for page in pages:
        if len(page) == 1 and _shape(page[0]) == "#":
            page.clear()
        page[:] = [line for line in page if not _is_mark(line, usual)]
    for edge in (0, -1):
        _drop_edge(pages, edge, _shape)
        _drop_edge(pages, edge, _page_number)
        _drop_apart(pages, edge, usual)
        _drop_edge(pages, edge, lambda line: line.text, _RARE)  # the second line of a head


def _drop_apart(pages: list[list[Line]], edge: int, usual: float) -> None:
    """Removes running heads that name the chapter: no larger than the text, apart from it, and at
    the height of those of other pages."""
    inner = 1 if edge == 0 else -2
    distances = sorted(page[0].distance for page in pages if page)
    far = max(2 * usual, GAP * distances[len(distances) // 4]) if distances else 0.0
    heads: dict[int, list[list[Line]]] = {}
    shapes: Counter[str] = Counter()
    for page in pages:
        if len(page) > 2 and page[edge].height > 0 and page[edge].size <= usual:
            apart = abs(page[edge].middle - page[inner].middle)
            if apart > far:
                heads.setdefault(round(page[edge].middle / 3), []).append(page)
                shapes[_shape(page[edge])] += 1
    for found in heads.values():
        if len(found) >= max(3.0, 0.3 * len(pages)):
            for page in found:
                if shapes[_shape(page[edge])] > 1 or _NUMBER.search(page[edge].text.lower()):
                    del page[edge]


def _drop_edge(
    pages: list[list[Line]], edge: int, key: Callable[[Line], str], share: float = 0.4
) -> None:
    shapes = Counter(key(page[edge]) for page in pages if len(page) > 1)
    most = max(3.0, share * len(pages))
    for page in pages:
        short = page and share < 0.4 and len(page[edge].text) < _SHORTEST_PART
        if page and not short and shapes[key(page[edge])] >= most:
            del page[edge]


def _is_mark(line: Line, usual: float) -> bool:
    """Whether a line is only the number of a footnote, above the text."""
    return line.text.isdecimal() and 0 < line.size < SMALLER * usual and len(line.text) < 4


def _page_number(line: Line) -> str:
    """ "#" for a line that is only a number, and the line's own text for others."""
    return "#" if _shape(line) == "#" else line.text


def _shape(line: Line) -> str:
    return _NUMBER.sub("#", " ".join(line.text.lower().split()))


def drop_contents(pages: list[list[Line]]) -> None:
    """Removes the lines of tables of contents, and the pages of an index at the end."""
    lines = [line for page in pages for line in page]
    listed = {id(lines[at]) for at in contents_lines([line.text for line in lines])}
    last = last_index = -1
    for number, page in enumerate(pages):
        short = [line.text for line in page if len(line.text) <= _LONGEST_ENTRY]
        found = [int(match[1]) for text in short if (match := _PAGE_AFTER.search(text))]
        entries = [entry for entry in found if entry <= len(pages) + _FRONT_PAGES]
        ascending = sum(after >= before for before, after in pairwise(entries))
        if (
            len(entries) >= max(2 if number == last + 1 > 0 else _FEWEST_ENTRIES, 0.6 * len(page))
            and ascending >= 0.9 * (len(entries) - 1)
            and number <= max(last, 3) + 3 + 0.1 * len(pages)
        ):
            listed.update(map(id, page))
            last = number
        pages_after = sum(_PAGES_AFTER.match(text) is not None for text in short)
        fewest = 2 if number == last_index + 1 > 0 else 2 * _FEWEST_ENTRIES
        if number > 0.6 * len(pages) and pages_after >= max(fewest, 0.5 * len(page)):
            listed.update(map(id, page))
            last_index = number
    for page in pages:
        page[:] = [line for line in page if id(line) not in listed]
