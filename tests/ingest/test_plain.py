from __future__ import annotations

import textwrap
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import SENTENCES, check_blocks, check_words

from anaphora.ingest.content import Element, compose
from anaphora.ingest.plain import read_plain


def text(source: str) -> str:
    return compose(read_plain(source.encode()).elements)[0]


def shown(source: str) -> list[tuple[str, str]]:
    """Kind or level, depth and marker of each element in one word; and its text."""

    def name(one: Element) -> str:
        kind = f"h{one.level}" if one.level else one.kind
        return " ".join(filter(None, [kind, str(one.depth or ""), one.marker]))

    return [(name(one), one.text) for one in read_plain(source.encode()).elements]


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


def test_titles_are_underlined_or_numbered() -> None:
    source = (
        "=====\nGuide\n=====\n\nA.\n\n使用方法\n--------\n\nB.\n\nNext\n----\nC.\n\n"
        "1 Pumps\n\nD.\n\n1.1 Lids\n\n"
        "E.\n\nNAME\n    pump - pumps\n\nName   Size\n-----------\na      1\n"
    )
    assert [one for one in shown(source) if one[0].startswith("h")] == [
        ("h1", "Guide"),
        ("h2", "使用方法"),
        ("h2", "Next"),
        ("h3", "1 Pumps"),
        ("h4", "1.1 Lids"),
        ("h5", "NAME"),
    ]


def test_lists_and_what_belongs_to_their_items() -> None:
    source = (
        "Do:\n\n1. Open the\n   lid.\n\n   Then run:\n\n       pump --start\n\n   - fast\n"
        "   - slow\n2) Stop.\n\n"
        "步骤：\n\n一、打开\n二、关闭\n\nEnd.\n"
    )
    assert shown(source) == [
        ("paragraph", "Do:"),
        ("item 1 1.", "Open the\nlid."),
        ("paragraph 1", "Then run:"),
        ("code 1", "pump --start"),
        ("item 2 •", "fast"),
        ("item 2 •", "slow"),
        ("item 1 2)", "Stop."),
        ("paragraph", "步骤："),
        ("item 1 一、", "打开"),
        ("item 1 二、", "关闭"),
        ("paragraph", "End."),
    ]


@pytest.mark.parametrize(
    "literal",
    [
        ".. note::\n\n   写在这里",
        ".. title:: العنوان",
        ".. _label:",
        "Title\n=====",
        "=====  ====\na      b\n=====  ====",
        "* Punkt 1\n\n  * Punkt 1.1",
        "----\nx\n----",
        "key: value\n  other",
    ],
)
def test_what_a_double_colon_announces_is_code_whatever_it_looks_like(literal: str) -> None:
    source = f"Write this::\n\n{textwrap.indent(literal, '    ')}\n\nThen save it.\n"
    assert shown(source) == [
        ("paragraph", "Write this:"),
        ("code", literal),
        ("paragraph", "Then save it."),
    ]


def test_code_after_a_colon_keeps_its_lines_and_prose_is_no_code() -> None:
    assert shown("Run:\n\n    make x\n\n      make y\n\nEnd.") == [
        ("paragraph", "Run:"),
        ("code", "make x\n\n  make y"),
        ("paragraph", "End."),
    ]
    assert shown("He said:\n\n    Open the lid and wait a while.\n")[1][0] == "paragraph"


def test_terms_have_descriptions() -> None:
    assert shown("-v\n    Say more.\n\n    Much more.\n-q\n    Say less.\n\nEnd.") == [
        ("term 1", "-v"),
        ("description 1", "Say more."),
        ("paragraph 1", "Much more."),
        ("term 1", "-q"),
        ("description 1", "Say less."),
        ("paragraph", "End."),
    ]


def test_restructured_text() -> None:
    source = (
        ".. _pumps:\n\nPumps\n=====\n\nUse :py:func:`~os.open`, ``x = 1`` or "
        "`the guide <https://x.org>`_::\n\n"
        "    run()\n\n.. note:: Hot\n   inside.\n\n   Wait.\n\n"
        ".. code-block:: sh\n   :linenos:\n\n   ls\n\n"
        ".. toctree::\n\n   a\n\n.. function:: f(x)\n              f(y)\n\n   Pumps.\n\nEnd.\n"
    )
    assert shown(source) == [
        ("h1", "Pumps"),
        ("paragraph", "Use os.open, x = 1 or the guide:"),
        ("code", "run()"),
        ("note", "Hot\ninside."),
        ("note", "Wait."),
        ("code", "ls"),
        ("term 1", "f(x)"),
        ("term 1", "f(y)"),
        ("description 1", "Pumps."),
        ("paragraph", "End."),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**注意**：不要 *马上* 打开。", "注意：不要 马上 打开。"),
        ("**Değişmez** dosya, *asla* silinmez.", "Değişmez dosya, asla silinmez."),
        ("(**مهم**) لا *تفتح*.", "(مهم) لا تفتح."),
        ("`Disques`:index: et `a <b>`:py:func:", "Disques et a"),
        ("Copy *.txt and *.md, 2 * 3 * 4, f(**kw) and ``**x**``.",) * 2,
    ],
)
def test_marks_of_restructured_text_are_left_out(source: str, expected: str) -> None:
    assert text(source) == expected.replace("``", "")


def test_the_place_of_a_block_is_its_line() -> None:
    source = "A\n\n\n- b\n  c\n- d\n\f\ne\n"
    assert [one.place for one in read_plain(source.encode()).elements] == ["L1", "L4", "L6", "L8"]


def test_a_table_of_contents_is_left_out_and_prices_stay() -> None:
    assert text("A ....... iv\nB ....... 1\nC ....... 20\n\nText.") == "Text."
    assert "Tea ....... 3.50" in text("Tea ....... 3.50\nMilk ...... 2.50\nRice ...... 1.20\n")


@pytest.mark.parametrize("depth", [50, 400])
def test_deep_lists_and_directives_lose_nothing(depth: int) -> None:
    lists = "\n".join("  " * n + f"- w{n}" for n in range(depth))
    composed = check_blocks(read_plain(lists.encode()).elements)
    assert [block.depth for block in composed.blocks] == list(range(1, depth + 1))
    notes = "\n\n".join("   " * n + f".. note:: w{n}" for n in range(depth))
    check_words(check_blocks(read_plain(notes.encode()).elements), [f"w{depth - 1}", "w0"])


def test_large_code_is_one_block() -> None:
    code = "    x = [1, y]\n" * 140_000
    composed = check_blocks(read_plain(f"Run::\n\n{code}\nEnd.\n".encode()).elements)
    assert [block.kind for block in composed.blocks] == ["paragraph", "code", "paragraph"]


_PARTS = SENTENCES.flatmap(
    lambda line: st.sampled_from(
        [
            line,
            f"{line}\n{'=' * len(line)}",
            f"- {line}\n  {line}\n\n  {line}\n  - {line}",
            f"1. {line}\n2. {line}",
            f"{line}:\n\n    {line} = 1",
            f"{line}::\n\n    {line}",
            f"{line}\n    {line}",
            f".. note:: {line}\n\n   {line}",
            f".. function:: {line}\n\n   - {line}",
            f"----\n{line}\n----",
            f"{line}   {line}\n{line}   {line}",
            f">>> {line}\n{line}",
            f"+\n{line}",
            f".. [#]\n   {line}\n\n   {line}",
            f".. [#] {line}\n   {line}",
        ]
    )
)


@given(st.lists(_PARTS, max_size=8), st.sampled_from(["\n", "\n\n"]))
def test_blocks_of_any_text_hold_its_words(parts: list[str], between: str) -> None:
    source = between.join(parts)
    composed = check_blocks(read_plain(source.encode()).elements)
    check_words(
        composed,
        [
            source.replace("function::", "")
            .replace("note::", "")
            .replace("1.", "")
            .replace("2.", "")
        ],
    )


@given(st.text(alphabet=st.sampled_from("ab:.-=` \n\t*1)|>+漢م"), max_size=200))
def test_any_text_is_read(source: str) -> None:
    check_blocks(read_plain(source.encode()).elements)


def justified(text: str, width: int, indent: int) -> str:
    """The text with lines that are spread to the same right edge, as manual pages have them."""
    lines = []
    for line in textwrap.wrap(text, width - indent):
        gaps = width - indent - len(line)
        lines.append(" " * indent + line.replace(" ", "  ", gaps))
    lines[-1] = " ".join(lines[-1].split()).rjust(len(" ".join(lines[-1].split())) + indent)
    return "\n".join(lines)


@pytest.mark.parametrize(
    "sentence",
    [
        "The queue command deletes the mail that nobody has read, and says which mail it was.",
        "Команда удаляет почту, которую никто не прочитал, и сообщает, какая почта это была.",
        "Lệnh này xóa thư mà chưa ai đọc và cho biết đó là những thư nào trong hàng đợi.",
        "Komut kimsenin okumadığı postayı siler ve bunun hangi posta olduğunu söyler.",
    ],
)
def test_a_justified_text_has_no_line_breaks_in_its_paragraphs(sentence: str) -> None:
    paragraphs = [" ".join([sentence] * count) for count in (6, 7, 8)]
    body = "\n\n".join(justified(one, 78, 7) for one in paragraphs)
    table = "       hold      on hold     1\n       active    in transit  2"
    texts = [one for _, one in shown(f"QUEUE(1)\n\nNAME\n       queue\n\n{body}\n\n{table}\n")]
    assert texts[-4:-1] == paragraphs
    assert texts[-1] == "hold      on hold     1\nactive    in transit  2"


def test_a_hyphen_at_the_end_of_a_justified_line() -> None:
    line = "The  superuser  reads  the  mail  of  everyone  and  multi-user  mail  too"
    lines = [
        line,
        *["It  is  said  that  each  mail  of  theirs  is  of  use,  as  some  super-"] * 6,
    ]
    lines = [one[:-1].ljust(len(line) - 1, "x") + one[-1] for one in lines]
    [(_, found)] = shown("\n".join([*lines, "user does."]))
    assert found.endswith("superuser does.")


@pytest.mark.parametrize(
    ("marks", "close"),
    [
        ((6, 5, 4), True),
        ((2, 3, 4), True),
        ((1, 2, 3), False),
    ],  # Zim and DokuWiki; others; AsciiDoc
)
@pytest.mark.parametrize(
    "titles",
    [
        ("Export", "From a terminal", "Options"),
        ("导出", "从终端", "选项"),
        ("تصدير", "من الطرفية", "خيارات"),
        ("ส่งออก", "จากเทอร์มินัล", "ตัวเลือก"),
        ("Xuất", "Từ dòng lệnh", "Tùy chọn"),
    ],
)
def test_headings_between_signs_of_equality(
    marks: tuple[int, ...], close: bool, titles: tuple[str, ...]
) -> None:
    lines = [
        f"{'=' * count} {title}{' ' + '=' * count if close else ''}\n\nText {count}.\n"
        for count, title in zip(marks, titles, strict=True)
    ]
    found = compose(read_plain("\n".join(lines).encode()).elements)
    assert [section.path for section in found.sections] == [
        titles[:1], titles[:2], titles,
    ]  # fmt: skip


def test_a_page_of_a_wiki_has_no_marks() -> None:
    source = """Content-Type: text/x-zim-wiki
Wiki-Format: zim 0.4

====== Links ======
{{./icon.png}} You can **link** to [[Help:Files|files]] and [[pages]], see //all// of https://x.org//y.

===== More =====
Type ''[[name]]''.
"""
    assert shown(source) == [
        ("h1", "Links"),
        ("paragraph", "You can link to files and pages, see all of https://x.org//y."),
        ("h2", "More"),
        ("paragraph", "Type name."),
    ]


def test_one_heading_of_a_wiki_is_enough() -> None:
    assert shown("====== Symbols ======\n\nIt adds symbols.") == [
        ("h1", "Symbols"), ("paragraph", "It adds symbols."),
    ]  # fmt: skip


@pytest.mark.parametrize("source", ["= 5\n\n== 7\n", "a\n\n= b\n\nc", "== no end\n\ntext"])
def test_other_signs_of_equality_are_no_headings(source: str) -> None:
    assert not [name for name, _ in shown(source) if name.startswith("h")]


def padded(text: str, width: int) -> str:
    """The text at a width in a terminal, where Chinese characters are two columns wide."""
    own = sum(
        0
        if unicodedata.category(char) == "Mn"
        else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )
    return text + " " * (width - own)


TABLES = {
    "grid": (
        "+----------+----------+",
        "| {} | {} |",
        "+==========+==========+",
        "+----------+----------+",
    ),
    "columns": ("======== ========", "{} {}", "======== ========", "======== ========"),
    "bars": ("", "| {} | {} |", "|----------|----------|", ""),
}


@pytest.mark.parametrize("style", TABLES)
@pytest.mark.parametrize(
    "cells",
    [
        ("Name", "Size", "disk", "1 GB"),
        ("名称", "大小", "硬盘", "一个"),
        ("ชื่อ", "ขนาด", "ดิสก์", "ใหญ่"),
        ("الاسم", "الحجم", "قرص", "كبير"),
        ("Tên", "Cỡ", "đĩa", "lớn"),
        ("Имя", "Размер", "диск", "велик"),
    ],
)
def test_drawn_tables(style: str, cells: tuple[str, ...]) -> None:
    top, line, middle, bottom = TABLES[style]
    first, second = (line.format(padded(a, 8), padded(b, 8)) for a, b in (cells[:2], cells[2:]))
    drawn = "\n".join(filter(None, [top, first, middle, second, bottom]))
    found = list(read_plain(f"Look:\n\n{drawn}\n\nEnd.".encode()).elements)
    assert [(one.kind, one.text, one.header) for one in found] == [
        ("paragraph", "Look:", ()),
        ("header", " | ".join(cells[:2]), ()),
        ("row", " | ".join(cells[2:]), cells[:2]),
        ("paragraph", "End.", ()),
    ]


def test_rows_of_a_drawn_table_may_have_several_lines() -> None:
    grid = "+----+-----+\n| a  | one |\n|    | two |\n+----+-----+\n| both     |\n+----+-----+"
    assert shown(grid) == [("row", "a | one two"), ("row", "both")]
    two = "+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+"
    assert shown(two) == [("row", "a | b"), ("row", "c | d")]
    columns = "===== =====\nA     B\n===== =====\na     one\n      two\nb     three\n===== ====="
    assert shown(columns)[1:] == [("row", "a | one two"), ("row", "b | three")]


@pytest.mark.parametrize(
    "source",
    [
        "| one bar |",
        "+---+",
        "+---+\n| a |\n+---+",
        "So::\n\n  | a | b |\n  | c | d |",
        "===== =====\nno end",
        "|| a || b",
    ],
)
def test_other_lines_are_no_tables(source: str) -> None:
    assert not [kind for kind, _ in shown(f"{source}\n\nText.") if kind == "row"]


def test_footnotes_and_substitutions() -> None:
    source = "|version| |license|\n\nSee it. [#]_\n\n.. [#] In the other\n   book.\n"
    assert shown(source) == [
        ("paragraph", "See it. [#]_"),
        ("paragraph", "In the other\nbook."),
    ]


def test_what_asciidoc_does_not_show() -> None:
    source = (
        "= Guide\n:toc:\n\n:name: value\n\n== Use\n\n// a comment\n\nimage::a.png[]\n\nPress it."
    )
    assert shown(source) == [("h1", "Guide"), ("h2", "Use"), ("paragraph", "Press it.")]
    assert ("paragraph", ":name: value") in shown(":name: value\n\nText.")
