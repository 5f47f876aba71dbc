from __future__ import annotations

from pathlib import Path

import pytest
from support.ingest_files import docx, epub, paragraph, pdf
from support.permissions import ordinary_user, public_folder

from anaphora.errors import UnreadableFile
from anaphora.ingest import Skipped, read, split
from anaphora.ingest.kinds import sniff
from anaphora.records import Document

GERMAN = (
    "Die Pumpe schaltet ab, sobald der Behälter gefüllt ist. Öffnen Sie den Deckel nicht vorher."
)
JAPANESE = (
    "タンクが満水になるとポンプは自動的に停止します。ランプが点灯する前に蓋を開けないでください。"
)


def read_one(path: Path) -> Document:
    [document] = read(path, f"docs/{path.name}")
    assert isinstance(document, Document)
    return document


def test_every_format_gives_the_same_document(tmp_path: Path) -> None:
    paths = [
        tmp_path / "a.md",
        tmp_path / "a.html",
        docx(tmp_path / "a.docx", paragraph(GERMAN)),
        epub(tmp_path / "a.epub", {"a.xhtml": f"<p>{GERMAN}</p>"}),
        pdf(tmp_path / "a.pdf", [[GERMAN]]),
        tmp_path / "README",
        tmp_path / "a.txt",
    ]
    for path in paths:
        if not path.exists():
            path.write_text(f"<p>{GERMAN}" if path.suffix == ".html" else GERMAN, encoding="utf-8")
        document = read_one(path)
        assert (document.text, document.lang) == (GERMAN, "de")
        assert document.title == path.stem
        assert document.doc_id == f"docs/{path.name}"
        assert [part.text for part in split(document)] == [GERMAN]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "utf-16", "utf-8"])
def test_text_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(JAPANESE.encode(encoding))
    assert read_one(path).text == JAPANESE
    assert read_one(path).lang == "ja"


def test_titles_come_from_the_file_then_its_headings_then_its_name(tmp_path: Path) -> None:
    path = tmp_path / "name.md"
    path.write_text("---\ntitle: Front\n---\n# Head\n\nText.")
    assert read_one(path).title == "Front"
    path.write_text("## Head\n\nText.")
    assert read_one(path).title == "Head"
    path.write_text("Text.")
    assert read_one(path).title == "name"


def test_a_declared_language_helps_only_where_the_text_does_not_tell(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html lang=pt-BR><p>404", encoding="utf-8")
    assert read_one(path).lang == "pt"
    path.write_text(f"<html lang=en><p>{JAPANESE}", encoding="utf-8")
    assert read_one(path).lang == "ja"
    path.write_text("<html lang='%%'><p>404", encoding="utf-8")
    assert read_one(path).lang == "unknown"


def test_a_suffix_may_lie(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(f"<!DOCTYPE html><html><nav>Menu</nav><p>{GERMAN}", encoding="utf-8")
    assert read_one(page).text == GERMAN
    document = pdf(tmp_path / "a.html", [[GERMAN]])
    assert read_one(document).text == GERMAN
    text = tmp_path / "text.docx"
    text.write_text(GERMAN, encoding="utf-8")
    assert read_one(text).text == GERMAN
    assert read_one(docx(tmp_path / "README", paragraph(GERMAN))).text == GERMAN
    assert read_one(epub(tmp_path / "b.docx", {"a.xhtml": GERMAN})).text == GERMAN


def test_sniffing_keeps_what_the_suffix_says_where_it_can() -> None:
    assert sniff("markdown", b"<html> starts this note") == "markdown"
    assert sniff("epub", b"PK\x03\x04 no type") == "epub"
    assert sniff("pdf", b"") == "pdf"
    assert sniff("docx", b"\x00\x01 rubbish") == "docx"
    assert sniff("text", b"<?xml version='1.0'?>\n<!-- x --><html>") == "html"


def test_records_are_told_their_language(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        f'{{"_id": "1", "text": "{GERMAN}"}}\nbroken\n{{"_id": "2", "text": "x", "lang": "VI"}}\n',
        encoding="utf-8",
    )
    first, bad, second = read(path, "a.jsonl")
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.lang, second.lang) == ("de", "vi")
    assert isinstance(bad, Skipped)
    assert bad.name == "a.jsonl, line 2"


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.jsonl", "a.pdf", "a.docx", "a"])
def test_a_file_without_text_has_a_reason(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"")
    with pytest.raises(UnreadableFile):
        list(read(path, name))


def test_a_missing_file_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        list(read(tmp_path / "gone.md", "gone.md"))


def test_another_file_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(bytes(range(256)) * 50)
    with pytest.raises(UnreadableFile, match="is not text"):
        list(read(path, "a.txt"))


def test_a_closed_file_has_a_reason() -> None:
    with public_folder() as folder:
        path = folder / "a.txt"
        path.write_text("x")
        assert list(read(path, "a.txt"))
        path.chmod(0)
        with ordinary_user(), pytest.raises(UnreadableFile, match="permission denied"):
            list(read(path, "a.txt"))
