"""PDF files: the text layer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import Content, Element, unwrap

_TAIL = 65_536  # bytes at the end of a file in which its end mark must stand
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_LAM_ALEF = re.compile("[اأإآ]ل")
_LINE_HYPHEN = "\ufffe"  # PDFium's code for a hyphen at the end of a line
_LINE = re.compile(f"[^\r\n{_LINE_HYPHEN}]+")
_HYPHENS = ("-", "\u2010", "\xad")
_BULLET = re.compile(r"[-–•‣▪●*]\s|\(?\w{1,3}[.)]\s")
_CLOSED = frozenset(".!?:;。！？：；؟।。")
_LEADER = re.compile(r"(?:\. ?){6,}\s*\S*$")  # a line of a table of contents
_SLACK = 0.02  # of the page's width: the space left in a full line, in addition to a word
_NARROW = 0.3  # of the page's width: shorter lines are never full
_INDENT = 0.15  # of the page's width: lines whose starts differ by less are in one column
_NEAR = 6  # lines above and below from which the column's width is found
_GAP = 1.6  # line distances: a larger gap separates paragraphs
_FILE_NAME = re.compile(r"\.(?:docx?|odt|tex|dvi|indd|rtf|html?)$|^untitled$", re.IGNORECASE)
_MAX_HEADINGS = 20_000


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


def read_pdf(path: Path) -> Content:
    """Reads the text of the pages, with lines joined to paragraphs and hyphenated words to words.

    Bookmarks are the headings. A PDF of several pages without bookmarks has a section for each page
    ("p. 12"). Lines that are repeated at the top or bottom of most pages are omitted.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
    """
    import pypdfium2
    from pypdfium2 import raw

    # PDFium gets the open file, because it takes every name to be UTF-8.
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        if b"%%EOF" not in file.read():
            raise UnreadableFile("is a PDF cut short")
        try:
            with closing(pypdfium2.PdfDocument(file)) as pdf:
                pages = [_lines(pdf, number) for number in range(len(pdf))]
                headings = _bookmarks(pdf)
                title = _title(pdf)
        except pypdfium2.PdfiumError as error:
            encrypted = getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD
            raise UnreadableFile(
                "is encrypted: save it without its password first"
                if encrypted
                else "is a damaged PDF"
            ) from error
    _drop_repeated(pages)
    return Content(list(_blocks(pages, headings)), title)


def _lines(pdf: Any, number: int) -> list[_Line]:
    page = pdf[number]
    try:
        text_page = page.get_textpage()
        try:
            text = str(text_page.get_text_range())
            measured = len(text) == text_page.count_chars()
            if measured:
                text = _in_order(text, text_page)
            lines = []
            for match in _LINE.finditer(text):
                line = match[0].strip()
                if line:
                    start = match.start() + match[0].find(line[0])
                    box = text_page if measured else None
                    lines.append(_line(line, start, box))
                    if text[match.end() : match.end() + 1] == _LINE_HYPHEN:
                        lines[-1].text += "-"
            return lines
        finally:
            text_page.close()
    finally:
        page.close()


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
    return _Line(text, left, right, (bottom + top) / 2, top - bottom, first_word)


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


def _drop_repeated(pages: list[list[_Line]]) -> None:
    """Removes running heads and page numbers: lines equal but for numbers on most pages."""
    if len(pages) < 3:
        return
    for edge in (0, -1):
        _drop_edge(pages, edge, _shape)
        _drop_edge(pages, edge, lambda line: line.text)  # the second line of a running head


def _drop_edge(pages: list[list[_Line]], edge: int, key: Callable[[_Line], str]) -> None:
    shapes = Counter(key(page[edge]) for page in pages if len(page) > 1)
    most = max(3.0, 0.4 * len(pages))
    for page in pages:
        if page and shapes[key(page[edge])] >= most:
            del page[edge]


def _shape(line: _Line) -> str:
    return _NUMBER.sub("#", " ".join(line.text.lower().split()))


def _blocks(
    pages: list[list[_Line]], headings: dict[int, list[tuple[int, str]]]
) -> Iterator[Element]:
    by_page = not headings and len(pages) > 1
    paragraph: list[str] = []
    before: _Line | None = None
    for number, page in enumerate(pages):
        lines = [line for line in page if not _LEADER.search(line.text)]
        page_headings = headings.get(number, [])
        if by_page and lines:
            page_headings = [(1, f"p. {number + 1}")]
        _find_margins(lines)
        placed = _placed(lines, page_headings)
        for at in range(len(lines) + 1):
            for level, title in placed.get(at, ()):
                yield from _finish(paragraph)
                before = None
                yield Element(title, level)
            if at == len(lines) or not lines[at].text:
                continue
            if before is not None and not _continues(before, lines[at]):
                yield from _finish(paragraph)
            before = lines[at]
            paragraph.append(before.text)
    yield from _finish(paragraph)


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


def _continues(before: _Line, line: _Line) -> bool:
    """Whether a line continues the paragraph of the line before it."""
    if _ends_in_hyphen(before.text):
        return True
    if _BULLET.match(line.text):
        return False
    drop = before.middle - line.middle
    if not before.page_width or not line.page_width or drop < 0:
        # Not measured, or on the next page or in the next column.
        return before.text[-1] not in _CLOSED and before.text[-1].isalnum()
    if before.distance and drop > _GAP * before.distance:
        return False
    if max(before.height, line.height) > 1.8 * min(before.height, line.height):
        return False
    # A line is full if the first word of the next line would not have fitted after it, in text
    # from left to right and from right to left.
    room = min(before.column_right - before.right, before.left - before.column_left)
    full = max(room, 0.0) < line.first_word + _SLACK * before.page_width
    return full and before.right - before.left > _NARROW * before.page_width


def _ends_in_hyphen(text: str) -> bool:
    before = text[-2:-1]
    return text.endswith(_HYPHENS) and before.isalnum() and not before.isdecimal()


def _finish(lines: list[str]) -> Iterator[Element]:
    if not lines:
        return
    text = lines[0]
    for line in lines[1:]:
        if _ends_in_hyphen(text) and line[:1].islower():
            text = text[:-1] + line
        elif _ends_in_hyphen(text):
            text += line
        else:
            text += "\n" + line
    lines.clear()
    yield Element(unwrap(text))
