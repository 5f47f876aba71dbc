"""Extracts as plain text."""

import pytest

from anaphora.read.rendering import rendered, row
from anaphora.records import Block


def blocks(text: str, *parts: tuple[str, Block]) -> list[Block]:
    """The blocks at the places of their texts."""
    return [
        Block(one.kind, text.index(part), text.index(part) + len(part), one.depth, one.marker,
              one.header)
        for part, one in parts
    ]  # fmt: skip


def test_code_keeps_its_lines_and_indentation():
    text = "Run:\n\nif x:\n  stop()"
    found = blocks(
        text, ("Run:", Block("paragraph", 0, 0)), ("if x:\n  stop()", Block("code", 0, 0))
    )
    assert rendered(text, found) == "Run:\n\n    if x:\n      stop()"


def test_lists_in_lists_are_indented():
    text = "a\nb\nc"
    found = blocks(
        text,
        ("a", Block("item", 0, 0, 1, "1.")),
        ("b", Block("item", 0, 0, 2, "•")),
        ("c", Block("item", 0, 0, 1, "2.")),
    )
    assert rendered(text, found) == "1. a\n  • b\n2. c"


def test_a_lead_in_from_before_is_repeated():
    assert rendered("b", [Block("item", 0, 1, 1, "2.", ("Do this:",))]) == "Do this:\n2. b"
    both = rendered("b", [Block("item", 0, 1, 2, "•", ("save", "Formats:"))])
    assert both == "save\nFormats:\n  • b"


@pytest.mark.parametrize(
    ("header", "text", "shown"),
    [
        (("Key", "Effect"), "F2 | Edit", "Key: F2; Effect: Edit"),
        (("键", "作用"), "F2 | 编辑", "键: F2; 作用: 编辑"),
        (("المفتاح", "الأثر"), "F2 | تحرير", "المفتاح: F2; الأثر: تحرير"),
        (("Phím", "Tác dụng"), "F2 | Sửa", "Phím: F2; Tác dụng: Sửa"),
        (("", "Default"), "size | 10", "size; Default: 10"),
        (("Key",), "F2 | Edit", "F2 | Edit"),
    ],
)
def test_rows_are_shown_after_their_header(header, text, shown):
    assert row(text, header) == shown


def test_many_rows_stand_below_their_header():
    text = "Key | Effect\nF2 | Edit\nF5 | Go\nF9 | Stop"
    header = ("Key", "Effect")
    found = blocks(
        text,
        ("Key | Effect", Block("header", 0, 0)),
        *((row, Block("row", 0, 0, 0, "", header)) for row in text.split("\n")[1:]),
    )
    assert rendered(text, found) == text
    assert rendered(text, found[:3]) == "Key: F2; Effect: Edit\nKey: F5; Effect: Go"
