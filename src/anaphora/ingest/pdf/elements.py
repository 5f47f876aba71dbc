"""The elements of a PDF, from the lines of its pages."""

from __future__ import annotations

import re

from anaphora.ingest.content import MARKER, Element, row
from anaphora.ingest.pdf.headings import Headings, fonts_of, headings_before
from anaphora.ingest.pdf.layout import GAP, SMALLER, continues, find_margins, find_rows, joined
from anaphora.ingest.pdf.pages import Line
from anaphora.records import BlockKind

_NUMBER_OF_NOTE = re.compile(r"^(\d{1,3})(?=[^\W\d_])")
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶]{1,2})[.)]?\s?\S")


class Elements:
    """Collects elements from the lines of the pages."""

    def __init__(self, usual: float) -> None:
        self._usual = usual
        self._found: list[Element] = []
        self._paragraph: list[Line] = []
        self._page = 0  # of the first line of the paragraph, from 1
        self._notes: list[tuple[int, list[Line]]] = []  # footnotes, by page, until it ends
        self._items: list[float] = []  # where the marks of the open items begin
        self._rows = 0  # of the open table
        self._header: tuple[str, ...] = ()

    def read(self, pages: list[list[Line]], headings: Headings) -> list[Element]:
        by_page = not headings and len(pages) > 1
        fonts = fonts_of(pages, headings, self._usual)
        started = False  # the title page is before it
        for number, page in enumerate(pages, 1):
            page_headings = headings.get(number - 1, [])
            if by_page and page:
                page_headings = [(1, f"p. {number}")]
            find_margins(page)
            find_rows(page)
            lines, notes = self._without_notes(page)
            started = started or bool(page_headings)
            before = headings_before(lines, page_headings, fonts if started else None)
            for at in range(len(lines) + 1):
                for level, title in before.get(at, ()):
                    self._finish()
                    self._items.clear()
                    self._found.append(Element(title, level, place=f"page={number}"))
                if at < len(lines) and lines[at].text:
                    self._line(lines[at], number)
            if notes:
                self._notes.append((number, notes))
        self._finish()
        return self._found

    def _without_notes(self, page: list[Line]) -> tuple[list[Line], list[Line]]:
        """The lines of a page, and those of its footnotes: small ones at its end."""
        at = len(page)
        while at and 0 < page[at - 1].size < SMALLER * self._usual and not page[at - 1].fixed:
            at -= 1
        while at < len(page) and not _NOTE.match(page[at].text):
            at += 1
        return page[:at], page[at:]

    def _line(self, line: Line, page: int) -> None:
        before = self._paragraph[-1] if self._paragraph else None
        if line.in_table:
            self._finish()
            self._row(line, page)
            return
        self._rows = 0
        if before is not None and not continues(before, line, self._paragraph[0]):
            self._finish()
        if not self._paragraph:
            self._page = page
        self._paragraph.append(line)

    def _row(self, line: Line, page: int) -> None:
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
                    text = joined([line.text for line in lines[first:at]])
                    text = _NUMBER_OF_NOTE.sub(r"\1 ", text)
                    self._found.append(Element(text, place=f"page={page}"))
                    first = at

    def _add(self, lines: list[Line], page: int) -> None:
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
        text = joined([line.text for line in lines])
        if match:
            if not self._items or first.start > self._items[-1] + slack:
                self._items.append(first.start)
            marker = (match["number"] or match["east"] or "•").strip()
            text = text[match.end() :]
            depth = len(self._items)
            self._found.append(Element(text, 0, True, "item", depth, marker, place=place))
        else:
            self._found.append(Element(text, 0, depth > 0, depth=depth, place=place))


def _code(lines: list[Line]) -> str:
    """Lines of code with the indentation that they have on the page."""
    margin = min(line.left for line in lines)
    widths = [(line.right - line.left) / len(line.text) for line in lines]
    width = sorted(widths)[len(widths) // 2]
    rows: list[str] = []
    for before, line in zip([None, *lines], lines, strict=False):
        drop = before.middle - line.middle if before else 0.0
        if before and before.distance and drop > GAP * min(before.distance, 2 * line.height):
            rows.append("")
        indent = round((line.left - margin) / width) if width > 0 else 0
        rows.append(" " * min(indent, 200) + line.text)
    return "\n".join(rows)
