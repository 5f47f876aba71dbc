"""Tables of HTML pages: which are data, and which lay the page out or list terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_NOTE_CELLS = 3
_NOT_IN_DATA = "table, h1, h2, h3, h4, ul, ol, pre, tr.question"
_FEWEST_TERMS, _LONGEST_TERM, _WIDEST_LISTING = 3, 80, 4
_MOST_ROWS = 0.8


def is_layout(table: LexborNode, in_note: bool) -> bool:
    """Whether a table is used for the layout of the page: its cells contain blocks, or are one
    column of paragraphs, or it has the picture, the title and the text of a note, as DocBook's
    stylesheets write it."""
    role = table.attributes.get("role") or ""
    return (
        role in ("presentation", "none")
        or (in_note and len(table.css("td, th")) <= _NOTE_CELLS)
        or any(one.mem_id != table.mem_id for one in table.css(_NOT_IN_DATA))
        or (table.css_matches("p") and all(len(cells) < 2 for cells in _rows(table)))
    )


def is_listing(table: LexborNode) -> bool:
    """Whether each row of a table for the layout has a short term in its first cell, and what is
    said of it in others: commands with tables of their parameters, options with lists. A row of one
    cell may stand above others."""
    every = _rows(table)
    rows = [cells for cells in every if len(cells) > 1]
    return (
        len(rows) >= max(_FEWEST_TERMS, _MOST_ROWS * len(every))
        and not table.css_matches("tr.question")
        and all(len(cells) == len(rows[0]) <= _WIDEST_LISTING for cells in rows)
        and all(0 < len(cells[0].text(strip=True)) <= _LONGEST_TERM for cells in rows)
        and not any(cells[0].css_matches(_NOT_IN_DATA) for cells in rows)
    )


def first_of_several(cell: LexborNode) -> bool | None:
    """Whether a cell is the first of its row; None if the row has no other."""
    cells = _cells(cell.parent) if cell.parent is not None else []
    return cells[0].mem_id == cell.mem_id if len(cells) > 1 else None


def _rows(table: LexborNode) -> list[list[LexborNode]]:
    """The cells of a table's own rows."""
    parts = [part for part in table.iter() if part.tag in ("tbody", "thead", "tfoot")]
    return [_cells(line) for part in (table, *parts) for line in part.iter() if line.tag == "tr"]


def _cells(line: LexborNode) -> list[LexborNode]:
    return [cell for cell in line.iter() if cell.tag in ("td", "th")]
