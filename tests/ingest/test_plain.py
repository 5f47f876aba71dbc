from __future__ import annotations

from anaphora.ingest.content import compose
from anaphora.ingest.plain import read_plain


def text(source: str) -> str:
    return compose(read_plain(source.encode()).elements)[0]


WRAPPED = """The pump stops by itself as soon as the tank is full, and the
lamp turns green. Do not open the lid before that, because the
water inside is still hot.

Second paragraph, which is also wrapped at the same column by
an editor. It ends here.
"""


def test_wrapped_paragraphs_are_put_on_one_line() -> None:
    first, second = text(WRAPPED).split("\n\n")
    assert first.count("\n") == second.count("\n") == 0
    assert "and the lamp turns" in first


def test_short_and_structured_lines_stay() -> None:
    poem = "Roses are red\nviolets are blue\n\nAn empty line parts."
    assert text(poem) == poem
    items = (
        "A first line that is as long as the longest of this text is.\n"
        "- one item that stands on a line of its own\n- two\n    indented code"
    )
    assert text(items) == (
        "A first line that is as long as the longest of this text is.\n"
        "one item that stands on a line of its own\ntwo\n  indented code"
    )


def test_long_lines_are_not_joined() -> None:
    lines = "One paragraph a line. " * 20 + "\n" + "Another. " * 20
    assert text(lines).count("\n") == 1


def test_every_kind_of_line_end() -> None:
    assert text("a\r\nb\rc\fd\u2028e\x00") == "a\nb\nc\n\nd\ne"


def test_no_text_gives_nothing() -> None:
    assert text("") == text(" \n\t\n") == ""
