"""Word documents (DOCX)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from anaphora.ingest.archive import Archive
from anaphora.ingest.content import Content, Element, bold_line, with_headings
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

_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_NUMBERING = "word/numbering.xml"
_CORE = "docProps/core.xml"
_TITLE_LEVEL = 1
_HEADING_NAMES = {f"heading {level}": level for level in range(1, 10)}
_OFF = frozenset({"0", "false", "off"})
_FIRST_ROW = 0x20  # in the flags of a table's look: the first row is formatted as a header
_SHAPES = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}


def read_docx(path: Path) -> Content:
    """Reads headings, paragraphs, lists, tables, code and footnotes.

    Headings are found by their outline level, which does not depend on Word's language, by their
    numbers or, if there are no others, by bold text. A footnote follows the paragraph that refers
    to it. Deleted and hidden text and tables of contents are omitted.

    Raises:
        UnreadableFile: the file is damaged, encrypted, a zip bomb or not a DOCX file.
    """
    with Archive(path, "DOCX") as archive:
        styles = _Styles()
        if _STYLES in archive:
            parse_xml(archive.chunks(_STYLES), styles.start, styles.end, styles.text)
        numbering = _Numbering()
        if _NUMBERING in archive:
            parse_xml(archive.chunks(_NUMBERING), numbering.start, numbering.end, numbering.text)
        notes: dict[str, list[str]] = {}
        for member in _NOTES:
            if member in archive:
                body = _Body(styles, numbering, {})
                parse_xml(archive.chunks(member), body.start, body.end, body.text)
                notes.update(body.notes)
        core = Metadata()
        if _CORE in archive:
            parse_xml(archive.chunks(_CORE), core.start, core.end, core.text)
        body = _Body(styles, numbering, notes)
        parse_xml(archive.chunks(_BODY), body.start, body.end, body.text)
    return Content(
        with_headings(with_items(with_code(body.elements))),
        core.value("title") or body.title,
        core.value("language"),
    )


class _Numbering:
    """The marks of lists, and the numbers of their next items."""

    def __init__(self) -> None:
        self._levels: dict[tuple[str, int], dict[str, str]] = {}  # by abstract list and level
        self._abstract: dict[str, str] = {}  # of each list
        self._counts: dict[str, list[int]] = {}
        self._open = ""  # the abstract list or list being read
        self._level = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "abstractNum":
            self._open = attributes.get("abstractNumId", "")
        elif name == "num":
            self._open = attributes.get("numId", "")
        elif name == "abstractNumId":
            self._abstract[self._open] = attributes.get("val", "")
        elif name == "lvl":
            self._level = whole_number(attributes.get("ilvl", ""))
        elif name in ("start", "numFmt", "lvlText"):
            level = self._levels.setdefault((self._open, self._level), {})
            level.setdefault(name, attributes.get("val", ""))

    def end(self, name: str) -> None:
        pass

    def text(self, text: str) -> None:
        pass

    def marker(self, list_number: str, depth: int) -> str:
        """What stands before the next item of a list, at this depth from 0."""
        abstract = self._abstract.get(list_number, "")
        levels = [self._levels.get((abstract, at), {}) for at in range(depth + 1)]
        counts = self._counts.setdefault(abstract, [])
        while len(counts) <= depth:
            counts.append(whole_number(levels[len(counts)].get("start", "1")) - 1)
        del counts[depth + 1 :]
        counts[depth] += 1
        shape = levels[depth].get("lvlText", "")
        if levels[depth].get("numFmt", "bullet") == "bullet" or "%" not in shape:
            return "•"
        for at, level in enumerate(levels):
            number = numeral(max(counts[at], 1), _SHAPES.get(level.get("numFmt", ""), "1"))
            shape = shape.replace(f"%{at + 1}", number)
        return shape.strip() or "•"


class _Styles:
    """The styles and their heading levels. Built-in styles have English names in every language."""

    def __init__(self) -> None:
        self._lists: dict[str, tuple[str, int]] = {}
        self._levels: dict[str, int] = {}
        self._parents: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._fixed: dict[str, bool] = {}
        self._current = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        if name == "style":
            self._current = attributes.get("styleId", "")
        elif not self._current:
            return
        elif name == "name":
            self._names[self._current] = value.lower()
            level = _HEADING_NAMES.get(value.lower())
            if level:
                self._levels.setdefault(self._current, level)
        elif name == "basedOn":
            self._parents[self._current] = value
        elif name == "outlineLvl" and value.isdecimal():
            self._levels[self._current] = int(value) + 1
        elif name == "rFonts":
            self._fixed[self._current] = _is_fixed(attributes)
        elif name in ("numId", "ilvl"):
            number, depth = self._lists.get(self._current, ("", 0))
            found = (value, depth) if name == "numId" else (number, whole_number(value))
            self._lists[self._current] = found

    def end(self, name: str) -> None:
        if name == "style":
            self._current = ""

    def text(self, text: str) -> None:
        pass

    def level(self, style: str) -> int:
        """The level of a heading style from 1 to 9, or 0 for text."""
        level = next((self._levels[name] for name in self._line(style) if name in self._levels), 0)
        return level if level <= 9 else 0

    def kind(self, style: str) -> BlockKind:
        """The kind of a paragraph in this style."""
        names = (self._names.get(name, name.lower()) for name in self._line(style))
        return next((KINDS[name] for name in names if name in KINDS), "paragraph")

    def fixed(self, style: str) -> bool:
        """Whether the font of a style is one for code."""
        return next((self._fixed[name] for name in self._line(style) if name in self._fixed), False)

    def numbered(self, style: str) -> tuple[str, int]:
        """The list of a style, or "", and the depth in it from 0."""
        for name in self._line(style):
            if name in self._lists:
                return self._lists[name]
        return "", 0

    def _line(self, style: str) -> list[str]:
        """A style and those it is based on, which may be a cycle."""
        line = [style] if style else []
        while len(line) < 20 and line and line[-1] in self._parents:
            line.append(self._parents[line[-1]])
        return line

    def is_title(self, style: str) -> bool:
        return self._names.get(style, style.lower()) == "title"

    def is_list(self, style: str) -> bool:
        return self._names.get(style, "").startswith(("list bullet", "list number"))

    def is_contents(self, style: str) -> bool:
        name = self._names.get(style, style.lower())
        return name.startswith(("toc ", "toc1", "toc2", "toc3", "table of figures"))


class _Paragraph:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.plain = False  # a part is not in bold
        self.prose = False  # a part is not in a font for code
        self.style = ""
        self.level: int | None = None
        self.listed = False
        self.number = ""  # of its list
        self.depth: int | None = None  # in its list, from 0
        self.notes: list[str] = []


class _Body:
    """Collects elements from the events of document.xml, footnotes.xml or endnotes.xml."""

    def __init__(
        self, styles: _Styles, numbering: _Numbering, notes: Mapping[str, list[str]]
    ) -> None:
        self.elements: list[Element] = []
        self.title = ""
        self.notes: dict[str, list[str]] = {}
        self._styles = styles
        self._numbering = numbering
        self._referred = notes
        self._paragraphs: list[_Paragraph] = []  # a text box puts paragraphs inside a paragraph
        self._cells: list[list[list[str]]] = []  # texts of cells of open rows; tables nest
        self._tables = 0
        self._rows = 0  # of the open table that is in no other
        self._header: tuple[str, ...] = ()
        self._headed = False  # the first row has the look of a header
        self._repeated = False  # the open row is a header
        self._text = False
        self._hidden = False
        self._bold = False
        self._fixed = False
        self._skipping = 0
        self._note = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipping or name == "Fallback":
            self._skipping += 1
            return
        value = attributes.get("val", "")
        paragraph = self._paragraphs[-1] if self._paragraphs else None
        if name == "p":
            self._paragraphs.append(_Paragraph())
        elif name == "tbl":
            self._tables += 1
            if self._tables == 1:
                self._rows, self._header, self._headed = 0, (), False
        elif name == "tblLook" and self._tables == 1:
            first = attributes.get("firstRow", "")
            self._headed = first not in _OFF if first else _has_first_row(value)
        elif name == "tr":
            self._cells.append([])
            self._repeated = self._repeated and len(self._cells) > 1
        elif name == "tblHeader" and len(self._cells) == 1:
            self._repeated = value not in _OFF
        elif name == "tc" and self._cells:
            self._cells[-1].append([])
        elif name in ("footnote", "endnote"):
            special = attributes.get("type", "normal") != "normal"
            self._note = "" if special else name + attributes.get("id", "")
        elif paragraph is None:
            return
        elif name == "pStyle":
            paragraph.style = value
        elif name == "outlineLvl" and value.isdecimal():
            paragraph.level = int(value) + 1
        elif name == "numPr":
            paragraph.listed = True
        elif name == "numId":
            paragraph.number = value
            paragraph.listed = value != "0"
        elif name == "ilvl":
            paragraph.depth = whole_number(value)
        elif name == "r":
            self._hidden = self._bold = False
            self._fixed = self._styles.fixed(paragraph.style)
        elif name == "rStyle":
            self._fixed = self._fixed or self._styles.fixed(value)
        elif name == "rFonts":
            self._fixed = _is_fixed(attributes)
        elif name == "b":
            self._bold = value not in _OFF
        elif name == "vanish":
            self._hidden = value not in _OFF
        elif name == "t":
            self._text = not self._hidden
        elif name in ("tab", "ptab") and "pos" not in attributes:
            paragraph.parts.append(" ")
        elif name in ("br", "cr"):
            paragraph.parts.append("\n")
        elif name == "noBreakHyphen":
            paragraph.parts.append("-")
        elif name in ("footnoteReference", "endnoteReference"):
            kind = name.removesuffix("Reference")
            paragraph.notes += self._referred.get(kind + attributes.get("id", ""), [])

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        elif name == "t":
            self._text = False
        elif name == "p" and self._paragraphs:
            self._finish(self._paragraphs.pop())
        elif name == "tr" and self._cells:
            cells = [" ".join(filter(None, cell)) for cell in self._cells.pop()]
            if self._cells and self._cells[-1]:
                self._cells[-1][-1].append(" | ".join(filter(None, cells)))
            else:
                self._row(cells)
        elif name == "tbl":
            self._tables -= 1
        elif name in ("footnote", "endnote"):
            self._note = ""

    def text(self, text: str) -> None:
        if self._text and self._paragraphs and not self._skipping:
            self._paragraphs[-1].parts.append(text)
            if text.strip():
                self._paragraphs[-1].plain |= not self._bold
                self._paragraphs[-1].prose |= not self._fixed

    def _finish(self, paragraph: _Paragraph) -> None:
        text = lines("".join(paragraph.parts))
        if self._styles.is_contents(paragraph.style):
            return
        if self._cells and self._cells[-1]:
            self._cells[-1][-1] += [text.replace("\n", " "), *paragraph.notes]
            return
        level = self._styles.level(paragraph.style) if paragraph.level is None else paragraph.level
        if not self.title and text and self._styles.is_title(paragraph.style):
            self.title = text.replace("\n", " ")
            level = level or _TITLE_LEVEL
        level = level if level <= 9 else 0
        if text and level:
            self._emit(Element(text, level))
        elif text:
            self._emit(self._element(text, paragraph))
        for note in paragraph.notes:
            self._emit(Element(note, tight=True))

    def _element(self, text: str, paragraph: _Paragraph) -> Element:
        number, depth = self._styles.numbered(paragraph.style)
        number = paragraph.number or number
        depth = depth if paragraph.depth is None else paragraph.depth
        named = self._styles.is_list(paragraph.style) and not paragraph.number
        if paragraph.listed or named or (number and number != "0"):
            depth = min(depth, DEEPEST_LIST - 1)
            marker = self._numbering.marker(number, depth)
            return Element(text, 0, True, "item", depth + 1, marker)
        kind = self._styles.kind(paragraph.style) if paragraph.prose else "code"
        if kind == "code":
            text = "".join(paragraph.parts).strip("\n")
        element = Element(text, kind=kind)
        return element if paragraph.plain else bold_line(element)

    def _row(self, cells: list[str]) -> None:
        element = table_row(cells, self._header, not self._rows, self._repeated, self._headed)
        if element is None:
            return
        if element.kind == "header":
            self._header = tuple(cells)
        self._emit(element)
        self._rows += 1

    def _emit(self, element: Element) -> None:
        if self._note:
            self.notes.setdefault(self._note, []).append(element.text)
        else:
            self.elements.append(element)


def _is_fixed(fonts: Mapping[str, str]) -> bool:
    """Whether the fonts of some text are for code."""
    return bool(FIXED_FONT.search(fonts.get("ascii", "")))


def _has_first_row(flags: str) -> bool:
    try:
        return bool(int(flags, 16) & _FIRST_ROW)
    except ValueError:
        return False
