"""The headings of a PDF: its bookmarks, or else its large lines."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, TypeAlias

from anaphora.ingest.content import unwrap
from anaphora.ingest.pdf.layout import LARGER
from anaphora.ingest.pdf.pages import Line

Heading: TypeAlias = tuple[int, str]
"""The level, from 1, and the text of a heading."""

Headings: TypeAlias = dict[int, list[Heading]]
"""The headings of each page, by its number from 0."""

_MAX_HEADINGS = 20_000
_LONGEST_HEADING = 120
_MOST_LINES = 3  # of a heading
_LONGEST_NUMBER = 10  # characters before a heading's title: "12.3.", "Appendix B"
_TITLE = 1.5
"""How many times as large as the usual text the title on the first page is, at least."""


def large_lines(pages: list[list[Line]], usual: float) -> Headings:
    """Headings, as `bookmarks` gives them, found by their font size; none in a document in which
    much is large."""
    found: dict[int, list[Line]] = {}
    for number, page in enumerate(pages):
        for line in page:
            large = usual > 0 and line.size >= LARGER * usual and not line.fixed
            if large and len(line.text) <= _LONGEST_HEADING and any(map(str.isalpha, line.text)):
                above = found[number][-1] if number in found else None
                if (
                    above
                    and above.size == line.size
                    and 0 < above.middle - line.middle < 2 * line.size
                ):
                    above.text, line.text = f"{above.text} {line.text}", ""
                    above.middle = line.middle
                else:
                    found.setdefault(number, []).append(line)
        page[:] = [line for line in page if line.text]
    count = sum(map(len, found.values()))
    if count > 0.25 * sum(map(len, pages)) or count > _MAX_HEADINGS:
        return {}
    sizes = sorted({line.size for lines in found.values() for line in lines}, reverse=True)
    levels = {size: min(at, 6) for at, size in enumerate(sizes, 1)}
    return {
        number: [(levels[line.size], line.text) for line in lines]
        for number, lines in found.items()
    }


def title_line(page: list[Line], usual: float) -> str:
    """The title on the first page: its largest lines, if they follow one another."""
    size = max((line.size for line in page), default=0.0)
    largest = [at for at, line in enumerate(page) if line.size == size and line.text]
    together = largest and largest[-1] - largest[0] < len(largest)
    if not together or not usual or size < _TITLE * usual:
        return ""
    text = " ".join(page[at].text for at in largest)
    return text if len(text) <= _LONGEST_HEADING and any(map(str.isalpha, text)) else ""


def bookmarks(pdf: Any) -> Headings:
    """Maps page numbers (from 0) to the levels (from 1) and titles of their bookmarks."""
    headings: Headings = {}
    for count, bookmark in enumerate(pdf.get_toc(max_depth=9)):
        if count >= _MAX_HEADINGS:
            break
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        try:
            title = unwrap(bookmark.get_title())
        except UnicodeDecodeError:  # a lone surrogate
            continue
        if page is not None and title:
            headings.setdefault(page, []).append((bookmark.level + 1, title))
    return headings


def headings_before(lines: list[Line], headings: list[Heading]) -> dict[int, list[Heading]]:
    """Maps line numbers to the headings before them; the lines of a heading are emptied."""
    letters = [_letters(line.text) for line in lines]
    places: dict[str, list[tuple[int, int]]] = {}
    for at, first in enumerate(letters):
        for end in range(at + 1, min(at + _MOST_LINES, len(lines)) + 1):
            found = "".join(letters[at:end])
            for number in range(min(_LONGEST_NUMBER, len(first))):
                places.setdefault(found[number:], []).append((at, end))
    before: dict[int, list[Heading]] = {}
    last = free = 0
    for level, title in headings:
        same = places.get(_letters(title), [])
        following = bisect_left(same, (free,))
        if following < len(same):
            last, free = same[following]
            for line in lines[last:free]:
                line.text = ""
        before.setdefault(last, []).append((level, title))
    return before


def _letters(text: str) -> str:
    """Letters and digits, as bookmarks have other quotation marks and spaces than the page."""
    return "".join(filter(str.isalnum, text)).casefold() or "".join(text.split())
