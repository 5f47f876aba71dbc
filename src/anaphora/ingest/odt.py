"""Text documents of LibreOffice and others (ODT)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from anaphora.errors import UnreadableFile
from anaphora.ingest.archive import Archive
from anaphora.ingest.content import Content, Element, bold_line, names, with_headings
from anaphora.ingest.office import (
    DEEPEST_LIST,
    FIXED_FONT,
    KINDS,
    Metadata,
    lines,
    numeral,
    table_row,
    whole_number,
    with_code,
    with_items,
)
from anaphora.ingest.xml import parse_xml
from anaphora.records import BlockKind

_CONTENT = "content.xml"
_STYLES = "styles.xml"
_META = "meta.xml"
_MANIFEST = "META-INF/manifest.xml"
_TITLE_LEVEL = 1
_MOST_LEVELS = 9
_MOST_REPEATED = 100  # cells that one element of the file stands for
_SPACES = re.compile(r"[ \t\r\n]+")
_LEFT_OUT = names(
    "alphabetical-index annotation bibliography forms hidden-paragraph hidden-text "
    "illustration-index note-citation object-index ruby-text table-index table-of-content "
    "tracked-changes user-index"
)
_ALTERNATIVES = names("desc title")  # to a picture


def read_odt(path: Path) -> Content:
    """Reads headings, paragraphs, lists, tables, code and footnotes.

    A footnote follows the paragraph that refers to it. In a document without headings, bold lines
    are headings. Deleted and hidden text, comments, indexes and tables of contents are omitted.

    Raises:
        UnreadableFile: the file is damaged, encrypted, a zip bomb or not an ODT file.
    """
    with Archive(path, "ODT") as archive:
        if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
            raise UnreadableFile("is encrypted: save it without its password first")
        styles = _Styles()
        if _STYLES in archive:
            parse_xml(archive.chunks(_STYLES), styles.start, styles.end, styles.text)
        meta = Metadata()
        if _META in archive:
            parse_xml(archive.chunks(_META), meta.start, meta.end, meta.text)
        body = _Body(styles)
        parse_xml(archive.chunks(_CONTENT), body.start, body.end, body.text)
    elements = with_headings(with_items(with_code(body.elements)))
    return Content(elements, meta.value("title") or body.title, meta.value("language"))


Look: TypeAlias = Literal["bold", "fixed", "hidden"]


@dataclass(slots=True)
class _Style:
    parent: str = ""
    names: set[str] = field(default_factory=set)  # in lower case
    level: int = 0  # of the heading
    bold: bool | None = None
    fixed: bool | None = None  # its font is one for code
    hidden: bool | None = None


class _Styles:
    """The styles of paragraphs, text and lists."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, dict[int, Mapping[str, str]]] = {}
        self._open = _Style()
        self._list = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style":
            own = attributes.get("name", "")
            shown = attributes.get("display-name", "")
            self._open = self._styles[own] = _Style(
                attributes.get("parent-style-name", ""),
                {own.replace("_20_", " ").lower(), shown.lower()},
                whole_number(attributes.get("default-outline-level", "")),
            )
        elif name == "text-properties":
            weight, font = attributes.get("font-weight"), attributes.get("font-name")
            self._open.bold = None if weight is None else weight not in ("normal", "400")
            self._open.fixed = None if font is None else bool(FIXED_FONT.search(font))
            self._open.hidden = attributes.get("display") == "none" or None
        elif name == "list-style":
            self._list = attributes.get("name", "")
        elif name.startswith("list-level-style"):
            level = whole_number(attributes.get("level", ""))
            self._lists.setdefault(self._list, {})[level] = attributes

    def end(self, name: str) -> None:
        if name == "style":
            self._open = _Style()

    def text(self, text: str) -> None:
        pass

    def level(self, style: str) -> int:
        return next((one.level for one in self._line(style) if one.level), 0)

    def has(self, look: Look, styles: Sequence[str]) -> bool:
        """Whether text has this look in the last of several styles that decides."""
        looks = (getattr(one, look) for style in reversed(styles) for one in self._line(style))
        return any(next(([value] for value in looks if value is not None), []))

    def kind(self, style: str) -> BlockKind:
        found = (KINDS[name] for one in self._line(style) for name in one.names if name in KINDS)
        return next(found, "paragraph")

    def has_name(self, style: str, name: str) -> bool:
        return any(name in one.names for one in self._line(style))

    def marker(self, style: str, counts: list[int]) -> str:
        """What stands before an item, by the numbers of the items above it and its own."""
        depth = len(counts)
        levels = self._lists.get(style, {})
        own = levels.get(depth, {})
        if not own.get("num-format"):
            return "•"
        shown = max(1, whole_number(own.get("display-levels", "")))
        shapes = [levels.get(at, {}).get("num-format") or "1" for at in range(1, depth + 1)]
        numbers = [numeral(max(1, one), shape) for one, shape in zip(counts, shapes, strict=True)]
        text = ".".join(numbers[-shown:])
        return f"{own.get('num-prefix', '')}{text}{own.get('num-suffix', '')}".strip()

    def first(self, style: str, depth: int) -> int:
        """The number of a list's first item."""
        value = self._lists.get(style, {}).get(depth, {}).get("start-value", "")
        return whole_number(value) if value else 1

    def _line(self, style: str) -> list[_Style]:
        """A style and those that it is derived from, which may be a cycle."""
        line: list[_Style] = []
        while style in self._styles and len(line) < 20:
            line.append(self._styles[style])
            style = line[-1].parent
        return line


@dataclass(slots=True)
class _Paragraph:
    style: str
    level: int
    parts: list[str] = field(default_factory=list)
    plain: bool = False  # a part is not in bold
    prose: bool = False  # a part is not in a font for code
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _List:
    style: str
    count: int  # of the items so far
    marked: bool = True  # the mark of the last item is shown


class _Body:
    """Collects elements from the events of content.xml, whose styles come first."""

    def __init__(self, styles: _Styles) -> None:
        self.elements: list[Element] = []
        self.title = ""
        self._styles = styles
        self._paragraphs: list[_Paragraph] = []  # a frame or a note puts some inside a paragraph
        self._spans: list[str] = []
        self._lists: list[_List] = []
        self._counts: dict[tuple[str, int], int] = {}  # of the last lists, by style and depth
        self._cells: list[list[list[str]]] = []  # texts of cells of open rows; tables nest
        self._repeated = 1  # how often the open cell stands in its row
        self._tables = 0
        self._rows = 0  # of the open table that is in no other
        self._header: tuple[str, ...] = ()
        self._headed = False  # the open row is a header
        self._named = True  # all paragraphs of the open row are in the style of headers
        self._notes = 0
        self._frames = 0
        self._skipping = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipping or name in _LEFT_OUT or (self._frames and name in _ALTERNATIVES):
            self._skipping += 1
            return
        self._styles.start(name, attributes)
        if name in ("p", "h"):
            style = attributes.get("style-name", "")
            level = self._styles.level(style)
            if name == "h":
                level = whole_number(attributes.get("outline-level", "")) or level or 1
            self._paragraphs.append(_Paragraph(style, min(level, _MOST_LEVELS)))
        elif name == "list":
            self._open_list(attributes)
        elif name == "list-item" and self._lists:
            self._lists[-1].count += 1
            self._lists[-1].marked = False
        elif name == "table":
            self._tables += 1
            if self._tables == 1:
                self._rows, self._header = 0, ()
        elif name == "table-header-rows" and self._tables == 1:
            self._headed = True
        elif name == "table-row":
            self._cells.append([])
            self._named = True
        elif name in ("table-cell", "covered-table-cell") and self._cells:
            self._cells[-1].append([])
            count = whole_number(attributes.get("number-columns-repeated", "1"))
            self._repeated = min(count, _MOST_REPEATED)
        elif name == "note-body":
            self._notes += 1
        elif name == "frame":
            self._frames += 1
        elif name == "span":
            self._spans.append(attributes.get("style-name", ""))
        elif name == "s":
            self._add(" " * max(1, whole_number(attributes.get("c", ""))))
        elif name == "tab":
            self._add(" ")
        elif name == "line-break":
            self._add("\n")

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        self._styles.end(name)
        if name in ("p", "h") and self._paragraphs:
            self._finish(self._paragraphs.pop())
        elif name == "list" and self._lists:
            last = self._lists.pop()
            self._counts[last.style, len(self._lists)] = last.count
        elif name == "table-row" and self._cells:
            cells = [" ".join(filter(None, cell)) for cell in self._cells.pop()]
            if self._cells and self._cells[-1]:
                self._cells[-1][-1].append(" | ".join(filter(None, cells)))
            else:
                self._row(cells)
        elif name in ("table-cell", "covered-table-cell") and self._cells and self._cells[-1]:
            self._cells[-1] += [list(self._cells[-1][-1]) for _ in range(self._repeated - 1)]
            self._repeated = 1
        elif name == "table-header-rows":
            self._headed = False
        elif name == "table":
            self._tables -= 1
        elif name == "note-body":
            self._notes -= 1
        elif name == "frame":
            self._frames -= 1
        elif name == "span" and self._spans:
            self._spans.pop()

    def text(self, text: str) -> None:
        if not self._skipping:
            self._add(_SPACES.sub(" ", text))

    def _open_list(self, attributes: Mapping[str, str]) -> None:
        above = self._lists[-1].style if self._lists else ""
        style = attributes.get("style-name", above)
        count = self._styles.first(style, len(self._lists) + 1) - 1
        if attributes.get("continue-numbering") == "true" or "continue-list" in attributes:
            count = self._counts.get((style, len(self._lists)), count)
        self._lists.append(_List(style, count))

    def _add(self, text: str) -> None:
        if not self._paragraphs:
            return
        paragraph = self._paragraphs[-1]
        styles = [paragraph.style, *self._spans]
        if not self._styles.has("hidden", styles):
            paragraph.parts.append(text)
            if text.strip():
                paragraph.plain |= not self._styles.has("bold", styles)
                paragraph.prose |= not self._styles.has("fixed", styles)

    def _finish(self, paragraph: _Paragraph) -> None:
        text = lines("".join(paragraph.parts))
        line = text.replace("\n", " ")
        if self._notes and self._paragraphs:
            self._paragraphs[-1].notes.append(text)
            return
        if self._cells and self._cells[-1]:
            self._cells[-1][-1] += [line, *paragraph.notes]
            self._named &= self._styles.has_name(paragraph.style, "table heading")
            return
        if not self.title and text and self._styles.has_name(paragraph.style, "title"):
            self.title = line
            paragraph.level = paragraph.level or _TITLE_LEVEL
        if text:
            self.elements.append(self._element(text, paragraph))
        for note in filter(None, paragraph.notes):
            self.elements.append(Element(note, tight=True))

    def _element(self, text: str, paragraph: _Paragraph) -> Element:
        if paragraph.level:
            return Element(text, paragraph.level)
        depth = min(len(self._lists), DEEPEST_LIST)
        if self._lists and not self._lists[-1].marked:
            self._lists[-1].marked = True
            counts = [one.count for one in self._lists[:depth]]
            marker = self._styles.marker(self._lists[-1].style, counts)
            return Element(text, 0, True, "item", depth, marker)
        kind = self._styles.kind(paragraph.style) if paragraph.prose else "code"
        if kind == "code":
            text = "".join(paragraph.parts).strip("\n")
        element = Element(text, 0, depth > 0, kind, depth)
        return element if paragraph.plain else bold_line(element)

    def _row(self, cells: list[str]) -> None:
        element = table_row(cells, self._header, not self._rows, self._headed, self._named)
        if element is None:
            return
        if element.kind == "header":
            self._header = tuple(cells)
        self.elements.append(element)
        self._rows += 1
