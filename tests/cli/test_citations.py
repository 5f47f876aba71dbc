"""The marks of shortest answers, and the links of sources."""

import re
from dataclasses import replace

import pytest
from support.screens import lines, structured, terminal

from anaphora.cli.terminal import Screen
from anaphora.ingest.update import update
from anaphora.records import Answer, Citation

MARK, PLAIN = "\x1b[1;32m", "\x1b[0m"


def citation(quote: str, span: str, at: int = 0) -> Citation:
    start = quote.index(span, at)
    return Citation("p", "d", "", quote, 7, 7 + len(quote), (7 + start, 7 + start + len(span)))


def shown(text: str, *citations: Citation) -> str:
    screen = Screen()
    screen.out = terminal()
    screen.answer(Answer(text, "en", 0.9, citations))
    return screen.out.file.getvalue().split("\n")[0]


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


@pytest.mark.parametrize(
    ("heading", "quote", "span"),
    [
        ("Ferry › Red tea", "There is red tea, and Red tea.", "Red tea"),
        ("渡轮 › 红茶", "船上有红茶。", "红茶"),
        ("フェリー › 紅茶", "船に紅茶があります。", "紅茶"),
        ("العبارة › الشاي", "على العبارة الشاي الأحمر.", "الشاي"),
    ],
)
def test_the_heading_of_another_extract_is_bold_right_above_it_and_has_no_mark(
    heading, quote, span
):
    first, second = citation("It is here.", "here"), citation(quote, span)
    second = replace(second, title=f"Guide › {heading}")
    screen = Screen()
    screen.out = terminal()
    text = f"It is here. [1]\n\nAlso here:\n\n{heading}\n\n{quote} [2]"
    screen.answer(Answer(text, "en", 0.9, (first, second)))
    marked = quote.replace(span, f"{MARK}{span}{PLAIN}")
    printed = screen.out.file.getvalue().split("\n")
    bold = f"\x1b[1m{heading}{PLAIN}"
    assert printed[1:7] == ["", "Also here:", "", bold, f"{marked} [2]", ""]


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


def test_the_span_is_marked_in_a_list_after_another_statement():
    first, second = citation("The pump stops.", "stops"), citation("Wait.\nTake 2 of 12.", "12")
    text = "The pump stops. [1] 1. Wait.\n12. Take 2 of 12. [2]"
    screen = Screen()
    screen.out = terminal()
    screen.answer(Answer(text, "en", 0.9, (first, second)))
    marked = screen.out.file.getvalue().split("\n")
    assert f"12. Take 2 of {MARK}12{PLAIN}." in marked[1]


@pytest.mark.parametrize("name", ["größe.html", "图书馆.html", "دليل المتحف.html"])
def test_a_source_is_a_link_to_its_place_in_the_file(tmp_path, name):
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / name).write_text("<h1>Guide</h1><p id=steps>Stop it.</p>", "utf-8")
    update(tmp_path / "i", [tmp_path / "g"], None)
    citation, trace = structured("Stop it.", ("paragraph", "Stop it."), doc_id=f"g/{name}")
    answer = Answer("Stop it. [1]", "en", 0.9, (citation,), trace=trace)
    screen = Screen(tmp_path / "i")
    screen.out = terminal()
    screen.answer(answer)
    (link,) = re.findall(r"\x1b\]8;[^;]*;(file:[^\x1b]+)", screen.out.file.getvalue())
    assert link == (tmp_path / "g" / name).as_uri() + "#steps"
    assert lines(screen)[2] == f"[1] Guide — g/{name}#steps"
    screen = Screen(tmp_path / "none")
    screen.out = terminal()
    screen.answer(answer)
    assert "\x1b]8" not in screen.out.file.getvalue()
