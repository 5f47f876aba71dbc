"""Word documents (DOCX)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from anaphora.ingest.archive import Archive
from anaphora.ingest.content import Content, Element
from anaphora.ingest.xml import parse_xml

_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_CORE = "docProps/core.xml"
_TITLE_LEVEL = 1
_HEADING_NAMES = {f"heading {level}": level for level in range(1, 10)}
_OFF = frozenset({"0", "false", "off"})


def read_docx(path: Path) -> Content:
    """Reads headings, paragraphs, tables and footnotes.

    Headings are found by their outline level, which does not depend on Word's language. A footnote
    follows the paragraph that refers to it. Deleted and hidden text and tables of contents are
    omitted.

    Raises:
        UnreadableFile: the file is damaged, encrypted, a zip bomb or not a DOCX file.
    """
    with Archive(path, "DOCX") as archive:
        styles = _Styles()
        if _STYLES in archive:
            parse_xml(archive.chunks(_STYLES), styles.start, styles.end, styles.text)
        notes: dict[str, list[str]] = {}
        for member in _NOTES:
            if member in archive:
                body = _Body(styles, {})
                parse_xml(archive.chunks(member), body.start, body.end, body.text)
                notes.update(body.notes)
        core = _Core()
        if _CORE in archive:
            parse_xml(archive.chunks(_CORE), core.start, core.end, core.text)
        body = _Body(styles, notes)
        parse_xml(archive.chunks(_BODY), body.start, body.end, body.text)
    return Content(
        body.blocks,
        core.values.get("title", "").strip() or body.title,
        core.values.get("language", "").strip(),
    )


class _Core:
    """The values of a flat metadata file."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._name = name

    def end(self, name: str) -> None:
        self._name = ""

    def text(self, text: str) -> None:
        if self._name:
            self.values[self._name] = self.values.get(self._name, "") + text


class _Styles:
    """The styles and their heading levels. Built-in styles have English names in every language."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}
        self._parents: dict[str, str] = {}
        self._names: dict[str, str] = {}
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

    def end(self, name: str) -> None:
        if name == "style":
            self._current = ""

    def text(self, text: str) -> None:
        pass

    def level(self, style: str) -> int:
        """The level of a heading style from 1 to 9, or 0 for text."""
        for _ in range(20):  # styles may be based on each other in a cycle
            if style in self._levels:
                level = self._levels[style]
                return level if level <= 9 else 0
            style = self._parents.get(style, "")
            if not style:
                break
        return 0

    def is_title(self, style: str) -> bool:
        return self._names.get(style, style.lower()) == "title"

    def is_list(self, style: str) -> bool:
        return self._names.get(style, "").startswith("list ")

    def is_contents(self, style: str) -> bool:
        name = self._names.get(style, style.lower())
        return name.startswith(("toc ", "toc1", "toc2", "toc3", "table of figures"))


class _Paragraph:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.style = ""
        self.level: int | None = None
        self.listed = False
        self.notes: list[str] = []


class _Body:
    """Collects blocks from the events of document.xml, footnotes.xml or endnotes.xml."""

    def __init__(self, styles: _Styles, notes: Mapping[str, list[str]]) -> None:
        self.blocks: list[Element] = []
        self.title = ""
        self.notes: dict[str, list[str]] = {}
        self._styles = styles
        self._referred = notes
        self._paragraphs: list[_Paragraph] = []  # a text box puts paragraphs inside a paragraph
        self._cells: list[list[str]] = []  # a list for each open row; tables nest
        self._rows: list[int] = []
        self._tables = 0
        self._first_row = False
        self._text = False
        self._hidden = False
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
            self._first_row = self._tables == 1
        elif name == "tr":
            self._cells.append([])
        elif name == "tc" and self._cells:
            self._cells[-1].append("")
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
        elif name == "r":
            self._hidden = False
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
            cells = self._cells.pop()
            row = " | ".join(cell for cell in cells if cell)
            if self._cells and self._cells[-1]:
                self._cells[-1][-1] = f"{self._cells[-1][-1]} {row}".strip()
            elif row:
                self._emit(row, tight=not self._first_row)
                self._first_row = False
        elif name == "tbl":
            self._tables -= 1
        elif name in ("footnote", "endnote"):
            self._note = ""

    def text(self, text: str) -> None:
        if self._text and self._paragraphs and not self._skipping:
            self._paragraphs[-1].parts.append(text)

    def _finish(self, paragraph: _Paragraph) -> None:
        lines = (" ".join(line.split()) for line in "".join(paragraph.parts).split("\n"))
        text = "\n".join(line for line in lines if line)
        if self._styles.is_contents(paragraph.style):
            return
        if self._cells and self._cells[-1]:
            cell = " ".join((text.replace("\n", " "), *paragraph.notes)).strip()
            self._cells[-1][-1] = f"{self._cells[-1][-1]} {cell}".strip()
            return
        level = self._styles.level(paragraph.style) if paragraph.level is None else paragraph.level
        if not self.title and text and self._styles.is_title(paragraph.style):
            self.title = text.replace("\n", " ")
            level = level or _TITLE_LEVEL
        if text:
            listed = paragraph.listed or self._styles.is_list(paragraph.style)
            self._emit(text, level if level <= 9 else 0, tight=listed)
        for note in paragraph.notes:
            self._emit(note, tight=True)

    def _emit(self, text: str, level: int = 0, tight: bool = False) -> None:
        if self._note:
            self.notes.setdefault(self._note, []).append(text)
        else:
            self.blocks.append(Element(text, level, tight))
