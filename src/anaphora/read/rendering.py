"""Extracts as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.records import Block

_TABLE = 3
"""From this many rows on, the header is shown once, above them."""


def rendered(text: str, blocks: Sequence[Block]) -> str:
    r"""A text with its structure visible: items with their markers, code with its own lines, the
    cells of rows after their header, which is then not shown by itself, or many rows below it.

    Args:
        text: what the offsets of the blocks are in.

    >>> blocks = [Block("paragraph", 0, 4), Block("item", 5, 10, 1, "1."), Block("item", 11, 16, 1)]
    >>> rendered("Then\nsave.\nquit.", blocks)
    'Then\n1. save.\n  quit.'
    """
    parts: list[str] = []
    before: Block | None = None
    named = [block for block in blocks if block.kind == "row" and block.header]
    for block in blocks:
        if block.kind == "header" and named:
            continue
        if len(named) >= _TABLE and block.kind == "row":
            header = block.header if block is named[0] else ()
            block = replace(block, header=())
            if header:
                parts.append(f"\n\n{' | '.join(header)}" if before else " | ".join(header))
                before = block
        if before is not None:
            tight = block.kind == before.kind == "row" or (block.depth and block.kind != "code")
            parts.append("\n" if tight else "\n\n")
        if block.header and block.kind != "row":
            parts.append("".join(f"{line}\n" for line in block.header))
        parts.append(_block(text[block.start : block.end], block))
        before = block
    return "".join(parts)


def _block(text: str, block: Block) -> str:
    indent = "  " * (block.depth - 1)
    if block.kind == "code":
        return "\n".join(f"{indent}    {line}".rstrip() for line in text.split("\n"))
    if block.kind == "row":
        return indent + row(text, block.header)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    marker = f"{block.marker} " if block.marker else "  " * (block.depth > 0)
    hanging = indent + " " * len(marker)
    return f"{indent}{marker}" + f"\n{hanging}".join(line for line in lines if line)


def row(text: str, header: Sequence[str]) -> str:
    """The cells of a row, each after its header: "Key: F2; Effect: Edit".

    >>> row("F2 | Edit", ["Key", "Effect"])
    'Key: F2; Effect: Edit'
    """
    cells = [cell.strip() for cell in text.split(" | ")]
    if len(cells) != len(header):
        return text
    named = zip(header, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
