from __future__ import annotations

from pathlib import Path

import pytest
from support.ingest_files import pdf

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.pdf import read_pdf
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
