"""Paragraphs, lists and code on a terminal: how wide their lines are, and where they begin."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from anaphora.records import Block, Citation

INDENT = 4
MARKER = re.compile(r"(?m)^[^\S\n]*(?:(?:\d{1,3}[.)]|[•◦▪‣–-])[^\S\n]+)?")
"""The margin of a line, and the marker of an item."""
_CITED = re.compile(r"(?:\s*\[\d+\])+")
_CODE = "cyan"


def print_prose(
    out: Console, text: Text, code: frozenset[str], headed: Sequence[Citation] = ()
) -> None:
    """Lines of text: those of code indented and never wrapped, those of lists hanging, and the
    headings of quotes bold, with the quote right below."""
    if not out.is_terminal:
        out.print(text)
        return
    below_heading = False
    for line in text.split("\n", allow_blank=True):
        if below_heading and not line:
            below_heading = False
            continue
        below_heading = any(citation.has_heading(line.plain) for citation in headed)
        if below_heading:
            line.stylize("bold")
            print_paragraph(out, line, Text())
        elif _CITED.sub("", line.plain).strip() in code:
            print_code(out, line, 0)
        else:
            margin = MARKER.match(line.plain)
            at = margin.end() if margin else 0
            print_paragraph(out, line[at:], line[:at])


def print_blocks(out: Console, text: Text, blocks: Sequence[Block]) -> None:
    """A passage's text, indented, by its blocks."""
    before = 0
    for block in blocks or [Block("paragraph", 0, len(text))]:
        if "\n\n" in text.plain[before : block.start]:
            out.print()
        before = block.end
        part = text[block.start : block.end]
        margin = " " * (INDENT + 2 * max(0, block.depth - 1))
        if block.kind == "code":
            print_code(out, part, len(margin) + 2)
            continue
        if block.kind in ("heading", "header", "term"):
            part.stylize("bold")
        marker = Text(f"{margin}{block.marker} " if block.marker else margin)
        for line in part.split("\n", allow_blank=True):
            print_paragraph(out, line, marker)
            marker = Text(" " * cell_len(marker.plain))


def print_code(out: Console, code: Text, indent: int) -> None:
    """Lines that keep their width: the terminal breaks them, so that they can be copied."""
    for line in code.split("\n", allow_blank=True):
        line.stylize_before(_CODE)
        margin = Text(" " * indent)
        out.print(margin.append_text(line), no_wrap=True, overflow="ignore", crop=False)


def print_paragraph(out: Console, text: Text, first: Text, indent: int = 0) -> None:
    """A paragraph after its marker; the other lines are indented as far as the marker is wide.

    Lines are broken where the terminal ends; nothing is where the output is no terminal.
    """
    indent = indent or cell_len(first.plain)
    if not out.is_terminal:
        out.print(first + text)
        return
    for at, line in enumerate(text.wrap(out, max(20, out.width - indent)) or [text]):
        line.rstrip()
        out.print((Text(" " * indent) if at else first) + line, soft_wrap=True)
