from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from support.blocks import check_blocks
from support.ingest_files import drawn_pdf, pdf

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.pdf import boxes, page_count, page_image, read_pdf
from anaphora.ingest.pdf.pages import RTL
from anaphora.ingest.reading import read

LINE = "This line of words is long enough to reach the right margin"


@pytest.mark.parametrize(
    "text",
    [
        "The pump stops.",
        "Máy bơm dừng lại khi bể đầy.",
        "水泵会自动停止。",
        "ปั๊มจะหยุดทำงาน",
        "Насос",
    ],
)
def test_text_of_any_script(tmp_path: Path, text: str) -> None:
    content = read_pdf(pdf(tmp_path / "a.pdf", [[text]], title="Pump"))
    assert content.title == "Pump"
    assert read_pdf(pdf(tmp_path / "b.pdf", [[text]], title="draft.docx")).title == ""
    assert compose(content.elements)[0] == text


def test_lines_join_and_hyphens_go(tmp_path: Path) -> None:
    second = "and it goes on here with a word that the line end hyphen-"
    page = [LINE, second, "ates, and ends.", "", LINE]
    text, _, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", [page])).elements)
    assert text == f"{LINE} {second[:-1]}ates, and ends.\n\n{LINE}"


def test_justified_lines_join_below_a_wider_one(tmp_path: Path) -> None:
    wide = f"x = '{LINE}, which the margin does not hold'"
    lines = [f"{LINE[:-7]} no. {n} and" for n in range(5)]
    page = [wide, "", *lines, "that is all."]
    text, _, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", [page])).elements)
    assert text == f"{wide}\n\n{' '.join(lines)} that is all."


def test_a_smaller_number_begins_a_paragraph(tmp_path: Path) -> None:
    lines = [f"/F1 7 Tf ({n}) Tj /F1 10 Tf ( {LINE} {n} times) Tj T*" for n in range(3)]
    path = drawn_pdf(tmp_path / "a.pdf", "14 TL 50 780 Td", *lines)
    text, _, _ = compose(read_pdf(path).elements)
    assert text == "\n\n".join(f"{n} {LINE} {n} times" for n in range(3))


def test_the_hyphen_of_tex_is_one(tmp_path: Path) -> None:
    page = ["Эта строка такая длинная, что доходит до самого конца, и слово перено\x7f", "сится."]
    text, _, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", [page])).elements)
    assert text.endswith("слово переносится.")


@pytest.mark.parametrize(
    ("operators", "text"),
    [
        # The accent, its distance to the letter, and the letter that is drawn below it.
        (["50 700 Td [(k) -111 (\\250) 444 (onnen wir)] TJ"], "können wir"),
        (["50 700 Td [(K) -111 (\\250) 444 (onnen (\\250) allein)] TJ"], "Können (¨) allein"),
        (["50 700 Td [(d) -111 (\\264) 444 (ej) -111 (\\210) 444 (a)] TJ"], "déjâ"),
        (["50 700 Td [(gar) -222 (\\270) 555 (con)] TJ"], "garçon"),
        # The accent is drawn after the line, and the next word stands where PDFium sees a gap.
        (["50 700 Td (Fur alle) Tj", "7.2 0 Td (\\250) Tj"], "Für alle"),
        (["50 700 Td (cd ~/home `x` 2^8) Tj"], "cd ~/home `x` 2^8"),
    ],
)
def test_accents_are_on_their_letters(tmp_path: Path, operators: list[str], text: str) -> None:
    path = drawn_pdf(tmp_path / "a.pdf", *operators)
    assert compose(read_pdf(path).elements).text == text
    assert len(boxes(path, [1], text)) == 1


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Нажмите красную кнопку, чтобы остановить насос, и подождите.", "cp1251"),
        ("กดปุ่มสีแดงเพื่อหยุดปั๊มน้ำแล้วรอสักครู่ก่อนเปิดฝา", "cp874"),
        ("Πατήστε το κόκκινο κουμπί για να σταματήσει η αντλία", "cp1253"),
    ],
)
def test_letters_in_the_places_of_latin_ones(tmp_path: Path, text: str, encoding: str) -> None:
    latin = "Press \\x{Universität} twice."
    path = pdf(tmp_path / "a.pdf", [[text.encode(encoding).decode("latin-1"), latin]])
    assert compose(read_pdf(path).elements).text.split() == f"{text} {latin}".split()
    assert len(boxes(path, [1], text)) == 1
    french = "Où était l’été, où étaient les élèves de l’école ? À côté, là-bas, déjà âgés."
    assert compose(read_pdf(pdf(tmp_path / "b.pdf", [[french]])).elements).text == french


def test_cyrillic_of_tex_has_its_dashes_quotes_accents_and_ligatures(tmp_path: Path) -> None:
    russian = "Пакет создаётся заново - так, как вы хотите, без лишних действий и без ошибок"
    drawn = russian.replace("-", "\x15").replace("ё", "\xbc")
    drawn = "".join(
        char if char < "\u0400" else char.encode("cp1251").decode("latin-1") for char in drawn
    )
    path = pdf(tmp_path / "a.pdf", [[f"{drawn} (apt-\x1cle)."]])
    text = f"{russian.replace('-', '–')} (apt-file)."
    assert compose(read_pdf(path).elements).text == text
    assert len(boxes(path, [1], "хотите, без лишних действий и без ошибок (apt-file)")) == 1


def test_accents_are_on_letters_after_the_mark_of_an_item_too(tmp_path: Path) -> None:
    mark = "1 0 0 1 50 697 Tm (\\225) Tj"
    text = "1 0 0 1 90 700 Tm [(d) -111 (\\264) 444 (ej\\340)] TJ"
    elements = list(read_pdf(drawn_pdf(tmp_path / "a.pdf", mark, text)).elements)
    assert [(one.kind, one.text) for one in elements] == [("item", "déjà")]


def test_ligatures_are_letters(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [["Run ./conﬁgure oﬀline, and ﬂush."]])
    assert compose(read_pdf(path).elements).text == "Run ./configure offline, and flush."
    assert len(boxes(path, [1], "configure offline")) == 1


def test_a_page_with_unusual_characters_keeps_its_layout(tmp_path: Path) -> None:
    page = ["Key\tAction\x03", "F1 😀\tHelp", "F2\tRename"]
    _, _, blocks = check_blocks(read_pdf(pdf(tmp_path / "a.pdf", [page])).elements)
    assert [block.kind for block in blocks] == ["row", "row", "row"]


@pytest.mark.parametrize(
    ("bookmark", "line"),
    [
        ("Dinh dang viec xuong hang", "2.2 Định dạng việc xuống hàng"),
        ("Doküman Siniflari", "1.6.1 Doküman Sınıfları"),
        ("Fermer la fenetre", "Fermer la fenêtre"),
    ],
)
def test_a_heading_has_the_accents_of_its_page(tmp_path: Path, bookmark: str, line: str) -> None:
    path = pdf(tmp_path / "a.pdf", [["Before."], [line, "After."]], outline=[(bookmark, 1)])
    text, sections, _ = compose(read_pdf(path).elements)
    assert text == "Before.\n\nAfter."
    assert [mark.path for mark in sections] == [(line.lstrip("0123456789. "),)]


def test_the_end_of_a_sentence_is_no_heading(tmp_path: Path) -> None:
    page = ["Not every user has all", "permissions.", "Permissions", "There are three."]
    path = pdf(tmp_path / "a.pdf", [page], outline=[("Permissions", 0)])
    text, _, _ = compose(read_pdf(path).elements)
    assert text == "Not every user has all permissions.\n\nThere are three."


def test_lines_like_the_headings_are_headings(tmp_path: Path) -> None:
    pages = [["\fA Book", "Written by us."]] + [
        [f"\f{word}", f"{word} {LINE}", f"On {word}. {LINE}", f"{word}: {LINE}"]
        for word in ("Setup", "Use", "Care", "Repair", "Index")
    ]
    pages[2].insert(2, "\f\\Huge enormous")
    marks = [("Setup", 1), ("Use", 2), ("Care", 3)]
    _, sections, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", pages, outline=marks)).elements)
    words = [("Setup",), ("Use",), ("Care",), ("Repair",), ("Index",)]
    assert [mark.path for mark in sections] == words


def test_bold_lines_with_the_number_of_a_subsection_are_headings(tmp_path: Path) -> None:
    lines = [f"({LINE} {n}.) Tj T*" for n in range(4)]
    path = drawn_pdf(
        tmp_path / "a.pdf",
        "14 TL 50 780 Td /F2 16 Tf (1.2 Care) Tj T* /F1 10 Tf", *lines,
        "/F2 10 Tf (1.2.1. Cleaning) Tj T* /F1 10 Tf", *lines,
        "/F2 10 Tf (Take care.) Tj T* (1.2.2. Drying) Tj T* /F1 10 Tf", *lines,
        "(1.2.3. Not a heading) Tj T*",
    )  # fmt: skip
    _, sections, _ = compose(read_pdf(path).elements)
    assert [mark.path for mark in sections] == [
        ("1.2 Care",), ("1.2 Care", "1.2.1. Cleaning"), ("1.2 Care", "1.2.2. Drying"),
    ]  # fmt: skip


def test_bookmarks_that_count_the_pages_are_no_headings(tmp_path: Path) -> None:
    pages = [["\fSetup", LINE, LINE, LINE], ["\fUse", LINE, LINE, LINE]]
    marks = [("Page 1", 0), ("Page 2", 1)]
    path = pdf(tmp_path / "a.pdf", pages, outline=marks)
    _, sections, _ = compose(read_pdf(path).elements)
    assert [mark.path for mark in sections] == [("Setup",), ("Use",)]


def test_a_bookmark_above_all_others_is_the_title(tmp_path: Path) -> None:
    pages = [["Preface here."], ["Setup", "Plug it in."], ["Use", "Press the key."]]
    marks = [("The pump", 0), ("\tSetup", 1), ("\tUse", 2)]
    path = pdf(tmp_path / "a.pdf", pages, outline=marks)
    content = read_pdf(path)
    assert content.title == "The pump"
    paths = [mark.path for mark in compose(content.elements).sections]
    assert paths == [("Setup",), ("Use",)]


def test_lines_of_narrow_columns_join(tmp_path: Path) -> None:
    left = ["A pump stops if", "the tank is", "full of it."]
    right = ["A lamp then is", "of a green", "colour."]
    page = [*left, f"\v{right[0]}", *right[1:]]
    text, _, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", [page])).elements)
    assert text == "A pump stops if the tank is full of it.\n\nA lamp then is of a green colour."


def test_pages_are_sections_without_bookmarks(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [["First page."], [], ["Third page."]])
    text, sections, _ = compose(read_pdf(path).elements)
    assert text == "First page.\n\nThird page."
    assert [mark.path for mark in sections] == [("p. 1",), ("p. 3",)]


def test_bookmarks_are_sections(tmp_path: Path) -> None:
    pages = [["Preface here."], ["1 Setup", "Plug it in."], ["More.", "2 Use", "Press the key."]]
    path = pdf(tmp_path / "a.pdf", pages, outline=[("Setup", 1), ("Use", 2)])
    text, sections, _ = compose(read_pdf(path).elements)
    assert "Setup" not in text
    assert [mark.path for mark in sections] == [("Setup",), ("Use",)]
    assert text[sections[1].start :] == "Press the key."


@pytest.mark.parametrize(
    "title", ["Bash Manual", "电力手册", "دليل المضخة", "คู่มือปั๊ม", "Sổ tay máy bơm"]
)
def test_the_largest_text_of_the_first_page_is_the_title_of_a_book(tmp_path: Path, title) -> None:
    drawn = title[::-1] if RTL.search(title) else title
    pages = [[f"\f{drawn}", "Edition of today."], ["Introduction", "Plug it in. " * 9]]
    path = pdf(tmp_path / "a.pdf", pages, outline=[("Introduction", 1)])
    assert read_pdf(path).title == title
    declared = pdf(tmp_path / "b.pdf", pages, outline=[("Introduction", 1)], title="Declared")
    assert read_pdf(declared).title == "Declared"
    even = pdf(tmp_path / "c.pdf", [["Introduction", "Plug it in."]], outline=[("Introduction", 0)])
    assert read_pdf(even).title == ""


def test_the_number_of_an_appendix_is_part_of_its_heading(tmp_path: Path) -> None:
    pages = [["Preface here."], ["Appendix B Differences", "None."]]
    path = pdf(tmp_path / "a.pdf", pages, outline=[("Differences", 1)])
    text, sections, _ = compose(read_pdf(path).elements)
    assert text == "Preface here.\n\nNone."
    assert [mark.path for mark in sections] == [("Differences",)]


def test_the_first_of_several_chapters_is_no_title(tmp_path: Path) -> None:
    pages = [["Plug it in."], ["Press the key."]]
    path = pdf(tmp_path / "手册.pdf", pages, outline=[("Setup", 0), ("Use", 1)])
    (document,) = read(path, "a")
    assert document.title == "手册"
    (document,) = read(pdf(tmp_path / "b.pdf", pages, outline=[("Pump", 0)]), "b")
    assert document.title == "Pump"


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["28 I just bought a UPS,", "what’s next?"], "I just bought a UPS, what's next?"),
        (["3 Bagaimana jika", "saya lupa", "kata sandi?"], "Bagaimana jika saya lupa kata sandi?"),
        (["2.1 设置共享", "文件夹"], "设置共享文件夹"),
        (["4 Nếu tôi quên", "mật khẩu"], "Nếu tôi quên mật khẩu"),
        (["5 Что делать, если", "забыт пароль"], "Что делать, если забыт пароль"),
    ],
)  # fmt: skip
def test_a_heading_may_take_several_lines(tmp_path: Path, lines, title) -> None:
    pages = [["1 Start", "Plug it in.", "Wait for it.", *lines, "Ask the shop."]]
    path = pdf(tmp_path / "a.pdf", pages, outline=[("Start", 0), (title, 0)])
    text, sections, _ = compose(read_pdf(path).elements)
    assert [mark.path for mark in sections] == [("Start",), (title,)]
    assert " ".join(text[: sections[1].start].split()) == "Plug it in. Wait for it."
    assert text[sections[1].start :] == "Ask the shop."


def test_running_heads_and_page_numbers_go(tmp_path: Path) -> None:
    pages = [["My book", f"Text number {n * n} alone.", "", f"- {n} -"] for n in range(1, 6)]
    text, _, _ = compose(read_pdf(pdf(tmp_path / "a.pdf", pages)).elements)
    assert "My book" not in text
    assert "- 3 -" not in text
    assert "Text number 25 alone." in text


def test_bad_files_have_reasons(tmp_path: Path) -> None:
    good = pdf(tmp_path / "good.pdf", [[LINE]] * 3).read_bytes()
    path = tmp_path / "bad.pdf"
    for length in range(0, len(good) - 7, 97):
        path.write_bytes(good[:length])
        with pytest.raises(UnreadableFile):
            list(read(path, "bad.pdf"))
    path.write_bytes(good[:900] + b"%%EOF")
    with pytest.raises(UnreadableFile):
        list(read(path, "bad.pdf"))
    with pytest.raises(UnreadableFile, match="encrypted"):
        read_pdf(pdf(path, [[LINE]], encrypted=True))
    with pytest.raises(UnreadableFile, match=r"holds no text \(a scan\?\)"):
        list(read(pdf(path, [[]]), "bad.pdf"))


def test_blocks_have_kinds_markers_header_cells_and_pages(tmp_path: Path) -> None:
    page = [
        "Do this:",
        "1. Open it.",
        "2. Close it.",
        "",
        "Name\tSize",
        "ext4\t1 EiB",
        "xfs\t8 EiB",
    ]
    elements = read_pdf(pdf(tmp_path / "a.pdf", [["First."], page])).elements
    check_blocks(elements)
    assert [(one.kind, one.marker, one.text, one.place) for one in elements if not one.level] == [
        ("paragraph", "", "First.", "page=1"),
        ("paragraph", "", "Do this:", "page=2"),
        ("item", "1.", "Open it.", "page=2"),
        ("item", "2.", "Close it.", "page=2"),
        ("row", "", "Name | Size", "page=2"),
        ("row", "", "ext4 | 1 EiB", "page=2"),
        ("row", "", "xfs | 8 EiB", "page=2"),
    ]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [
        "The pump stops when the tank is full,",
        "and the lamp turns green at that mo-",
        "ment. Wait.",
    ]
    right = ["\vDo not open the lid before that, be-", "cause the water inside is still hot."]
    text, _, _ = check_blocks(read_pdf(pdf(tmp_path / "a.pdf", [left + right])).elements)
    assert " ".join(text.split()) == (
        "The pump stops when the tank is full, and the lamp turns green at that moment. Wait. "
        "Do not open the lid before that, because the water inside is still hot."
    )


def test_a_table_of_contents_and_an_index_are_left_out(tmp_path: Path) -> None:
    contents = [f"Chapter {n} ........ {n + 1}" for n in range(1, 9)]
    chapters = [[f"The text of a chapter, number {n * n}."] for n in range(1, 9)]
    index = [f"word{n}, {n % 7 + 1}, {n % 5 + 2}" for n in range(20)]
    index += [f"word{n}{' .' * 9} {n % 7 + 1}, {n % 5 + 2}" for n in range(20, 40)]
    rest = ["Y", "word40, 3", "word41, 6"]
    path = pdf(tmp_path / "a.pdf", [contents, *chapters, index, rest])
    text, _, _ = check_blocks(read_pdf(path).elements)
    assert text.count("The text of a chapter") == 8
    assert "....." not in text
    assert "word" not in text


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        ("The pump stops by itself", 1),
        ("stops by itself as soon as the tank is full", 2),
        ("one word that is hyphenated here.", 2),
        ("水箱装满以后，水泵会自动停止。", 1),
        ("تتوقف المضخة", 1),
        ("Máy bơm dừng lại", 1),
        ("Right column.", 1),
        ("The pump stops by itself\nRight column.", 2),
        ("not on this page", 0),
        ("", 0),
    ],
)
def test_the_boxes_of_a_quotation(tmp_path: Path, quote: str, lines: int) -> None:
    page = [
        "The pump stops by itself as", "soon as the tank is full and one word that is hy-",
        "phenated here.", "水箱装满以后，水泵会自动停止。",
        "تتوقف المضخة"[::-1],  # as a page draws it, from left to right
        "Máy bơm dừng lại", "\vRight column.",
    ]  # fmt: skip
    pages = boxes(pdf(tmp_path / "a.pdf", [["Other."], page]), [2], quote)
    found = [box for page in pages for box in page.boxes]
    assert len(found) == lines
    assert all((one.page, one.width, one.height) == (2, 595, 842) for one in pages)
    for left, bottom, right, top in found:
        assert 0 < left < right < 595
        assert 0 < bottom < top < 842
    if quote == "Right column.":
        assert found[0][0] > 290
    assert boxes(tmp_path / "a.pdf", [3], "Other.") == []


def test_boxes_of_a_quotation_that_crosses_pages(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [["It ends with this part of it,"], ["and goes on with this."]])
    quote = "It ends with this part of it, and goes on with this."
    assert [(one.page, len(one.boxes)) for one in boxes(path, [1, 2], quote)] == [(1, 1), (2, 1)]


def test_boxes_are_those_of_the_page_as_it_is_shown(tmp_path: Path) -> None:
    with closing(pypdfium2.PdfDocument(pdf(tmp_path / "a.pdf", [["The pump stops."]]))) as plain:
        page = plain[0]
        page.set_cropbox(40, 700, 340, 800)
        page.set_rotation(90)
        plain.save(tmp_path / "b.pdf")
    (found,) = boxes(tmp_path / "b.pdf", [1], "The pump stops.")
    assert (found.width, found.height) == (100, 300)
    ((left, bottom, right, top),) = found.boxes
    # The line began 10 points from the left of the cropped page: now it runs down from the top.
    assert (round(top), round(bottom)) == (290, 215)
    assert 75 < left < 85 < right < 95


def test_the_same_words_are_told_apart_by_what_is_around_them(tmp_path: Path) -> None:
    lines = ["First. The pump stops.", "Second. The pump stops. Then wait."]
    path = pdf(tmp_path / "a.pdf", [lines, lines])
    quote = "The pump stops."

    def found(*around: str) -> tuple[int, int]:
        (page,) = boxes(path, [1, 2], quote, *around)
        return page.page, round((842 - page.boxes[0][1]) / 14)

    first = found("First.")
    assert found("Second.") == (first[0], first[1] + 1)
    assert found("", "Then wait.") == found("Second.", "Then wait.")
    assert found("Then wait. First.") == (2, first[1])


def test_a_page_is_drawn_as_it_is_shown(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [["The pump stops."]])
    assert page_count(path) == 1
    assert page_image(path, 2, 100) is None
    image = page_image(path, 1, 200)
    assert image
    assert struct.unpack_from(">II", image, 16) == (200, 283)
    with closing(pypdfium2.PdfDocument(path)) as plain:
        plain[0].set_mediabox(0, 0, 10, 14_000)
        plain.save(tmp_path / "b.pdf")
    strip = page_image(tmp_path / "b.pdf", 1, 2_000)
    assert strip
    width, height = struct.unpack_from(">II", strip, 16)
    assert width * height < 9_000_000
