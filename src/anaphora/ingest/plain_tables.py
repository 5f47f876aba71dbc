"""Tables that are drawn in plain text: grids and columns of reStructuredText, rows between bars."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_GRID = re.compile(r"\+(?:[-=]{2,}\+)+$")
_SEVERAL = re.compile(r"\+(?:[-=]{2,}\+){2,}$")
_COLUMNS = re.compile(r"={2,}(?: +={2,})+$")
_UNDERLINED = re.compile(r"[-=]{2,}(?: +[-=]{2,})*$")
_BARS = re.compile(r"\|.*\|$")
_DRAWN = re.compile(r"\|[-+:=| ]+\|$")
_FEWEST_LINES = 2
_FARTHEST = 500
"""Lines of a table whose end is looked for."""


class Row(NamedTuple):
    """A row's cells, and how many lines after the table's first it begins."""

    cells: tuple[str, ...]
    line: int
    header: bool = False


def read_table(lines: Sequence[str]) -> tuple[list[Row], int]:
    """The rows of the table that begins with the first of these lines, which keep the indentation
    that they have below it, and the number of lines that it takes; 0 if there is none.

    >>> rows, count = read_table(["+----+-----+", "| a  | b   |", "+====+=====+", "| c  | d e |",
    ...                           "|    | f   |", "+----+-----+"])
    >>> [(row.cells, row.header) for row in rows], count
    ([(('a', 'b'), True), (('c', 'd e f'), False)], 6)
    """
    first = lines[0].rstrip() if lines else ""
    if _SEVERAL.match(first):
        own = list(takewhile(lambda line: line.startswith(("+", "|")), lines))
        return list(_grid([line.rstrip() for line in own])), len(own)
    if _COLUMNS.match(first):
        borders = [at for at, line in enumerate(lines[:_FARTHEST]) if _COLUMNS.match(line.rstrip())]
        ends = [at for at in borders[1:] if at + 1 == len(lines) or not lines[at + 1].strip()]
        if not ends:
            return [], 0
        return list(_columns([line.rstrip() for line in lines[: ends[0]]])), ends[0] + 1
    if _BARS.match(first) and not _DRAWN.match(first):
        own = list(takewhile(lambda line: _BARS.match(line.rstrip()), lines))
        rows = list(_between_bars([line.rstrip() for line in own]))
        same = len({len(row.cells) for row in rows}) == 1 and len(rows[0].cells) > 1
        return (rows, len(own)) if same and len(own) >= _FEWEST_LINES else ([], 0)
    return [], 0


def _grid(lines: Sequence[str]) -> Iterator[Row]:
    edges = [at for at, char in enumerate(lines[0]) if char == "+"]
    borders = [at for at, line in enumerate(lines) if _GRID.match(line)]
    heads = [at for at in borders[1:] if "=" in lines[at]]
    if not heads and borders[1:] == [2, len(lines) - 1]:  # as databases print: a line is a row
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
