"""Opening a PDF, and the lines of its pages with their places and fonts."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import MARKER
from anaphora.ingest.pdf.letters import LINE_HYPHEN, readable, text_of

_TAIL = 65_536  # bytes at the end of a file in which its end mark must stand
_LINE = re.compile(f"[^\r\n{LINE_HYPHEN}]+")
_FIXED = re.compile(r"mono|courier|cursor|typewriter|consol|menlo|fixed|cmtt|tt\d*$", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|cmbx|bx\d+$", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_FIXED_PITCH = 1  # in the flags of a font
_SCALED = 2.0  # points: no text is so small
_SMALL_NUMBER = 0.9  # of the font size of its line
_CHARACTER = 0.42  # of the font size: the usual width of a character
_STRETCHED = 1.15  # times the usual width: a line with gaps
_CELL_GAP = 1.2  # of the font size: a gap between the cells of a row
_WIDE = 0.2  # of the characters of a line that is code
_FILE_NAME = re.compile(r"\.(?:docx?|odt|tex|dvi|indd|rtf|html?)$|^untitled$", re.IGNORECASE)


@dataclass(slots=True)
class Line:
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
    side_by_side: bool = False  # with another line
    justified: bool = False  # it ends where several lines of its page end
    numbered: bool = False  # it begins with a smaller number: a footnote, an item of a slide
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
        return -self.right if RTL.search(self.text) else self.left


@contextmanager
def opened(path: Path) -> Iterator[Any]:
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
def text_page_of(pdf: Any, number: int) -> Iterator[Any]:
    with closing(pdf[number]) as page, closing(page.get_textpage()) as text_page:
        yield text_page


def title_of(pdf: Any) -> str:
    try:
        title = str(pdf.get_metadata_value("Title"))
    except UnicodeDecodeError:
        return ""
    return "" if _FILE_NAME.search(title) else title


def lines_of(pdf: Any, number: int) -> list[Line]:
    with text_page_of(pdf, number) as text_page:
        text = text_of(text_page)
        lines: list[Line] = []
        for match in _LINE.finditer(text):
            line = match[0].strip()
            if line:
                start = match.start() + match[0].find(line[0])
                found = _line(line, start, text_page)
                if lines and _is_bullet_of(lines[-1], found):
                    found.text, found.left = f"{lines[-1].text} {found.text}", lines.pop().left
                lines.append(found)
                if text[match.end() : match.end() + 1] == LINE_HYPHEN:
                    lines[-1].text += "-"
        for one, other in [*pairwise(lines), *pairwise(reversed(lines))]:
            other.fixed = other.fixed or (other.partly_fixed and one.fixed)
        return lines


def _is_bullet_of(mark: Line, line: Line) -> bool:
    """Whether a line is no more than the mark of the item in the line after it."""
    marker = MARKER.match(f"{mark.text} x")
    alone = marker is not None and marker.end() == len(mark.text) + 1
    return alone and line.height > 0 and abs(mark.middle - line.middle) < 0.5 * line.height


def _line(text: str, start: int, text_page: Any) -> Line:
    word = len(text.split(None, 1)[0])
    boxes = [text_page.get_charbox(start + at) for at in (0, word - 1, len(text) - 1)]
    left = min(boxes[0][0], boxes[2][0])
    right = max(boxes[0][2], boxes[2][2])
    bottom = min(box[1] for box in boxes)
    top = max(box[3] for box in boxes)
    first_word = max(boxes[0][2], boxes[1][2]) - min(boxes[0][0], boxes[1][0])
    line = Line(text, left, right, (bottom + top) / 2, top - bottom, first_word)
    fonts = [_font(text_page, start + at) for at in {0, len(text) // 2, len(text) - 1}]
    sizes = [_font_size(text_page, start + at) for at in (0, len(text) // 2, len(text) - 1)]
    line.size = sorted(sizes)[1]
    line.numbered = text[0].isdecimal() and sizes[0] < _SMALL_NUMBER * line.size
    line.bold = all(_BOLD.search(name) for name, _ in fonts)
    wide = 0
    if not text.isascii():
        wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if wide < _WIDE * len(text):  # fonts of East Asian characters have a fixed pitch
        fixed = sum(bool(flags & _FIXED_PITCH or _FIXED.search(name)) for name, flags in fonts)
        line.fixed = fixed == len(fonts)
        line.partly_fixed = fixed >= 0.5 * len(fonts)
    usual = line.size * (_CHARACTER * (len(text) - wide) + wide)
    if right - left > _STRETCHED * usual and not line.fixed:
        line.cells, line.starts = _cells(text, start, line.size, text_page)
    line.text = readable(text)
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
        readable(text[here:there]).strip()
        for here, there in zip(borders, [*borders[1:], None], strict=True)
    )
    if len(cells) < 2 or MARKER.match(f"{cells[0]} x"):
        return (), ()
    boxes = (text_page.get_charbox(start + at) for at in borders)
    return cells, tuple(-box[2] if RTL.search(text) else box[0] for box in boxes)


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


def usual_size(pages: list[list[Line]]) -> float:
    """The font size of most characters, or 0."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0
