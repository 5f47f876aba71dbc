"""Tables that are drawn in plain text: grids and columns of reStructuredText, rows between bars."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_GRID = re.compile(r"\+(?:[-=]{2,}\+)+$")
_SEVERAL = re.compile(r"\+(?:[-=]{2,}\+){2,}$")
_COLUMNS = re.compile(r"={2,}(?: +={2,})+$")
_UNDERLINED = re.compile(r"[-=]{2,}(?: +[-=]{2,})*$")
_BARS = re.compile(r"\|.*\|$")
_DRAWN = re.compile(r"\|[-+:=| ]+\|$")
_FEWEST_LINES = 2
_PRINTED = 5  # lines of a grid with two rows
_BORDERS = 2  # of a table of columns, below its first


class Row(NamedTuple):
    """A row's cells, and how many lines after the table's first it begins."""

    cells: tuple[str, ...]
    line: int
    header: bool = False


def read_table(lines: Iterable[str]) -> tuple[list[Row], int]:
    """The rows of the table that begins with the first of these lines, which keep the indentation
    that they have below it, and the number of lines that it takes; 0 if there is none. No more
    lines are looked at than it may have.

    >>> rows, count = read_table(["+----+-----+", "| a  | b   |", "+====+=====+", "| c  | d e |",
    ...                           "|    | f   |", "+----+-----+"])
    >>> [(row.cells, row.header) for row in rows], count
    ([(('a', 'b'), True), (('c', 'd e f'), False)], 6)
    """
    rest = map(str.rstrip, lines)
    first = next(rest, "")
    if _SEVERAL.match(first):
        own = [first, *takewhile(lambda line: line.startswith(("+", "|")), rest)]
        return list(_grid(own)), len(own)
    if _COLUMNS.match(first):
        own = _up_to_border(first, rest)
        return list(_columns(own[:-1])) if own else [], len(own)
    if _BARS.match(first) and not _DRAWN.match(first):
        bars = first.count("|")

        def is_row(line: str) -> bool:
            drawn = _DRAWN.match(line) is not None
            return drawn or (_BARS.match(line) is not None and line.count("|") == bars)

        own = [first, *takewhile(is_row, rest)]
        if len(own) >= _FEWEST_LINES and bars > _FEWEST_LINES:
            return list(_between_bars(own)), len(own)
    return [], 0


def may_begin(line: str) -> bool:
    """Whether a line may be the first of a table."""
    return line[0] in "+=|" and any(one.match(line) for one in (_SEVERAL, _COLUMNS, _BARS))


def _up_to_border(first: str, rest: Iterator[str]) -> list[str]:
    """A table of columns with the border that ends it: the second one, or the first one that an
    empty line follows; nothing if there is none."""
    own = [first]
    borders = 0
    for line in rest:
        if not line and _COLUMNS.match(own[-1]) and borders:
            return own
        own.append(line)
        borders += _COLUMNS.match(line) is not None
        if borders == _BORDERS:
            return own
    return own if borders and _COLUMNS.match(own[-1]) else []


def _grid(lines: Sequence[str]) -> Iterator[Row]:
    edges = [at for at, char in enumerate(lines[0]) if char == "+"]
    borders = [at for at, line in enumerate(lines) if _GRID.match(line)]
    heads = [at for at in borders[1:] if "=" in lines[at]]
    printed = not heads and borders[1:] == [2, len(lines) - 1] and len(lines) > _PRINTED
    if printed:  # by a database: a line is a row
        for at in (1, *range(3, len(lines) - 1)):
            yield Row(_merged([lines[at]], edges), at, header=at == 1)
        return
    for above, below in pairwise(borders):
        cells = _merged(lines[above + 1 : below], edges)
        if any(cells):
            yield Row(cells, above + 1, header=bool(heads) and below <= heads[0])


def _merged(lines: Sequence[str], edges: Sequence[int]) -> tuple[str, ...]:
    """The cells between the edges, of all lines of a row. One that spans others has their text."""
    found = [""] * (len(edges) - 1)
    for line in map(_places, lines):
        column = 0
        for number, (start, end) in enumerate(pairwise(edges)):
            if line[start : start + 1] in (["|"], ["+"]):
                column = number
            spans = line[end : end + 1] not in (["|"], ["+"])
            part = "".join(line[start + 1 : end + spans])
            found[column] = f"{found[column]} {part}" if column == number else found[column] + part
    return tuple(" ".join(cell.split()) for cell in found)


def _places(line: str) -> list[str]:
    """What is at each column of a terminal: wide characters take two, and marks that combine with
    the character before them none."""
    found: list[str] = []
    for char in line:
        if found and (unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Cf")):
            found[-1] += char
        else:
            found.append(char)
            if unicodedata.east_asian_width(char) in "WF":
                found.append("")
    return found


def _columns(lines: Sequence[str]) -> Iterator[Row]:
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    heads = [at for at, line in enumerate(lines) if at and _COLUMNS.match(line)]
    rows: list[Row] = []
    for at, line in enumerate(lines):
        if not line.strip() or _UNDERLINED.match(line.strip()):
            continue
        places = _places(line)
        cells = tuple(
            "".join(places[start:end]).strip()
            for start, end in zip(starts, [*starts[1:], None], strict=True)
        )
        if rows and not cells[0]:
            joined = tuple(f"{a} {b}".strip() for a, b in zip(rows[-1].cells, cells, strict=True))
            rows[-1] = rows[-1]._replace(cells=joined)
        else:
            rows.append(Row(cells, at, header=bool(heads) and at < heads[0]))
    yield from rows


def _between_bars(lines: Sequence[str]) -> Iterator[Row]:
    for at, line in enumerate(lines):
        if not _DRAWN.match(line):
            header = at == 0 and len(lines) > 1 and _DRAWN.match(lines[1]) is not None
            yield Row(tuple(cell.strip() for cell in line[1:-1].split("|")), at, header)
