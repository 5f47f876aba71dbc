"""What the documents of word processors have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from anaphora.ingest.content import MARKER, Element, row
from anaphora.records import BlockKind

DEEPEST_LIST = 9
_LARGEST = 10_000
_MOST_DIGITS = 1_000  # Python refuses to read numbers of more than 4,300
_MOST_CODE = 0.8  # of a document's characters
_LONGEST_HEADER = 60  # characters of a header cell, where only the look says that it is one

KINDS: dict[str, BlockKind] = {
    "block text": "quotation",
    "caption": "caption",
    "code": "code",
    "html preformatted": "code",
    "intense quote": "quotation",
    "macro": "code",
    "preformatted text": "code",
    "quotations": "quotation",
    "quote": "quotation",
    "source code": "code",
}
"""The kinds of paragraphs by the names of their styles, which are English in every language."""

FIXED_FONT = re.compile(r"mono\b|monospace|courier|consol|menlo|typewriter", re.IGNORECASE)
"""Fonts for code, by their names."""

_DASHES = "–—"  # what somebody says begins with them
_ROMAN = (("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))


class Metadata:
    """The values of a flat metadata file."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._name = name

    def end(self, name: str) -> None:
        self._name = ""

    def text(self, text: str) -> None:
        if self._name:
            self.values[self._name] = self.values.get(self._name, "") + text

    def value(self, name: str) -> str:
        return self.values.get(name, "").strip()


def with_code(elements: Sequence[Element]) -> list[Element]:
    """The elements with the lines of code, each of which is a paragraph of its own, joined. What is
    all in a font for code is text."""
    code = sum(len(element.text) for element in elements if element.kind == "code")
    if code > _MOST_CODE * sum(len(element.text) for element in elements):
        return [replace(one, kind="paragraph") if one.kind == "code" else one for one in elements]
    found: list[Element] = []
    for is_code, group in groupby(elements, lambda element: element.kind == "code"):
        own = list(group)
        text = "\n".join(element.text for element in own)
        found += [replace(own[0], text=text)] if is_code else own
    return found


def with_items(elements: Sequence[Element]) -> list[Element]:
    """The elements; paragraphs whose lines all begin with a typed bullet are items of a list."""
    found: list[Element] = []
    for element in elements:
        parts = element.text.split("\n")
        marks = [MARKER.match(part) for part in parts]
        typed = element.kind == "paragraph" and not element.level and not element.depth
        if typed and all(mark and (mark["bullet"] or "–") not in _DASHES for mark in marks):
            found += [
                Element(part[mark.end() :], 0, True, "item", 1, "•")
                for part, mark in zip(parts, marks, strict=True)
                if mark
            ]
        else:
            found.append(element)
    return found


def table_row(
    cells: Sequence[str], names: Sequence[str], first: bool, header: bool, looks: bool
) -> Element | None:
    """A row of a table, or nothing if it is empty.

    Args:
        names: the header cells of the table.
        first: it is the table's first row.
        header: the file says that the first row is a header.
        looks: the first row only looks like one; it is a header if its cells are short.
    """
    text, own = row(cells, names)
    if not text:
        return None
    short = len(cells) > 1 and all(0 < len(cell) <= _LONGEST_HEADER for cell in cells)
    heads = first and (header or (looks and short))
    return Element(text, 0, not first, "header" if heads else "row", 0, "", own)


def numeral(number: int, shape: str) -> str:
    """The number of an item in the shape that "1", "a", "A", "i" or "I" names.

    >>> numeral(4, "i"), numeral(2, "A"), numeral(3, "1")
    ('iv', 'B', '3')
    """
    if shape.lower() == "a" and number <= 26:
        text = chr(ord("a") + number - 1)
    elif shape.lower() == "i" and number < 40:
        text, rest = "", number
        for letters, value in _ROMAN:
            text += letters * (rest // value)
            rest %= value
    else:
        return str(number)
    return text.upper() if shape.isupper() else text


def whole_number(text: str) -> int:
    """A number of a file, at most 10,000; 0 if it is none."""
    if not text.isdecimal():
        return 0
    return min(int(text), _LARGEST) if len(text) < _MOST_DIGITS else _LARGEST


def lines(text: str) -> str:
    """The lines of a paragraph with single spaces, and without empty ones."""
    shortened = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in shortened if line)
