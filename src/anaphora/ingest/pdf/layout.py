"""Which lines of a page belong together: columns, rows of tables, paragraphs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from anaphora.ingest.content import MARKER, unwrap
from anaphora.ingest.pdf.pages import RTL, Line

HYPHENS = ("-", "\u2010", "\xad")
_CLOSED = frozenset(".!?:;。！？：；؟।。")
_CONTINUING = frozenset(",.;:!?)]}，。、；：！？）」』】،؛")
_SLACK = 0.02  # of the page's width: the space left in a full line, in addition to a word
_NARROW = 0.3  # of the width of the page, or of one of several columns: a full line is wider
_INDENT = 0.15  # of the page's width: lines whose starts differ by less are in one column
_ASIDE = 2  # of the font size: the lines of a paragraph in a column begin no farther apart
_SAME_HEIGHT = 0.5  # of a line's height: lines whose middles differ by less are side by side
_EXACT = 1.5  # points between the ends of justified lines
_ALIKE = 5  # lines of a page that end there
_MOST_COMPARED = 50  # lines at one height that are compared
_NEAR = 6  # lines above and below from which the column's width is found
GAP = 1.6  # line distances: a larger gap separates paragraphs
LARGER = 1.12  # times the usual font size: headings
SMALLER = 0.92  # times the usual font size: footnotes
ALIGNED = 3.0  # points between the starts of cells in one column


def find_margins(lines: list[Line]) -> None:
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
    edges = sorted(map(_edge, measured))
    _find_columns(measured)
    for at, line in enumerate(measured):
        near = measured[max(0, at - _NEAR) : at + _NEAR + 1]
        line.column_right = max(
            other.right for other in near if abs(other.left - line.left) < _INDENT * page
        )
        line.column_left = min(
            other.left for other in near if abs(other.right - line.right) < _INDENT * page
        )
        edge = _edge(line)
        same = bisect_right(edges, edge + _EXACT) - bisect_left(edges, edge - _EXACT)
        line.justified = same >= _ALIKE
        line.page_width = page
        line.distance = usual


def _edge(line: Line) -> float:
    """Where the line ends, in the direction of reading."""
    return line.left if RTL.search(line.text) else line.right


def _find_columns(lines: list[Line]) -> None:
    """Marks the lines that are side by side with another one."""
    by_height = sorted(lines, key=lambda line: line.middle)
    for at, line in enumerate(by_height):
        for other in by_height[at + 1 : at + 1 + _MOST_COMPARED]:
            if other.middle - line.middle > _SAME_HEIGHT * line.height:
                break
            if other.left > line.right or other.right < line.left:
                line.side_by_side = other.side_by_side = True


def find_rows(page: list[Line]) -> None:
    """Marks the rows of tables: lines whose cells are aligned with those of the next or last line.
    A line below one cell is a part of it, and is emptied."""
    above: Line | None = None
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
            if column and page[at - 1].middle - line.middle < GAP * max(line.distance, line.size):
                cells = list(above.cells)
                cells[column] = f"{cells[column]} {line.text}"
                above.cells = tuple(cells)
                line.text = ""
            else:
                above = None
        else:
            above = None
    page[:] = [line for line in page if line.text]


def _columns(above: Line, line: Line) -> bool:
    """Whether two lines have a column other than the first one in common."""
    starts = sorted(above.starts[1:])
    following = ((bisect_right(starts, one - ALIGNED), one) for one in line.starts[1:])
    return any(at < len(starts) and starts[at] < one + ALIGNED for at, one in following)


def _column(above: Line, line: Line) -> int:
    """The number of the column in which a line begins; 0 if it is in none but the first."""
    return next(
        (at for at, start in enumerate(above.starts) if at and abs(start - line.start) < ALIGNED),
        0,
    )


def continues(before: Line, line: Line, first: Line) -> bool:
    """Whether a line continues the paragraph of the line before it, which begins with `first`."""
    if before.fixed or line.fixed:
        return before.fixed and line.fixed
    if _ends_in_hyphen(before.text):
        return True
    if before.bold and not line.bold and first.bold:
        return False
    match = MARKER.match(line.text)
    begins = match and (match["bullet"] or MARKER.match(first.text) or not _is_open(before))
    if begins or line.numbered:
        return False
    if line.text[0] in _CONTINUING:
        return True
    if min(before.size, line.size) > 0 and not SMALLER < before.size / line.size < LARGER:
        return False
    drop = before.middle - line.middle
    if not before.page_width or not line.page_width or drop < 0:
        # Not measured, or on the next page or in the next column.
        return _is_open(before)
    if before.distance and drop > GAP * before.distance:
        return False
    if MARKER.match(first.text) and line.start < first.start + ALIGNED and before is not first:
        return False
    aside = abs(line.start - before.start) > _ASIDE * before.size
    if before.side_by_side and (aside or before.text[-1] in _CLOSED):
        return False
    # A line is full if the first word of the next line would not have fitted after it.
    rtl = RTL.search(before.text)
    room = before.left - before.column_left if rtl else before.column_right - before.right
    full = before.justified or max(room, 0.0) < line.first_word + _SLACK * before.page_width
    width = before.column_right - before.column_left if before.side_by_side else before.page_width
    return full and before.right - before.left > _NARROW * width


def _ends_in_hyphen(text: str) -> bool:
    before = text[-2:-1]
    return text.endswith(HYPHENS) and before.isalnum() and not before.isdecimal()


def _is_open(line: Line) -> bool:
    """Whether the sentence of a line seems to go on."""
    return line.text[-1] not in _CLOSED and line.text[-1].isalnum()


def joined(lines: list[str]) -> str:
    """The text of lines, without the hyphens at their ends."""
    parts = [lines[0]]
    for line in lines[1:]:
        if not _ends_in_hyphen(parts[-1]):
            parts.append("\n")
        elif line[:1].islower():
            parts[-1] = parts[-1][:-1]
        parts.append(line)
    return unwrap("".join(parts))
