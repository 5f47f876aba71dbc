from __future__ import annotations

from pathlib import Path

import pytest
from support.blocks import check_blocks
from support.ingest_files import archive, docx, odt, paragraph

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.odt import read_odt
from anaphora.ingest.reading import read

STYLES = """
<style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="P1"/>
<style:style style:name="Mine" style:display-name="Mine" style:default-outline-level="2"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Mine"/>
<style:style style:name="Table_20_Heading" style:family="paragraph"/>
<style:style style:name="Quotations" style:family="paragraph"/>
<style:style style:name="Loud"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="Quiet" style:parent-style-name="Loud">
<style:text-properties fo:font-weight="normal"/></style:style>
<style:style style:name="Secret"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Programm">
<style:text-properties style:font-name="Courier New"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="i" style:num-suffix=")"
text:display-levels="2"/>
<text:list-level-style-bullet text:level="3"/>
</text:list-style>
"""


def p(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def items(*texts: str, style: str = "", more: str = "") -> str:
    name = f'text:style-name="{style}"' if style else ""
    inside = "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)
    return f"<text:list {name} {more}>{inside}</text:list>"


def read_all(path: Path) -> tuple[str, list[tuple[str, ...]], str]:
    content = read_odt(path)
    text, sections, _ = compose(content.elements)
    return text, [mark.path for mark in sections], content.title


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("Pumpe", "Deckel", "Sie stoppt von selbst, sobald der Tank voll ist."),
        ("水泵", "盖子", "水箱装满以后，水泵会自动停止。"),
        ("مضخة", "غطاء", "تتوقف المضخة تلقائيا عندما يمتلئ الخزان."),
        ("ปั๊ม", "ฝา", "ปั๊มจะหยุดทำงานเองเมื่อถังเต็ม"),
        ("Bơm", "Nắp", "Máy bơm tự dừng lại khi bể đầy."),
        ("Насос", "Крышка", "Насос останавливается сам, когда бак полон."),
        ("Pompa", "Kapak", "Depo dolunca pompa kendiliğinden durur."),
        ("ポンプ", "ふた", "タンクがいっぱいになると、ポンプは自動的に止まります。"),
    ],
)
def test_headings_in_any_language(tmp_path: Path, first: str, second: str, said: str) -> None:
    body = (
        p("Manual", "Title") + h(first, 1) + p(said) + p(second, "P2") + p(said, "P1")
        + h("X", 3) + p("Y")
    )  # fmt: skip
    path = odt(tmp_path / "a.odt", body, STYLES)
    text, paths, title = read_all(path)
    assert title == "Manual"
    assert text == f"Manual\n\n{said}\n\n{said}\n\nY"
    assert paths == [(first,), (first, second), (first, second, "X")]
    lines = odt(
        tmp_path / "b.odt",
        p("Manual", "Title") + p(first, "Loud") + p("1.") + p(second, "Loud") + p("2.", "Quiet"),
        STYLES,
    )
    assert read_all(lines)[1] == [("Manual", first), ("Manual", second)]


def test_metadata_names_title_and_language(tmp_path: Path) -> None:
    meta = "<dc:title> Handbuch </dc:title><dc:language>de-DE</dc:language>"
    path = odt(tmp_path / "a.odt", p("Manual", "Title"), STYLES, meta)
    [document] = read(path, "a.odt")
    assert (document.title, document.lang) == ("Handbuch", "de")


def test_blocks_have_kinds_markers_and_header_cells(tmp_path: Path) -> None:
    def line(*cells: str, style: str = "Standard") -> str:
        inside = "".join(f"<table:table-cell>{p(cell, style)}</table:table-cell>" for cell in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    empty = f'<table:covered-table-cell table:number-columns-repeated="{"9" * 5000}"/>'
    body = (
        items(p("one") + p("More of it."), p("two") + items(p("deep"), p("deeper")), style="L1")
        + items(p("three"), style="L1", more='text:continue-numbering="true"')
        + items(p("other"))
        + "<table:table>" + line("Name", "Flag", "Size", style="Table_20_Heading")
        + line("غطاء", "", "1") + "</table:table>"
        + f"<table:table><table:table-row>{empty}</table:table-row></table:table>"
        + p("x = 1", "Programm")
        + p('<text:s text:c="2"/>y(<text:span text:style-name="Loud">1</text:span>)', "Programm")
        + p("Said.", "Quotations") + p("Call <text:span text:style-name='Programm'>y</text:span>.")
    )  # fmt: skip
    elements = read_odt(odt(tmp_path / "a.odt", body, STYLES)).elements
    check_blocks(elements)
    assert [(one.kind, one.depth, one.marker, one.header, one.text) for one in elements] == [
        ("item", 1, "1.", (), "one"),
        ("paragraph", 1, "", (), "More of it."),
        ("item", 1, "2.", (), "two"),
        ("item", 2, "2.i)", (), "deep"),
        ("item", 2, "2.ii)", (), "deeper"),
        ("item", 1, "3.", (), "three"),
        ("item", 1, "•", (), "other"),
        ("header", 0, "", (), "Name | Flag | Size"),
        ("row", 0, "", ("Name", "Size"), "غطاء | 1"),
        ("code", 0, "", (), "x = 1\n  y(1)"),
        ("quotation", 0, "", (), "Said."),
        ("paragraph", 0, "", (), "Call y."),
    ]


@pytest.mark.parametrize("name", ["a.odt", "a.docx"])
def test_a_document_in_a_font_for_code_is_text(tmp_path: Path, name: str) -> None:
    texts = ["The pump stops.", "Then the lamp turns green.", "Wait."]
    if name == "a.odt":
        path = odt(tmp_path / name, "".join(p(text, "Programm") for text in texts), STYLES)
    else:
        font = '<w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>{}</w:t></w:r>'
        path = docx(tmp_path / name, "".join(f"<w:p>{font.format(text)}</w:p>" for text in texts))
    [document] = read(path, name)
    assert document.text == "\n\n".join(texts)
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_code_in_word_by_its_font(tmp_path: Path) -> None:
    font = '<w:r><w:rPr><w:rFonts w:ascii="{}"/></w:rPr><w:t>{}</w:t></w:r>'
    lines = ["x = 1", "y(1)"]
    body = paragraph("So it is done here:") + "".join(
        f"<w:p>{font.format('DejaVu Sans Mono', line)}</w:p>" for line in lines
    )
    body += f"<w:p>{font.format('Monotype Corsiva', 'A letter.')}</w:p>"
    [document] = read(docx(tmp_path / "a.docx", body), "a.docx")
    assert [block.kind for block in document.blocks] == ["paragraph", "code", "paragraph"]
    assert "x = 1\ny(1)\n" in document.text


def test_typed_bullets_are_items(tmp_path: Path) -> None:
    line = "<w:r><w:t>{}</w:t></w:r>"
    body = f"<w:p>{line.format('• Open the lid.')}<w:r><w:br/></w:r>{line.format('• 开盖。')}</w:p>"
    body += paragraph("- Wait.") + paragraph("* 5 °C is cold.\nNot an item.")
    body += paragraph("— Привет, — сказал он.")
    [document] = read(docx(tmp_path / "a.docx", body), "a.docx")
    kinds = [(block.kind, block.marker) for block in document.blocks]
    assert kinds == [("item", "•")] * 3 + [("paragraph", "")] * 2
    assert document.text.startswith("Open the lid.\n开盖。\nWait.\n\n* 5 °C")


def test_the_first_of_several_chapters_is_no_title(tmp_path: Path) -> None:
    body = h("Overview", 1) + p("It pumps.") + h("Use", 1) + p("Press the key.")
    [document] = read(odt(tmp_path / "Pump 3.odt", body), "Pump 3.odt")
    assert document.title == "Pump 3"
    [document] = read(odt(tmp_path / "b.odt", h("Pump", 1) + p("It pumps.")), "b.odt")
    assert document.title == "Pump"


def test_notes_frames_and_what_is_left_out(tmp_path: Path) -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation>"
        f"<text:note-body>{p('A note.')}</text:note-body></text:note>"
    )
    frame = (
        "<draw:frame><draw:text-box>" + p("In the frame.") + "</draw:text-box>"
        "<svg:desc xmlns:svg='svg'>a picture</svg:desc></draw:frame>"
    )
    comment = f"<office:annotation>{p('a comment')}</office:annotation>"
    secret = '<text:span text:style-name="Secret">secret</text:span>'
    reading = "<text:ruby-text>みず</text:ruby-text>"
    ruby = f"<text:ruby><text:ruby-base>水</text:ruby-base>{reading}</text:ruby>"
    deleted = f"<text:deletion>{p('deleted')}</text:deletion>"
    body = (
        f"<text:tracked-changes>{deleted}</text:tracked-changes>"
        f"<text:table-of-content>{p('Pump 3')}</text:table-of-content>"
        + p(f"One<text:line-break/>two<text:tab/>three\n  four{note}{comment}{secret}")
        + p(f"Around.{frame}") + p(ruby) + p("hidden", "Secret") + p("")
    )  # fmt: skip
    text, _, _ = read_all(odt(tmp_path / "a.odt", body, STYLES))
    assert text == "One\ntwo three four\nA note.\n\nIn the frame.\n\nAround.\n\n水"


def test_nested_tables_and_lists_of_any_depth(tmp_path: Path) -> None:
    table = p("in")
    for _ in range(60):
        table = (
            f"<table:table><table:table-row><table:table-cell>{p('a')}</table:table-cell>"
            f"<table:table-cell>{table}</table:table-cell></table:table-row></table:table>"
        )
    deep = p("deepest")
    for _ in range(60):
        deep = items(p("item") + deep, style="L1")
    content = read_odt(odt(tmp_path / "a.odt", table + deep, STYLES))
    text, _, _ = check_blocks(content.elements)
    assert text.count("in") >= 1
    assert text.endswith("deepest")


def test_bad_files_have_reasons(tmp_path: Path) -> None:
    good = odt(tmp_path / "a.odt", p("Text.") * 50)
    path = tmp_path / "b.odt"
    for length in range(0, good.stat().st_size - 1, 97):
        path.write_bytes(good.read_bytes()[:length])
        with pytest.raises(UnreadableFile):
            list(read(path, "b.odt"))
    with pytest.raises(UnreadableFile, match=r"lacks content\.xml"):
        read_odt(archive(tmp_path / "c.odt", {"x": "y"}))
    locked = odt(tmp_path / "d.odt", p("Text."), **{"META-INF__manifest": "<encryption-data/>"})
    with pytest.raises(UnreadableFile, match="encrypted"):
        read_odt(locked)
    with pytest.raises(UnreadableFile, match="zip bomb"):
        read_odt(odt(tmp_path / "e.odt", p("0" * 50_000_000)))


def test_it_is_recognised_without_its_suffix(tmp_path: Path) -> None:
    for name in ("letter", "letter.docx", "letter.odt"):
        [document] = read(odt(tmp_path / name, p("The pump stops by itself.")), name)
        assert document.text == "The pump stops by itself."
