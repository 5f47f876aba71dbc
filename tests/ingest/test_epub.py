from __future__ import annotations

from pathlib import Path

import pytest
from support.ingest_files import archive, epub

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.epub import read_epub
from anaphora.ingest.reading import read


def test_chapters_come_in_the_order_of_the_spine(tmp_path: Path) -> None:
    pages = {
        "z.xhtml": '<h1>Un</h1><p>La pompe<a id="x"/> s’arrête.</p>',
        "a%20b.xhtml": '<h1>Deux</h1><p>Le voyant.</p><nav epub:type="toc">X</nav>',
    }
    path = epub(tmp_path / "a.epub", {"z.xhtml": pages["z.xhtml"]}, "Le livre", "fr")
    content = read_epub(path)
    assert (content.title, content.lang) == ("Le livre", "fr")
    text, sections, _ = compose(content.elements)
    assert text == "La pompe s’arrête."
    assert sections[0].path == ("Un",)
    two = epub(tmp_path / "b.epub", {"b.xhtml": pages["a%20b.xhtml"], "a.xhtml": pages["z.xhtml"]})
    text, sections, _ = compose(read_epub(two).elements)
    assert text == "Le voyant.\n\nLa pompe s’arrête."
    assert [mark.path for mark in sections] == [("Deux",), ("Un",)]


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = epub(tmp_path / "a.epub", {f"{n}.xhtml": "0" * 3_000_000 for n in range(10)})
    with pytest.raises(UnreadableFile, match="zip bomb"):
        read_epub(path)


def test_bad_files_have_reasons(tmp_path: Path) -> None:
    good = epub(tmp_path / "a.epub", {"a.xhtml": "<p>Text.</p>" * 99}).read_bytes()
    path = tmp_path / "b.epub"
    for length in range(0, len(good) - 1, 53):
        path.write_bytes(good[:length])
        with pytest.raises(UnreadableFile):
            list(read(path, "b.epub"))
    with pytest.raises(UnreadableFile, match="lacks META-INF/container"):
        read_epub(archive(path, {"x": "y"}))
    with pytest.raises(UnreadableFile, match="names no package"):
        read_epub(archive(path, {"META-INF/container.xml": "<container/>"}))
    with pytest.raises(UnreadableFile, match="holds no text"):
        list(read(epub(path, {"a.xhtml": ""}), "b.epub"))


def test_pages_without_headings_are_named_by_the_contents(tmp_path: Path) -> None:
    contents = "".join(
        f"<navPoint><navLabel><text>{name}</text></navLabel><content src='{link}'/></navPoint>"
        for name, link in [("One", "1.xhtml"), ("Inside", "1.xhtml#x"), ("Two", "a%20b.xhtml")]
    )
    pages = {
        "1.xhtml": "<p>First.</p>",
        "more.xhtml": "<p>More.</p>",
        "a b.xhtml": "<p>Second.</p>",
    }
    path = epub(tmp_path / "a.epub", pages, contents=contents)
    text, sections, _ = compose(read_epub(path).elements)
    assert text == "First.\n\nMore.\n\nSecond."
    assert [(mark.start, mark.path) for mark in sections] == [(0, ("One",)), (15, ("Two",))]
