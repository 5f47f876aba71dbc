"""E-books (EPUB 2 and 3)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from anaphora.errors import UnreadableFile
from anaphora.ingest.archive import Archive
from anaphora.ingest.content import Block, Content
from anaphora.ingest.html import read_html
from anaphora.ingest.xml import parse_xml

_CONTAINER = "META-INF/container.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def read_epub(path: Path) -> Content:
    """The pages in the order of the book's spine, each read as an HTML page.

    Raises:
        UnreadableFile: the file is damaged, encrypted, a zip bomb or no EPUB.
    """
    with Archive(path, "EPUB") as archive:
        container = _Container()
        parse_xml(archive.chunks(_CONTAINER), container.start, container.end, container.text)
        if not container.package:
            raise UnreadableFile("is no EPUB file: it names no package")
        if "META-INF/encryption.xml" in archive and "META-INF/rights.xml" in archive:
            raise UnreadableFile("is protected (DRM)")
        package = _Package()
        parse_xml(archive.chunks(container.package), package.start, package.end, package.text)
        folder = posixpath.dirname(container.package)
        blocks = list(_blocks(archive, package, folder))
    return Content(blocks, package.title, package.lang)


def _blocks(archive: Archive, package: _Package, folder: str) -> Iterator[Block]:
    for name in package.pages():
        member = posixpath.normpath(posixpath.join(folder, unquote(name)))
        if member in archive:
            yield from read_html(archive.read(member)).blocks


class _Container:
    def __init__(self) -> None:
        self.package = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rootfile" and not self.package:
            self.package = attributes.get("full-path", "")

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass


class _Package:
    """The OPF file: title, language, and which pages in which order."""

    def __init__(self) -> None:
        self.title = ""
        self.lang = ""
        self._items: dict[str, str] = {}
        self._spine: list[str] = []
        self._field = ""
        self._titled = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "item":
            if (
                attributes.get("media-type") in _PAGES
                and "nav" not in attributes.get("properties", "").split()
            ):
                self._items[attributes.get("id", "")] = attributes.get("href", "")
        elif name == "itemref":
            self._spine.append(attributes.get("idref", ""))
        self._field = name

    def end(self, name: str) -> None:
        self._titled = self._titled or name == "title"
        self._field = ""

    def text(self, text: str) -> None:
        if self._field == "title" and not self._titled:
            self.title += text
        elif self._field == "language" and not self.lang:
            self.lang = text.strip()

    def pages(self) -> list[str]:
        """The pages in reading order, each once; all of them if the spine names none."""
        spine = dict.fromkeys(self._items[item] for item in self._spine if item in self._items)
        return list(spine) or list(self._items.values())
