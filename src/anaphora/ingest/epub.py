"""E-books (EPUB 2 and 3)."""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from anaphora.errors import UnreadableFile
from anaphora.ingest.archive import Archive
from anaphora.ingest.content import Content, Element, unwrap
from anaphora.ingest.html import read_html
from anaphora.ingest.xml import parse_xml

_CONTAINER = "META-INF/container.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def read_epub(path: Path) -> Content:
    """Reads the pages in the order of the book's spine, each as an HTML page.

    A page without a heading becomes a section with its name in the table of contents. A page
    without such a name continues the section before it.

    Raises:
        UnreadableFile: the file is damaged, encrypted, a zip bomb or not an EPUB file.
    """
    with Archive(path, "EPUB") as archive:
        container = _Container()
        parse_xml(archive.chunks(_CONTAINER), container.start, container.end, container.text)
        if not container.package:
            raise UnreadableFile("is not an EPUB file: it names no package")
        if "META-INF/encryption.xml" in archive and "META-INF/rights.xml" in archive:
            raise UnreadableFile("is protected (DRM)")
        package = _Package()
        parse_xml(archive.chunks(container.package), package.start, package.end, package.text)
        elements = list(_elements(archive, package, posixpath.dirname(container.package)))
    return Content(elements, package.title, package.lang)


def _elements(archive: Archive, package: _Package, folder: str) -> Iterator[Element]:
    names = _contents(archive, package, folder)
    for page in package.pages():
        member = _member(folder, page)
        if member not in archive:
            continue
        elements = list(read_html(archive.read(member)).elements)
        if member in names and not any(element.level for element in elements):
            yield Element(names[member], 1)
        yield from elements


def _member(folder: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(reference.partition("#")[0])))


def _contents(archive: Archive, package: _Package, folder: str) -> dict[str, str]:
    """Maps members to their first name in the table of contents (EPUB 3 or 2)."""
    for reference in package.contents:
        member = _member(folder, reference)
        if member not in archive:
            continue
        names = _Names()
        # An EPUB 3 table may use entities of HTML. The book is then read without its table.
        with contextlib.suppress(UnreadableFile):
            parse_xml(archive.chunks(member), names.start, names.end, names.text)
        base = posixpath.dirname(member)
        found = [(_member(base, link), unwrap(name)) for link, name in names.links]
        if found:
            return {page: name for page, name in reversed(found) if name}
    return {}


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


class _Names:
    """Links of a navigation document: `<a href>` in EPUB 3, `<navPoint>` in EPUB 2."""

    def __init__(self) -> None:
        self.links: list[tuple[str, str]] = []
        self._label = ""
        self._href = ""
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("a", "navPoint"):
            self._label = ""
            self._href = attributes.get("href", "")
        elif name == "content":  # comes after the label
            self.links.append((attributes.get("src", ""), self._label))
        self._inside = self._inside or name in ("a", "text")

    def end(self, name: str) -> None:
        if name == "a" and self._href:
            self.links.append((self._href, self._label))
        if name in ("a", "text"):
            self._inside = False

    def text(self, text: str) -> None:
        if self._inside:
            self._label += text


class _Package:
    """The OPF file: title, language, and which pages in which order."""

    def __init__(self) -> None:
        self.title = ""
        self.lang = ""
        self.contents: list[str] = []  # navigation documents, the newer format first
        self._items: dict[str, str] = {}
        self._spine: list[str] = []
        self._field = ""
        self._titled = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "item":
            kind, page = attributes.get("media-type"), attributes.get("href", "")
            if "nav" in attributes.get("properties", "").split():
                self.contents.insert(0, page)
            elif kind in _PAGES:
                self._items[attributes.get("id", "")] = page
            elif kind == "application/x-dtbncx+xml":
                self.contents.append(page)
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
        """The pages in reading order without repetition; all pages if the spine is empty."""
        spine = dict.fromkeys(self._items[item] for item in self._spine if item in self._items)
        return list(spine) or list(self._items.values())
