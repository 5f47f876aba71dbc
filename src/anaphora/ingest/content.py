"""The content of a file as elements, and how they become a document's text and blocks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from anaphora.normal_form import normal_form
from anaphora.records import Block, BlockKind, Section

MAX_COLUMNS = 20
"""The header cells of wider tables are not repeated with every row."""


def names(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


NOTE_NAMES = names(
    "admonition attention caution danger error hint important note notice seealso tip warning"
)
"""What markup languages call a note or a warning."""

MARKER = re.compile(
    r"(?:(?P<bullet>[-*+•‣▪●○◦·–—■□◆◇▶▸►▻➢➤❖✓✔\uf0b7\uf0a7]|o(?= {2,}))(?=\s)"
    r"|(?P<number>\(?(?:\d{1,3}|#|[a-z]|[ivx]{2,5})[.)])(?=\s)"
    r"|(?P<east>[(（]?(?:[０-９]{1,2}|[一二三四五六七八九十]{1,3})[．、）)]|[①-⑳]))\s*(?=\S)"
)
"""What stands before an item of a list in text without markup."""

SENTENCE_ENDS = tuple(".!?。！？।؟…:：")
ENDS = (*SENTENCE_ENDS, *",;，；")
"""How a line ends that is no heading."""
LONGEST_TITLE = 100
_LONGEST_BOLD = 80
_BOLD = 10
"""The level of a bold line that may be a heading. Levels of markup are lower, those of numbers
higher."""

# Controls other than tab and newline, byte-order marks, soft hyphens, lone surrogates and
# non-characters. None of them is text, and lone surrogates cannot be encoded as UTF-8.
_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\ufeff\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+(?=[^\W\d_])")
_LEADER = re.compile(r"(?:[.…·․‥] ?){5,}\s*(\d{1,5}|[ivxlcdm]{1,8})$", re.IGNORECASE)
_FEWEST_CONTENTS = 3
_LONGEST_ENTRY = 300  # characters of a line of a table of contents
_EAST_ASIAN = "\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_EAST_ASIAN_BREAK = re.compile(f"(?<=[{_EAST_ASIAN}])[^\\S\n]*\n\\s*(?=[{_EAST_ASIAN}])")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a record of a file, that was not read.

    Attributes:
        name: what is shown to the user, such as "docs/a.bin" or "notes.jsonl, line 3".
        reason: completes a sentence whose subject is the name, such as "is not text".
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a file's structure with its text: what becomes a block, or with a `level` from 1 a
    heading.

    A `tight` element begins on the line after the one before it, others follow an empty line. The
    other fields are those of `anaphora.records.Block`.
    """

    text: str
    level: int = 0
    tight: bool = False
    kind: BlockKind = "paragraph"
    depth: int = 0
    marker: str = ""
    header: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """A file's elements in reading order; `title` and `lang` are empty if it declares none."""

    elements: Iterable[Element]
    title: str = ""
    lang: str = ""
    metadata: dict[str, str] = field(default_factory=dict)


def clean(text: str) -> str:
    r"""NFC, with "\n" for every line end and without characters that are not text.

    >>> clean("cafe\u0301\r\nau lait\x00")
    'café\nau lait'
    """
    if not text.replace("\n", "").isprintable():
        text = _LINE_ENDS.sub("\n", text)
        text = _NOT_TEXT.sub("", text)
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = normal_form("NFC", text)
    return text


def unwrap(text: str) -> str:
    r"""A wrapped paragraph on one line. East Asian lines are joined without a space.

    >>> unwrap("two\n  lines"), unwrap("東京は\n日本")
    ('two lines', '東京は日本')
    """
    if "\n" in text and not text.isascii():
        text = _EAST_ASIAN_BREAK.sub("", text)
    return " ".join(text.split())


def row(cells: Sequence[str], names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text of a table row, and the header cells of the cells in it.

    Empty cells are left out with their header cells. A row that is not as wide as its header, or
    has more than `MAX_COLUMNS` cells, has no header cells.

    >>> row(["ext4", "", "1 EiB"], ["Name", "Flags", "Size"])
    ('ext4 | 1 EiB', ('Name', 'Size'))
    """
    filled = [at for at, cell in enumerate(cells) if cell]
    text = " | ".join(cells[at] for at in filled)
    if len(names) != len(cells) or len(cells) > MAX_COLUMNS:
        return text, ()
    return text, tuple(names[at] for at in filled)


def section_number(line: str) -> str:
    """The number of a line that may be the heading of a numbered section, or nothing.

    >>> section_number("4.2 Disks"), section_number("4.2 disks are enough.")
    ('4.2', '')
    """
    match = _NUMBERED.match(line)
    return match[1] if match and len(line) <= LONGEST_TITLE and not line.endswith(ENDS) else ""


def contents_lines(lines: Sequence[str]) -> set[int]:
    """Which lines are those of a table of contents, by index: at least three with dots that lead to
    page numbers in ascending order.

    >>> contents_lines(["Contents", "Disks ......... 3", "Users . . . . . . 12", "Keys ...... 20"])
    {1, 2, 3}
    """
    found: set[int] = set()
    run: list[int] = []
    last = -1
    for at, line in enumerate([*lines, "end"]):
        if not line.strip():
            continue
        short = line[-1].isalnum() and len(line) <= _LONGEST_ENTRY
        match = _LEADER.search(line) if short else None
        page = _page_number(match[1]) if match else -1
        if match is None or page < last:
            if len(run) >= _FEWEST_CONTENTS:
                found.update(run)
            run = []
        if match:
            run.append(at)
        last = page
    return found


def _page_number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


class Composed(NamedTuple):
    """A document's text with its sections and blocks."""

    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]


def bold_line(element: Element) -> Element:
    """A paragraph in bold, which may be a heading for `with_headings` if it is a short line."""
    text = element.text
    prose = element.kind == "paragraph" and not element.level and not element.depth
    short = len(text) <= _LONGEST_BOLD and "\n" not in text and not text.endswith(ENDS)
    return replace(element, level=_BOLD) if prose and short else element


def with_headings(elements: Iterable[Element]) -> list[Element]:
    """The elements; paragraphs such as "4.2 Disks" are headings if their numbers ascend. So are
    bold lines in front of other text in a file that has no heading but its title.

    >>> texts = ["4.1 Disks", "Add one.", "4.1.1 Swap", "Set it."]
    >>> [element.level for element in with_headings(map(Element, texts))]
    [12, 0, 13, 0]
    """
    found = list(elements)
    numbers = {
        at: [int(part) for part in number.split(".")]
        for at, element in enumerate(found)
        if element.level in (0, _BOLD) and element.kind == "paragraph" and not element.depth
        if "." in (number := section_number(element.text))
    }
    if len(numbers) > 1 and all(one < other for one, other in pairwise(numbers.values())):
        for at, parts in numbers.items():
            found[at] = replace(found[at], level=_BOLD + len(parts))
    levels = [element.level for element in found if element.level not in (0, _BOLD)]
    titled = len(levels) > 1 or any(level > 1 for level in levels)
    for at, element in enumerate(found):
        if element.level == _BOLD:
            leads = at + 1 < len(found) and not found[at + 1].level
            found[at] = replace(element, level=0 if titled or not leads else _BOLD)
    return found


def compose(elements: Iterable[Element]) -> Composed:
    """The document's text, and where its sections and blocks are in it.

    A heading is only in the section path, because every passage below it is shown and searched with
    this path. A heading with no text below it is in the document's text, so that no words are lost.

    >>> composed = compose([Element("Install", 1), Element("Insert it."), Element("Index", 1)])
    >>> composed.text
    'Insert it.\\n\\nIndex'
    >>> composed.sections
    (Section(start=0, path=('Install',)), Section(start=12, path=()))
    >>> [(block.kind, block.start, block.end) for block in composed.blocks]
    [('paragraph', 0, 10), ('heading', 12, 17)]
    """
    composer = _Composer()
    for element in elements:
        text = clean(element.text)
        if element.level:
            composer.heading(element.level, unwrap(text), element.place)
        else:
            composer.add(element, text.strip())
    composer.close(1)
    return Composed("".join(composer.parts), tuple(composer.sections), tuple(composer.blocks))


@dataclass(slots=True)
class _Heading:
    level: int
    text: str
    place: str
    used: bool = False


class _Composer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.sections: list[Section] = []
        self.blocks: list[Block] = []
        self._length = 0
        self._open: list[_Heading] = []
        self._path: tuple[str, ...] = ()

    def heading(self, level: int, text: str, place: str) -> None:
        if text:
            self.close(level)
            self._open.append(_Heading(level, text, place))

    def close(self, level: int) -> None:
        """Ends every section at this level or deeper."""
        while self._open and self._open[-1].level >= level:
            last = self._open.pop()
            if not last.used:
                self.add(Element(last.text, kind="heading", place=last.place), last.text)

    def add(self, element: Element, text: str) -> None:
        if not text:
            return
        if self._length:
            self._append("\n" if element.tight else "\n\n")
        path = tuple(heading.text for heading in self._open)
        if path != self._path:
            self.sections.append(Section(self._length, path))
            self._path = path
        for heading in self._open:
            heading.used = True
        start = self._length
        self._append(text)
        header = tuple(unwrap(clean(cell)) for cell in element.header)
        self.blocks.append(
            Block(
                element.kind,
                start,
                self._length,
                element.depth,
                element.marker,
                header,
                element.place,
            )
        )

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)
