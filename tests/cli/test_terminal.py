"""The marked span on a terminal."""

from io import StringIO

import pytest
from rich.console import Console

from anaphora.cli.terminal import Screen
from anaphora.records import Answer, Citation

MARK, PLAIN = "\x1b[1;32m", "\x1b[0m"


def citation(quote: str, span: str, at: int = 0) -> Citation:
    start = quote.index(span, at)
    return Citation("p", "d", "", quote, 7, 7 + len(quote), (7 + start, 7 + start + len(span)))


def shown(text: str, *citations: Citation) -> str:
    screen = Screen()
    written = StringIO()
    screen.out = Console(
        file=written, force_terminal=True, color_system="standard", highlight=False, width=200
    )
    screen.answer(Answer(text, "en", 0.9, citations))
    return written.getvalue().split("\n")[0]


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("It opened in 1974.", "1974"),
        ("سعر التذكرة عشرون ريالا.", "عشرون ريالا"),
        ("茶馆的主人是李明华先生。", "李明华先生"),
        ("ค่าเข้าชมห้าสิบบาท", "ห้าสิบบาท"),
        ("किला सोमवार को बंद रहता है।", "सोमवार"),
    ],
)
def test_the_span_is_marked_in_its_sentence(quote, span):
    marked = quote.replace(span, f"{MARK}{span}{PLAIN}")
    assert shown(f"{quote} [1]", citation(quote, span)) == f"{marked} [1]"


def test_the_span_is_marked_where_it_stands_and_not_where_it_is_said_first():
    quote = "Of 27 rooms 7 are open."
    assert shown(f"{quote} [1]", citation(quote, "7", 8)) == (
        f"Of 27 rooms {MARK}7{PLAIN} are open. [1]"
    )


def test_line_breaks_of_the_quote_do_not_move_the_mark():
    quote = "Open\n  daily from\n nine  o'clock."
    assert shown("Open daily from nine o'clock. [1]", citation(quote, "nine  o'clock")) == (
        f"Open daily from {MARK}nine o'clock{PLAIN}. [1]"
    )


def test_every_statement_has_its_mark_and_those_that_agree_one():
    first, second = citation("Red tea.", "Red tea"), citation("There is red tea.", "red tea")
    third = citation("Green tea and red tea.", "Green tea")
    assert shown("Red tea. [1][2] Green tea and red tea. [3]", first, second, third) == (
        f"{MARK}Red tea{PLAIN}. [1][2] {MARK}Green tea{PLAIN} and red tea. [3]"
    )
