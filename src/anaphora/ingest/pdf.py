"""PDF files: the text layer."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import MARKER, Content, Element, contents_lines, row, unwrap
from anaphora.records import BlockKind

_TAIL = 65_536  # bytes at the end of a file in which its end mark must stand
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_LAM_ALEF = re.compile("[اأإآ]ل")
_LINE_HYPHEN = "\ufffe"  # PDFium's code for a hyphen at the end of a line
_LINE = re.compile(f"[^\r\n{_LINE_HYPHEN}]+")
_HYPHENS = ("-", "\u2010", "\xad")
_CLOSED = frozenset(".!?:;。！？：；؟।。")
_FIXED = re.compile(r"mono|courier|cursor|typewriter|consol|menlo|fixed|cmtt|tt\d*$", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|cmbx|bx\d+$", re.IGNORECASE)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶]{1,2})[.)]?\s?\S")
_PAGE_AFTER = re.compile(r"\S\s+(\d{1,4})$")
_PAGES_AFTER = re.compile(r"^[^.!?]{1,70}?,?\s\d{1,4}(?:[-–,] ?\d{1,4})*$")
_SPACE = re.compile(r"\s+")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SLACK = 0.02  # of the page's width: the space left in a full line, in addition to a word
_NARROW = 0.3  # of the page's width: shorter lines are never full
_INDENT = 0.15  # of the page's width: lines whose starts differ by less are in one column
_NEAR = 6  # lines above and below from which the column's width is found
_GAP = 1.6  # line distances: a larger gap separates paragraphs
_CONTINUING = frozenset(",.;:!?)]}，。、；：！？）」』】،؛")
_FILE_NAME = re.compile(r"\.(?:docx?|odt|tex|dvi|indd|rtf|html?)$|^untitled$", re.IGNORECASE)
_RARE = 0.05  # of the pages: a line with this text is at the edge, "continued on the next page"
_MAX_HEADINGS = 20_000
_LARGER, _SMALLER = 1.12, 0.92  # times the usual font size: headings and footnotes
_LONGEST_HEADING = 120
_FEWEST_ENTRIES = 8  # lines of a table of contents or an index on a page
_LONGEST_ENTRY = 300  # characters of such a line
_FRONT_PAGES = 50  # by which page numbers may exceed the count of pages
_FIXED_PITCH = 1  # in the flags of a font
_SCALED = 2.0  # points: no text is so small
_CHARACTER = 0.42  # of the font size: the usual width of a character
_STRETCHED = 1.15  # times the usual width: a line with gaps
_CELL_GAP = 1.2  # of the font size: a gap between the cells of a row
_ALIGNED = 3.0  # points between the starts of cells in one column
_WIDE = 0.2  # of the characters of a line that is code
_SHORTEST_PART = 12  # characters of a quotation of which only a part is on the page


@dataclass(slots=True)
class _Line:
    text: str
    left: float = 0.0
    right: float = 0.0
    middle: float = 0.0
    height: float = 0.0
    first_word: float = 0.0  # its width; all lengths are in points
    column_left: float = 0.0
    column_right: float = 0.0
    page_width: float = 0.0
    distance: float = 0.0
    size: float = 0.0  # of the font
    fixed: bool = False  # in a font for code
    partly_fixed: bool = False  # most of it
    bold: bool = False
    cells: tuple[str, ...] = ()  # parts with wide gaps between them, if there are several
    starts: tuple[float, ...] = ()  # where they begin
    in_table: bool = False

    @property
    def start(self) -> float:
        """Where the line begins, as a distance in the direction of reading."""
        return -self.right if _RTL.search(self.text) else self.left


def read_pdf(path: Path) -> Content:
    """Reads the text of the pages, with lines joined to paragraphs and hyphenated words to words.

    Bookmarks are the headings. A PDF of several pages without bookmarks has a section for each page
    ("p. 12"). Lines that are repeated at the top or bottom of most pages are omitted.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
    """
    with _opened(path) as pdf:
        pages = [_lines(pdf, number) for number in range(len(pdf))]
        headings = _bookmarks(pdf)
        title = _title(pdf)
    usual = _usual_size(pages)
    for page in pages:
        _find_margins(page)
    _drop_repeated(pages, usual)
    _drop_contents(pages)
    if not headings:
        headings = _large_lines(pages, usual)
    return Content(_Elements(usual).read(pages, headings), title)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    import pypdfium2
    from pypdfium2 import raw

    # PDFium gets the open file, because it takes every name to be UTF-8.
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        if b"%%EOF" not in file.read():
            raise UnreadableFile("is a PDF cut short")
        try:
            with closing(pypdfium2.PdfDocument(file)) as pdf:
                yield pdf
        except pypdfium2.PdfiumError as error:
            encrypted = getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD
            raise UnreadableFile(
                "is encrypted: save it without its password first"
                if encrypted
                else "is a damaged PDF"
            ) from error


@contextmanager
def _text_page(pdf: Any, number: int) -> Iterator[Any]:
    with closing(pdf[number]) as page, closing(page.get_textpage()) as text_page:
        yield text_page


def _lines(pdf: Any, number: int) -> list[_Line]:
    with _text_page(pdf, number) as text_page:
        text = str(text_page.get_text_range())
        measured = len(text) == text_page.count_chars()
        if measured:
            text = _in_order(text, text_page)
        lines: list[_Line] = []
        for match in _LINE.finditer(text):
            line = match[0].strip()
            if line:
                start = match.start() + match[0].find(line[0])
                found = _line(line, start, text_page if measured else None)
                if lines and _is_bullet_of(lines[-1], found):
                    found.text, found.left = f"{lines[-1].text} {line}", lines.pop().left
                lines.append(found)
                if text[match.end() : match.end() + 1] == _LINE_HYPHEN:
                    lines[-1].text += "-"
        for one, other in [*pairwise(lines), *pairwise(reversed(lines))]:
            other.fixed = other.fixed or (other.partly_fixed and one.fixed)
        return lines


def _is_bullet_of(mark: _Line, line: _Line) -> bool:
    """Whether a line is no more than the mark of the item in the line after it."""
    marker = MARKER.match(f"{mark.text} x")
    alone = marker is not None and marker.end() == len(mark.text) + 1
    return alone and line.height > 0 and abs(mark.middle - line.middle) < 0.5 * line.height


def _in_order(text: str, text_page: Any) -> str:
    """Reverses the letters of Arabic lam-alef ligatures, which PDFium returns in visual order.

    The letters of one glyph have the same box; an alef and a lam that are two glyphs have two.
    """
    for match in _LAM_ALEF.finditer(text):
        at = match.start()
        if text_page.get_charbox(at) == text_page.get_charbox(at + 1):
            text = f"{text[:at]}ل{text[at]}{text[at + 2 :]}"
    return text


def _line(text: str, start: int, text_page: Any) -> _Line:
    if text_page is None:
        return _Line(text)
    word = len(text.split(None, 1)[0])
    boxes = [text_page.get_charbox(start + at) for at in (0, word - 1, len(text) - 1)]
    left = min(boxes[0][0], boxes[2][0])
    right = max(boxes[0][2], boxes[2][2])
    bottom = min(box[1] for box in boxes)
    top = max(box[3] for box in boxes)
    first_word = max(boxes[0][2], boxes[1][2]) - min(boxes[0][0], boxes[1][0])
    line = _Line(text, left, right, (bottom + top) / 2, top - bottom, first_word)
    fonts = [_font(text_page, start + at) for at in {0, len(text) // 2, len(text) - 1}]
    line.size = _font_size(text_page, start)
    line.bold = all(_BOLD.search(name) for name, _ in fonts)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if wide < _WIDE * len(text):  # fonts of East Asian characters have a fixed pitch
        fixed = sum(bool(flags & _FIXED_PITCH or _FIXED.search(name)) for name, flags in fonts)
        line.fixed = fixed == len(fonts)
        line.partly_fixed = fixed >= 0.5 * len(fonts)
    usual = line.size * (_CHARACTER * (len(text) - wide) + wide)
    if right - left > _STRETCHED * usual and not line.fixed:
        line.cells, line.starts = _cells(text, start, line.size, text_page)
    return line


def _cells(
    text: str, start: int, size: float, text_page: Any
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The parts of a line with wide gaps between them, and where they begin; nothing for one part,
    or for the mark of an item and its text."""
    borders = [0]
    for space in _SPACE.finditer(text):
        before = text_page.get_charbox(start + space.start() - 1)
        after = text_page.get_charbox(start + space.end())
        if max(after[0] - before[2], before[0] - after[2]) > _CELL_GAP * size:
            borders.append(space.end())
    cells = tuple(
        text[here:there].strip() for here, there in zip(borders, [*borders[1:], None], strict=True)
    )
    if len(cells) < 2 or MARKER.match(f"{cells[0]} x"):
        return (), ()
    boxes = (text_page.get_charbox(start + at) for at in borders)
    return cells, tuple(-box[2] if _RTL.search(text) else box[0] for box in boxes)


def _font(text_page: Any, at: int) -> tuple[str, int]:
    """The name and the flags of the font of a character."""
    from pypdfium2 import raw

    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(text_page, at, name, len(name), flags)
    return name.value.decode("utf-8", "replace").rpartition("+")[2], flags.value


def _font_size(text_page: Any, at: int) -> float:
    from pypdfium2 import raw

    size = float(raw.FPDFText_GetFontSize(text_page, at))
    if size < _SCALED:  # the page enlarges its fonts
        box = text_page.get_charbox(at, loose=True)
        size = box[3] - box[1]
    return round(size, 1)


def _usual_size(pages: list[list[_Line]]) -> float:
    """The font size of most characters, or 0."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _large_lines(pages: list[list[_Line]], usual: float) -> dict[int, list[tuple[int, str]]]:
    """Headings, as `_bookmarks` gives them, found by their font size; none in a document in which
    much is large."""
    found: dict[int, list[_Line]] = {}
    for number, page in enumerate(pages):
        for line in page:
            large = usual > 0 and line.size >= _LARGER * usual and not line.fixed
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


def _bookmarks(pdf: Any) -> dict[int, list[tuple[int, str]]]:
    """Maps page numbers (from 0) to the levels (from 1) and titles of their bookmarks."""
    headings: dict[int, list[tuple[int, str]]] = {}
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


def _title(pdf: Any) -> str:
    try:
        title = str(pdf.get_metadata_value("Title"))
    except UnicodeDecodeError:
        return ""
    return "" if _FILE_NAME.search(title) else title


def _drop_repeated(pages: list[list[_Line]], usual: float) -> None:
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


def _drop_apart(pages: list[list[_Line]], edge: int, usual: float) -> None:
    """Removes running heads that name the chapter: no larger than the text, apart from it, and at
    the height of those of other pages."""
    inner = 1 if edge == 0 else -2
    distances = sorted(page[0].distance for page in pages if page)
    far = max(2 * usual, _GAP * distances[len(distances) // 2]) if distances else 0.0
    heads: dict[int, list[list[_Line]]] = {}
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


def _drop_contents(pages: list[list[_Line]]) -> None:
    """Removes the lines of tables of contents, and the pages of an index at the end."""
    lines = [line for page in pages for line in page]
    listed = {id(lines[at]) for at in contents_lines([line.text for line in lines])}
    last = -1
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
        if number > 0.6 * len(pages) and pages_after >= max(2 * _FEWEST_ENTRIES, 0.5 * len(page)):
            listed.update(map(id, page))
    for page in pages:
        page[:] = [line for line in page if id(line) not in listed]


def _is_mark(line: _Line, usual: float) -> bool:
    """Whether a line is only the number of a footnote, above the text."""
    return line.text.isdecimal() and 0 < line.size < _SMALLER * usual and len(line.text) < 4


def _drop_edge(
    pages: list[list[_Line]], edge: int, key: Callable[[_Line], str], share: float = 0.4
) -> None:
    shapes = Counter(key(page[edge]) for page in pages if len(page) > 1)
    most = max(3.0, share * len(pages))
    for page in pages:
        short = page and share < 0.4 and len(page[edge].text) < _SHORTEST_PART
        if page and not short and shapes[key(page[edge])] >= most:
            del page[edge]


def _page_number(line: _Line) -> str:
    """ "#" for a line that is only a number, and the line's own text for others."""
    return "#" if _shape(line) == "#" else line.text


def _shape(line: _Line) -> str:
    return _NUMBER.sub("#", " ".join(line.text.lower().split()))


class _Elements:
    """Collects elements from the lines of the pages."""

    def __init__(self, usual: float) -> None:
        self._usual = usual
        self._found: list[Element] = []
        self._paragraph: list[_Line] = []
        self._page = 0  # of the first line of the paragraph, from 1
        self._notes: list[tuple[int, list[_Line]]] = []  # footnotes, by page, until it ends
        self._items: list[float] = []  # where the marks of the open items begin
        self._rows = 0  # of the open table
        self._header: tuple[str, ...] = ()

    def read(
        self, pages: list[list[_Line]], headings: dict[int, list[tuple[int, str]]]
    ) -> list[Element]:
        by_page = not headings and len(pages) > 1
        for number, page in enumerate(pages, 1):
            page_headings = headings.get(number - 1, [])
            if by_page and page:
                page_headings = [(1, f"p. {number}")]
            _find_margins(page)
            _find_rows(page)
            lines, notes = self._without_notes(page)
            placed = _placed(lines, page_headings)
            for at in range(len(lines) + 1):
                for level, title in placed.get(at, ()):
                    self._finish()
                    self._items.clear()
                    self._found.append(Element(title, level, place=f"page={number}"))
                if at < len(lines) and lines[at].text:
                    self._line(lines[at], number)
            if notes:
                self._notes.append((number, notes))
        self._finish()
        return self._found

    def _without_notes(self, page: list[_Line]) -> tuple[list[_Line], list[_Line]]:
        """The lines of a page, and those of its footnotes: small ones at its end."""
        at = len(page)
        while at and 0 < page[at - 1].size < _SMALLER * self._usual and not page[at - 1].fixed:
            at -= 1
        while at < len(page) and not _NOTE.match(page[at].text):
            at += 1
        return page[:at], page[at:]

    def _line(self, line: _Line, page: int) -> None:
        before = self._paragraph[-1] if self._paragraph else None
        if line.in_table:
            self._finish()
            self._row(line, page)
            return
        self._rows = 0
        if before is not None and not _continues(before, line, self._paragraph[0]):
            self._finish()
        if not self._paragraph:
            self._page = page
        self._paragraph.append(line)

    def _row(self, line: _Line, page: int) -> None:
        if not self._rows:
            self._header = line.cells if line.bold else ()
        header = self._rows == 0 and line.bold
        text, names = row(line.cells, () if header else self._header)
        kind: BlockKind = "header" if header else "row"
        tight = self._rows > 0
        self._found.append(Element(text, 0, tight, kind, 0, "", names, f"page={page}"))
        self._rows += 1

    def _finish(self) -> None:
        if self._paragraph:
            self._add(self._paragraph, self._page)
        self._paragraph = []
        notes, self._notes = self._notes, []
        for page, lines in notes:
            first = 0
            for at in range(1, len(lines) + 1):
                if at == len(lines) or _NOTE.match(lines[at].text):
                    text = _joined([line.text for line in lines[first:at]])
                    self._found.append(Element(text, place=f"page={page}"))
                    first = at

    def _add(self, lines: list[_Line], page: int) -> None:
        first = lines[0]
        place = f"page={page}"
        if first.fixed:
            self._found.append(Element(_code(lines), kind="code", place=place))
            return
        match = MARKER.match(first.text)
        slack = 0.5 * first.height
        while self._items and first.start <= self._items[-1] + (-slack if match else slack):
            self._items.pop()
        depth = len(self._items)
        text = _joined([line.text for line in lines])
        if match:
            if not self._items or first.start > self._items[-1] + slack:
                self._items.append(first.start)
            marker = (match["number"] or match["east"] or "•").strip()
            text = text[match.end() :]
            depth = len(self._items)
            self._found.append(Element(text, 0, True, "item", depth, marker, place=place))
        else:
            self._found.append(Element(text, 0, depth > 0, depth=depth, place=place))


def _code(lines: list[_Line]) -> str:
    """Lines of code with the indentation that they have on the page."""
    margin = min(line.left for line in lines)
    widths = [(line.right - line.left) / len(line.text) for line in lines]
    width = sorted(widths)[len(widths) // 2]
    rows: list[str] = []
    for before, line in zip([None, *lines], lines, strict=False):
        drop = before.middle - line.middle if before else 0.0
        if before and before.distance and drop > _GAP * min(before.distance, 2 * line.height):
            rows.append("")
        indent = round((line.left - margin) / width) if width > 0 else 0
        rows.append(" " * min(indent, 200) + line.text)
    return "\n".join(rows)


def _placed(
    lines: list[_Line], headings: list[tuple[int, str]]
) -> dict[int, list[tuple[int, str]]]:
    """Maps line numbers to the headings before them; a line that is the heading is emptied."""
    placed: dict[int, list[tuple[int, str]]] = {}
    last = 0
    for level, title in headings:
        wanted = "".join(title.split()).casefold()
        for at in range(last, len(lines)):
            found = "".join(lines[at].text.split()).casefold()
            numbered = found.endswith(wanted) and len(found) < len(wanted) + 8
            if found and (found == wanted or numbered):
                lines[at].text = ""
                last = at
                break
        placed.setdefault(last, []).append((level, title))
    return placed


def _find_margins(lines: list[_Line]) -> None:
    """Sets each line's column borders, and the median distance of lines on the page."""
    measured = [line for line in lines if line.height > 0]
    if not measured:
        return
    page = max(line.right for line in measured) - min(line.left for line in measured)
    distances = sorted(
        upper.middle - lower.middle
        for upper, lower in pairwise(measured)
        if upper.middle - lower.middle > 0.5 * lower.height
    )
    usual = distances[len(distances) // 2] if distances else 0.0
    for at, line in enumerate(measured):
        near = measured[max(0, at - _NEAR) : at + _NEAR + 1]
        line.column_right = max(
            other.right for other in near if abs(other.left - line.left) < _INDENT * page
        )
        line.column_left = min(
            other.left for other in near if abs(other.right - line.right) < _INDENT * page
        )
        line.page_width = page
        line.distance = usual


def _find_rows(page: list[_Line]) -> None:
    """Marks the rows of tables: lines whose cells are aligned with those of the next or last line.
    A line below one cell is a part of it, and is emptied."""
    above: _Line | None = None
    for at, line in enumerate(page):
        near = above is not None and 0 < above.middle - line.middle < 4 * max(
            line.height, line.size
        )
        if line.cells:
            if above is not None and near and _columns(above, line):
                above.in_table = line.in_table = True
            above = line
        elif above is not None and near and above.in_table and not line.fixed:
            column = _column(above, line)
            if column and page[at - 1].middle - line.middle < _GAP * max(line.distance, line.size):
                cells = list(above.cells)
                cells[column] = f"{cells[column]} {line.text}"
                above.cells = tuple(cells)
                line.text = ""
            else:
                above = None
        else:
            above = None
    page[:] = [line for line in page if line.text]


def _columns(above: _Line, line: _Line) -> bool:
    """Whether two lines have a column other than the first one in common."""
    return any(abs(one - other) < _ALIGNED for one in above.starts[1:] for other in line.starts[1:])


def _column(above: _Line, line: _Line) -> int:
    """The number of the column in which a line begins; 0 if it is in none but the first."""
    return next(
        (at for at, start in enumerate(above.starts) if at and abs(start - line.start) < _ALIGNED),
        0,
    )


def _continues(before: _Line, line: _Line, first: _Line) -> bool:
    """Whether a line continues the paragraph of the line before it, which begins with `first`."""
    if before.fixed or line.fixed:
        return before.fixed and line.fixed
    if _ends_in_hyphen(before.text):
        return True
    if before.bold and not line.bold and first.bold:
        return False
    match = MARKER.match(line.text)
    if match and (match["bullet"] or MARKER.match(first.text) or not _is_open(before)):
        return False
    if line.text[0] in _CONTINUING:
        return True
    if min(before.size, line.size) > 0 and not _SMALLER < before.size / line.size < _LARGER:
        return False
    drop = before.middle - line.middle
    if not before.page_width or not line.page_width or drop < 0:
        # Not measured, or on the next page or in the next column.
        return _is_open(before)
    if before.distance and drop > _GAP * before.distance:
        return False
    if MARKER.match(first.text) and line.start < first.start + _ALIGNED and before is not first:
        return False
    # A line is full if the first word of the next line would not have fitted after it.
    rtl = _RTL.search(before.text)
    room = before.left - before.column_left if rtl else before.column_right - before.right
    full = max(room, 0.0) < line.first_word + _SLACK * before.page_width
    return full and before.right - before.left > _NARROW * before.page_width


def _ends_in_hyphen(text: str) -> bool:
    before = text[-2:-1]
    return text.endswith(_HYPHENS) and before.isalnum() and not before.isdecimal()


def _is_open(line: _Line) -> bool:
    """Whether the sentence of a line seems to go on."""
    return line.text[-1] not in _CLOSED and line.text[-1].isalnum()


def _joined(lines: list[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        if _ends_in_hyphen(text) and line[:1].islower():
            text = text[:-1] + line
        elif _ends_in_hyphen(text):
            text += line
        else:
            text += "\n" + line
    return unwrap(text)


Box = tuple[float, float, float, float]
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
    with _opened(path) as pdf:
        if not 0 < page <= len(pdf):
            return []
        with _text_page(pdf, page - 1) as text_page:
            text = str(text_page.get_text_range())
            if len(text) != text_page.count_chars():
                return []
            letters, places = _letters(_in_order(text, text_page))
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
        if not char.isspace() and char not in _HYPHENS and char != _LINE_HYPHEN:
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
