from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from support.blocks import check_blocks
from support.ingest_files import archive, docx, paragraph

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.docx import read_docx
from anaphora.ingest.reading import read

STYLES = """
<w:style w:styleId="Titre1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Berschrift2"><w:name w:val="Überschrift"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Mine"><w:name w:val="My style"/><w:basedOn w:val="Titre1"/></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
"""


def read_all(path: Path) -> tuple[str, list[tuple[str, ...]], str]:
    content = read_docx(path)
    text, sections, _ = compose(content.elements)
    return text, [mark.path for mark in sections], content.title


def test_headings_by_style_in_any_language(tmp_path: Path) -> None:
    body = (
        paragraph("Handbuch", "Titel")
        + paragraph("1 Pumpe ..... 3", "Verzeichnis1")
        + paragraph("Pumpe", "Titre1")
        + paragraph("Sie stoppt.")
        + paragraph("Deckel", "Berschrift2")
        + paragraph("Zu lassen.", "Loop")
        + paragraph("Lampe", "Mine")
        + paragraph("Grün.")
        + paragraph("Direkt", properties='<w:outlineLvl w:val="2"/>')
        + paragraph("Ende.")
    )
    text, paths, title = read_all(docx(tmp_path / "a.docx", body, styles=STYLES))
    assert title == "Handbuch"
    assert text == "Handbuch\n\nSie stoppt.\n\nZu lassen.\n\nGrün.\n\nEnde."
    assert paths == [("Pumpe",), ("Pumpe", "Deckel"), ("Lampe",), ("Lampe", "Direkt")]


def bold(text: str, rest: str = "") -> str:
    run = "<w:r><w:rPr><w:b/></w:rPr><w:t>{}</w:t></w:r>"
    return f"<w:p>{run.format(text)}<w:r><w:t>{rest}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Pumpe", "Lampe"),
        ("水泵", "灯"),
        ("مضخة", "مصباح"),
        ("ปั๊ม", "หลอดไฟ"),
        ("Bơm", "Đèn"),
        ("Насос", "Лампа"),
    ],
)
def test_bold_lines_are_headings_where_no_style_is(tmp_path: Path, first, second) -> None:
    body = (
        paragraph("Handbuch", "Titel")
        + bold(first)
        + paragraph("1.")
        + bold(second)
        + bold("2", " ist viel.")
    )
    text, paths, _ = read_all(docx(tmp_path / "a.docx", body, styles=STYLES))
    assert text == "1.\n\n2 ist viel."
    assert paths == [("Handbuch", first), ("Handbuch", second)]
    _, paths, _ = read_all(
        docx(tmp_path / "b.docx", body + paragraph("X", "Titre1") + paragraph("Y"), styles=STYLES)
    )
    assert paths == [("Handbuch",), ("X",)]


def test_tables_lists_notes_and_breaks(tmp_path: Path) -> None:
    row = "<w:tr>{}</w:tr>"
    cell = "<w:tc>{}</w:tc>"
    body = (
        "<w:p><w:r><w:t>One</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t>"
        '<w:footnoteReference w:id="2"/></w:r></w:p>'
        + paragraph("item", properties="<w:numPr/>")
        + "<w:tbl>"
        + row.format(cell.format(paragraph("a")) + cell.format(paragraph("b") + paragraph("c")))
        + row.format(cell.format(paragraph("d")) + cell.format(paragraph("")))
        + "</w:tbl>"
        + "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:t>shown</w:t></w:r>"
        "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>"
    )
    notes = (
        '<w:footnote w:type="separator" w:id="0">' + paragraph("x") + "</w:footnote>"
        '<w:footnote w:id="2">' + paragraph("A note.") + "</w:footnote>"
    )
    text, _, _ = read_all(docx(tmp_path / "a.docx", body, footnotes=notes))
    assert text == "One\ntwo three\nA note.\nitem\n\na | b c\nd\n\nshown"


def test_blocks_have_kinds_markers_and_header_cells(tmp_path: Path) -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{shape}"/>'
        f'<w:lvlText w:val="{mark}"/></w:lvl>'
        for at, (shape, mark) in enumerate([("decimal", "%1."), ("lowerRoman", "%1.%2)")])
    )
    numbering = (
        f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num>'
    )

    def item(text: str, depth: int) -> str:
        number = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="2"/></w:numPr>'
        return paragraph(text, properties=number)

    def line(*cells: str, head: str = "") -> str:
        inside = "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells)
        return f"<w:tr><w:trPr>{head}</w:trPr>{inside}</w:tr>"

    table = line("Name", "Flag", "Size", head="<w:tblHeader/>") + line("غطاء", "", "1")
    body = (
        item("one", 0) + item("deep", 1) + item("deeper", 1) + item("two", 0)
        + f"<w:tbl>{table}</w:tbl>" + paragraph("x = 1", "Code") + paragraph("  y()", "Code")
        + paragraph("Said.", "Quote")
    )  # fmt: skip
    path = docx(tmp_path / "a.docx", body, numbering=numbering)
    elements = read_docx(path).elements
    check_blocks(elements)
    assert [(one.kind, one.depth, one.marker, one.header, one.text) for one in elements] == [
        ("item", 1, "1.", (), "one"),
        ("item", 2, "1.i)", (), "deep"),
        ("item", 2, "1.ii)", (), "deeper"),
        ("item", 1, "2.", (), "two"),
        ("header", 0, "", (), "Name | Flag | Size"),
        ("row", 0, "", ("Name", "Size"), "غطاء | 1"),
        ("code", 0, "", (), "x = 1\n  y()"),
        ("quotation", 0, "", (), "Said."),
    ]


def test_text_boxes_come_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Around.</w:t><mc:AlternateContent xmlns:mc='m'>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )
    text, _, _ = read_all(docx(tmp_path / "a.docx", body))
    assert sorted(text.split("\n\n")) == ["Around.", "In the box."]


def test_a_cut_file_has_a_reason_wherever_it_is_cut(tmp_path: Path) -> None:
    good = docx(tmp_path / "a.docx", paragraph("Text.") * 50).read_bytes()
    path = tmp_path / "b.docx"
    for length in range(0, len(good) - 1, 41):
        path.write_bytes(good[:length])
        with pytest.raises(UnreadableFile):
            list(read(path, "b.docx"))
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(UnreadableFile, match="encrypted"):
        list(read(path, "b.docx"))


def test_a_damaged_member_has_a_reason(tmp_path: Path) -> None:
    path = docx(tmp_path / "a.docx", paragraph("Text."))
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as file:
        start = file.getinfo("word/document.xml").header_offset + 60
    data[start : start + 20] = bytes(20)
    path.write_bytes(bytes(data))
    with pytest.raises(UnreadableFile, match=r"damaged in word/document\.xml"):
        read_docx(path)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    bomb = docx(tmp_path / "a.docx", paragraph("0" * 50_000_000))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(UnreadableFile, match="zip bomb"):
        read_docx(bomb)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    with pytest.raises(UnreadableFile, match="entities"):
        read_docx(archive(tmp_path / "a.docx", {"word/document.xml": laughs}))


def test_other_archives_and_broken_xml_have_reasons(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"lacks word/document\.xml"):
        read_docx(archive(tmp_path / "a.docx", {"x": "y"}))
    with pytest.raises(UnreadableFile, match="broken XML"):
        read_docx(archive(tmp_path / "b.docx", {"word/document.xml": "<a><b></a>"}))


def test_depth_does_no_harm(tmp_path: Path) -> None:
    body = "<w:x>" * 20_000 + paragraph("Inside.") + "</w:x>" * 20_000
    text, _, _ = read_all(docx(tmp_path / "a.docx", body))
    assert text == "Inside."
