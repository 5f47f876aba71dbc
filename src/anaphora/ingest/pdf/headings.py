"""The headings of a PDF: its bookmarks, or else its large lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias

from anaphora.ingest.content import unwrap
from anaphora.ingest.pdf.layout import LARGER
from anaphora.ingest.pdf.pages import Line
from anaphora.normal_form import normal_form

Heading: TypeAlias = tuple[int, str]
"""The level, from 1, and the text of a heading."""

Headings: TypeAlias = dict[int, list[Heading]]
"""The headings of each page, by its number from 0."""

Font: TypeAlias = tuple[float, bool]
"""Its size, and whether it is bold."""

Fonts: TypeAlias = dict[Font, int]
"""The levels of the headings in a font."""

_FEWEST = 3  # lines of headings in a font
_MAX_HEADINGS = 20_000
_LONGEST_HEADING = 120
_MOST_LINES = 3  # of a heading
_LONGEST_NUMBER = 10  # characters before a heading's title: "12.3.", "Appendix B"
_WITHOUT_ACCENT = str.maketrans("ıđĐðÐłŁøØ", "idDdDlLoO")
"""For letters that are not decomposed into another one and an accent."""
_PAGE = re.compile(r"\D{0,12}(\d+)")
_SUBSECTION = re.compile(r"(?:\d{1,3}|[A-Z])((?:\.\d{1,3})+)\.?\s+(?=[^\W\d_])")
_OPENING = "¿¡«“„‘\"'([【（「『《"
_DEEPER = 10
"""More than the level of any bookmark."""
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
                if above and above.size == line.size and _close(above, line):
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


def bookmarks(pdf: Any) -> tuple[Headings, str]:
    """Maps page numbers (from 0) to the levels (from 1) and titles of their bookmarks; nothing if
    these only count the pages. A bookmark above all others is no heading; its title comes second.
    """
    found: list[tuple[int, Heading]] = []
    for bookmark in islice(pdf.get_toc(max_depth=9), _MAX_HEADINGS):
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        try:
            title = unwrap(bookmark.get_title())
        except UnicodeDecodeError:  # a lone surrogate
            continue
        if page is not None and title:
            found.append((page, (bookmark.level + 1, title)))
    numbers = (_PAGE.fullmatch(title) for _, (_, title) in found)
    if all(
        match and int(match[1]) == page + 1 for match, (page, _) in zip(numbers, found, strict=True)
    ):
        return {}, ""
    root = ""
    if len(found) > 1 and all(level > found[0][1][0] for _, (level, _) in found[1:]):
        root = found.pop(0)[1][1]
    headings: Headings = {}
    for page, heading in found:
        headings.setdefault(page, []).append(heading)
    return headings, root


def fonts_of(pages: list[list[Line]], headings: Headings, usual: float) -> Fonts:
    """The fonts larger than the text in which several headings are set, with their levels."""
    levels: dict[Font, Counter[int]] = {}
    for number, page in enumerate(pages):
        for level, _, start, end in _places(page, headings.get(number, [])):
            for line in page[start:end]:
                levels.setdefault((line.size, line.bold), Counter())[level] += 1
    return {
        font: found.most_common(1)[0][0]
        for font, found in levels.items()
        if font[0] >= LARGER * usual and found.total() >= _FEWEST
    }


def headings_before(
    lines: list[Line], headings: list[Heading], fonts: Fonts | None
) -> dict[int, list[Heading]]:
    """Maps line numbers to the headings before them; the lines of a heading are emptied. Lines in
    a font of headings are a heading that has no bookmark, and so are bold lines with the number of
    a subsection.

    Args:
        fonts: None on the title page, where other lines are large and bold.
    """
    before: dict[int, list[Heading]] = {}
    for level, title, start, end in _places(lines, headings):
        for line in lines[start:end]:
            line.text = ""
        before.setdefault(start, []).append((level, title))
    if fonts is None:
        return before
    for at, end in _alike(lines):
        text = " ".join(line.text for line in lines[at:end])
        number_above = end in before  # "Chapter 5" above the title of the chapter
        level = fonts.get((lines[at].size, lines[at].bold), 0)
        subsection = _SUBSECTION.match(text) if lines[at].bold else None
        if subsection and not level and len(text) <= _LONGEST_HEADING:
            level = _DEEPER + subsection[1].count(".")
        begins = text.lstrip(_OPENING)[:1].isalnum()  # an example of large letters rarely does
        if level and begins and any(map(str.isalpha, text)) and not number_above:
            before.setdefault(at, []).append((level, text))
            for line in lines[at:end]:
                line.text = ""
    return before


def _alike(lines: list[Line]) -> Iterator[tuple[int, int]]:
    """The ranges of lines in one font that follow each other closely, outside of tables."""
    start = 0
    for at in range(1, len(lines) + 1):
        last = lines[at - 1]
        same = at < len(lines) and (lines[at].size, lines[at].bold) == (last.size, last.bold)
        numbered = at < len(lines) and _SUBSECTION.match(lines[at].text)
        if same and not numbered and last.text and lines[at].text and _close(last, lines[at]):
            continue
        if last.text and not last.in_table:
            yield start, at
        start = at


def _close(above: Line, line: Line) -> bool:
    return 0 < above.middle - line.middle < 2 * line.size


def _places(lines: list[Line], headings: list[Heading]) -> Iterator[tuple[int, str, int, int]]:
    """The headings of a page with the range of their lines, which is empty if they have none."""
    letters = [_plain(line.text) for line in lines] if headings else []
    places: dict[str, list[tuple[int, int]]] = {}
    for at, first in enumerate(letters):
        for end in range(at + 1, min(at + _MOST_LINES, len(lines)) + 1):
            found = "".join(letters[at:end])
            for number in range(min(_LONGEST_NUMBER, len(first))):
                places.setdefault(found[number:], []).append((at, end))
    start = end = 0
    for level, title in headings:
        same = places.get(_plain(title), [])
        following = (
            (start, end)
            for start, end in same[bisect_left(same, (end,)) :]
            if not lines[end - 1].text.endswith(".") or title.endswith(".")
        )
        if place := next(following, None):
            start, end = place
            text = " ".join(line.text for line in lines[start:end])
            yield level, _as_on_the_page(title, text), start, end
        else:
            yield level, title, start, start


def _as_on_the_page(title: str, text: str) -> str:
    """A bookmark's title, with the accents that it has on the page."""
    words = text.split()
    while words and _plain(" ".join(words)) != _plain(title):
        del words[0]
    return max(title, " ".join(words), key=_accents)


def _accents(text: str) -> int:
    return sum(char.isalpha() and not char.isascii() for char in text)


def _plain(text: str) -> str:
    """Letters and digits without accents, as bookmarks often have none."""
    if text.isascii():
        return _letters(text)
    return _letters(normal_form("NFKD", text).translate(_WITHOUT_ACCENT))


def _letters(text: str) -> str:
    """Letters and digits, as bookmarks have other quotation marks and spaces than the page."""
    return "".join(filter(str.isalnum, text)).casefold() or "".join(text.split())
