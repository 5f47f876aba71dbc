r"""Plain text and reStructuredText, read by their conventions.

Headings, paragraphs, lists and code are found by empty lines, indentation and marks. Directives and
roles of reStructuredText are read for their content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from anaphora.ingest.content import (
    ENDS,
    LONGEST_TITLE,
    MARKER,
    NOTE_NAMES,
    SENTENCE_ENDS,
    Content,
    Element,
    contents_lines,
    names,
    row,
    section_number,
)
from anaphora.ingest.decoding import decode
from anaphora.ingest.markup import (
    ASCIIDOC,
    ATTRIBUTE,
    NOT_SHOWN,
    WIKI,
    is_heading,
    marks_of_headings,
    without_marks,
    without_wiki_marks,
)
from anaphora.ingest.plain_tables import may_begin, read_table
from anaphora.ingest.prose import FEW_SYMBOLS, PLAIN, PLAIN_WORD, symbols
from anaphora.ingest.wrapping import GAP, Line, Wrapping
from anaphora.records import BlockKind

_CODE_INDENT = 4
_LONGEST = 2_000  # lines of a table
_DEEPEST = 40  # nested directives; deeper ones are read as paragraphs

_RULE = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}$")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1+$")
_FENCE = re.compile(r"-{4,}$|\.{4,}$|'{3}$|`{3,}[\w-]*$")
_CLOSERS = ")\"'”’」』"
_HEADER = re.compile(r"\AContent-Type: text/.*\n(?:[\w-]+: .*\n)*")  # of a page of Zim
_LABEL = re.compile(
    r"\.\. _[^:]*:(?=\s|$)|\[\[[^\]]+\]\]$"
    r"|\[(?:verse|quote|source|listing|glossary|horizontal|role=|options=|cols=)[^\]]*\]$"
)
_SUBSTITUTION = re.compile(r"\.\. \|[^|]+\| \w+::")
_SUBSTITUTED = re.compile(r"(?:\|[\w -]+\|\s*)+")
_NOTE_MARK = re.compile(r"\.\. \[(?:#\w*|\d+|\*)\](?=\s|$)\s*")  # of a footnote
_DIRECTIVE = re.compile(r"\.\. ([\w:.+-]+?)::(?=\s|$)\s*(.*)$")
_OPTION = re.compile(r":[\w -]+:(?!`)")

_CODE = names(
    "code code-block console doctest ipython math parsed-literal productionlist prompt "
    "sourcecode testcode"
)
_SIGNATURES = names(
    "attribute class classmethod cmdoption confval data decorator describe directive envvar "
    "exception function macro member method opcode option pdbcommand property role setting "
    "staticmethod struct type var"
)


def read_plain(data: bytes) -> Content:
    r"""Reads headings, paragraphs, lists and code; a wrapped paragraph is on one line.

    The place of an element is its line in the file, such as "L12".

    Raises:
        UnreadableFile: the bytes are not text.

    >>> text = b"Disks\n=====\n\nDo this:\n\n- Attach\n  the disk.\n- Wait.\n"
    >>> [(part.text, part.marker, part.place) for part in read_plain(text).elements]
    [('Disks', '', 'L1'), ('Do this:', '', 'L4'), ('Attach\nthe disk.', '•', 'L6'), ('Wait.', '•', 'L8')]
    """  # noqa: E501
    lines = []
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n")
    text = _HEADER.sub(lambda header: "\n" * header[0].count("\n"), text)
    for number, line in enumerate(text.split("\n"), 1):
        for at, part in enumerate(line.split("\f")):
            if at:
                lines.append(Line(number, 0, ""))
            bare = part.strip()
            indent = part[: len(part) - len(part.lstrip())].expandtabs() if bare else ""
            lines.append(Line(number, len(indent), bare))
    left_out = contents_lines([line.text for line in lines])
    return Content(_Reader([line for at, line in enumerate(lines) if at not in left_out]).read())


class _Reader:
    """Collects elements from the lines. Each rule returns the line after what it has read."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._found: list[Element] = []
        self._lines = lines
        self._wrapping = Wrapping(lines)
        self._marked = marks_of_headings([line.text for line in lines if not line.indent])
        self._items: list[int] = []  # indentation of the open items and terms
        self._note = 0  # how many notes are open
        self._next: BlockKind = "paragraph"
        self._styles: list[str] = []  # of titles, in the order of their levels
        self._indent = 0  # of the last paragraph
        self._announced = ""  # ":" or "::" if the last paragraph announces code
        self._attached = False  # the next paragraph belongs to the open item
        self._directives = 0
        self._fences: dict[str, list[int]] = {}
        self._chapters: set[str] = set()  # numbers of those with numbered sections
        for at, line in enumerate(lines):
            if _FENCE.match(line.text):
                self._fences.setdefault(line.text, []).append(at)
            elif self._alone(at, 0, len(lines)) and (number := _numbered(line)):
                chapter, dot, _ = number.partition(".")
                self._chapters |= {chapter} if dot else set()

    def read(self) -> list[Element]:
        self._read(0, len(self._lines))
        return self._found

    def _read(self, at: int, end: int) -> None:
        rules = (
            self._directive,
            self._table,
            self._heading,
            self._fenced,
            self._code,
            self._item,
            self._term,
        )
        while at < end:
            if not self._lines[at].text:
                at += 1
                continue
            literal = self._announced == "::" and self._lines[at].indent > self._indent
            tried = (self._code, *rules) if literal else rules
            after = next((after for rule in tried if (after := rule(at, end)) > at), at)
            at = after if after > at else self._paragraph(at, end)

    def _directive(self, at: int, end: int) -> int:
        """`.. note:: text` and what is indented below it; or `.. _label:`."""
        line = self._lines[at]
        if line.text == "+":  # what follows continues the item, in AsciiDoc
            self._attached = bool(self._items)
            return at + 1
        if _LABEL.match(line.text) or _SUBSTITUTED.fullmatch(line.text):
            return at + 1
        if self._marked is ASCIIDOC and not line.indent and ATTRIBUTE.match(line.text):
            return at + 1
        if not line.text.startswith(".. "):
            return at
        after = self._below(at + 1, end, line.indent)
        if _SUBSTITUTION.match(line.text):
            return after
        if footnote := _NOTE_MARK.match(line.text):
            return self._footnote(at, after, line.text[footnote.end() :])
        match = _DIRECTIVE.match(line.text)
        if not match or self._directives >= _DEEPEST:
            return at
        name, argument = match[1].rpartition(":")[2], match[2]
        if name in NOT_SHOWN:
            return after
        self._close(line.indent)
        body = at + 1
        while body < after and _OPTION.match(self._lines[body].text):
            body += 1
        if name in _CODE:
            self._add_code(body, after)
            return after
        note = name in NOTE_NAMES
        self._note += note
        if name in _SIGNATURES and argument:
            self._items.append(line.indent)
            self._emit(argument, line.number, "term")
            aligned = line.indent + len(line.text) - len(argument)
            while body < after and self._lines[body].indent == aligned:
                self._emit(self._lines[body].text, self._lines[body].number, "term")
                body += 1
            self._next = "description"
        elif argument:
            first = [Line(line.number, line.indent + len(".. "), argument)]
            while body == at + len(first) and body < after and self._lines[body].text:
                first.append(self._lines[body])
                body += 1
            self._emit(self._wrapping.joined(first), line.number)
        self._directives += 1
        self._read(body, after)
        self._directives -= 1
        self._close(line.indent)
        self._note -= note
        return after

    def _footnote(self, at: int, after: int, text: str) -> int:
        first = self._lines[at]
        own = [Line(first.number, first.indent, text)] if text else []
        body = at + 1
        while body < after and self._lines[body].text:
            indent = self._lines[body].indent
            own = [replace(line, indent=indent) for line in own] if body == at + 1 else own
            own.append(self._lines[body])
            body += 1
        if own:
            self._emit(self._wrapping.joined(own), first.number)
        self._directives += 1
        self._read(body, after)
        self._directives -= 1
        return after

    def _table(self, at: int, end: int) -> int:
        """A table that is drawn."""
        first = self._lines[at]
        if not may_begin(first.text):
            return at
        lines = (
            " " * (line.indent - first.indent) + line.text
            for line in map(self._lines.__getitem__, range(at, min(end, at + _LONGEST)))
        )
        rows, count = read_table(lines)
        if not count:
            return at
        self._close(first.indent)
        header: tuple[str, ...] = ()
        for one in rows:
            text, names = row(one.cells, header)
            header = one.cells if one.header else header
            kind: BlockKind = "header" if one.header else "row"
            place = f"L{first.number + one.line}"
            self._found.append(Element(text, 0, True, kind, len(self._items), "", names, place))
        self._announced = ""
        return at + count

    def _below(self, at: int, end: int, indent: int) -> int:
        """The end of the lines that are indented by more, without the empty lines at their end."""
        after = at
        while at < end and (not self._lines[at].text or self._lines[at].indent > indent):
            at += 1
            if self._lines[at - 1].text:
                after = at
        return after

    def _heading(self, at: int, end: int) -> int:
        """A title above a line of marks or between two; with a number; or as in manual pages. A
        line of marks without a title is left out."""
        lines = self._lines
        line = lines[at]
        marked = self._marked and not line.indent and self._marked.match(line.text)
        if marked and is_heading(marked["title"]):
            return self._title(replace(line, text=marked["title"]), marked["marks"] + " ", at + 1)
        if _RULE.match(line.text):
            titled = at + 2 < end and lines[at + 2].text == line.text
            if titled and _is_title(*lines[at + 1 : at + 3]) and not self._is_fenced_code(at):
                return self._title(lines[at + 1], 2 * line.text[0], at + 3)
            return at if self._fence(at) else at + 1
        if at and lines[at - 1].text and not _RULE.match(lines[at - 1].text):
            return at
        if at + 1 < end and _UNDERLINE.match(lines[at + 1].text):
            if _is_title(line, lines[at + 1]):
                return self._title(line, lines[at + 1].text[0], at + 2)
        elif self._alone(at, 0, end):
            number = _numbered(line)
            if number and number.partition(".")[0] in self._chapters:
                return self._title(line, "1" * len(number.split(".")), at + 1)
        elif self._is_page_heading(line) and at + 1 < end and lines[at + 1].indent:
            return self._title(line, "", at + 1)
        return at

    def _is_page_heading(self, line: Line) -> bool:
        """Whether a line has the form of a heading in a manual page."""
        capital = not line.indent and line.text.isupper() and not MARKER.match(line.text)
        return capital and len(line.text) <= LONGEST_TITLE // 2

    def _alone(self, at: int, start: int, end: int) -> bool:
        before = at == start or not self._lines[at - 1].text
        return before and (at + 1 >= end or not self._lines[at + 1].text)

    def _title(self, line: Line, style: str, after: int) -> int:
        self._close(0)
        if style not in self._styles:
            self._styles.append(style)
        level = self._styles.index(style) + 1
        self._found.append(Element(without_marks(line.text), level, place=f"L{line.number}"))
        self._announced, self._indent, self._next = "", 0, "paragraph"
        return after

    def _is_fenced_code(self, at: int) -> bool:
        """Whether the one line between two lines of marks is code."""
        text = self._lines[at + 1].text
        return bool(_FENCE.match(self._lines[at].text)) and (
            not text[0].isalnum() or text[0].islower() or symbols(text) >= FEW_SYMBOLS
        )

    def _fence(self, at: int) -> int:
        """The line that ends the code which begins with the fence in this line, or 0."""
        opening = self._lines[at]
        if not _FENCE.match(opening.text) or not self._next_text(at):
            return 0
        places = self._fences.get(opening.text.rstrip("abcdefghijklmnopqrstuvwxyz-"), [])
        if opening.text[0] != "`":
            places = self._fences[opening.text]
        found = bisect_right(places, at)
        if found == len(places) or not self._lines[places[found] - 1].text:
            return 0
        prose = self._is_prose(at + 1, places[found])
        return 0 if prose else places[found]

    def _next_text(self, at: int) -> bool:
        return at + 1 < len(self._lines) and bool(self._lines[at + 1].text)

    def _fenced(self, at: int, end: int) -> int:
        after = self._fence(at)
        if not after or after >= end:
            return at
        self._add_code(at + 1, after)
        return after + 1

    def _code(self, at: int, end: int) -> int:
        """What is indented below a paragraph, or a session with an interpreter."""
        line = self._lines[at]
        if line.text.startswith(">>> "):
            after = at
            while after < end and self._lines[after].text:
                after += 1
            self._close(line.indent)
            self._add_code(at, after)
            return after
        deeper = line.indent - self._indent
        if not self._found or deeper < (2 if self._announced else _CODE_INDENT):
            return at
        if self._items and line.indent <= self._items[-1]:
            return at
        after = self._below(at, end, max(self._indent, line.indent - 2))
        if self._announced != "::":
            if MARKER.match(line.text) or self._is_prose(at, after):
                return at
            if not self._announced and symbols(self._first_paragraph(at, after)) < FEW_SYMBOLS:
                return at
        self._add_code(at, after)
        return after

    def _is_prose(self, at: int, end: int) -> bool:
        """Whether the first lines are sentences."""
        text = self._first_paragraph(at, end)
        if not text.rstrip(_CLOSERS).endswith(SENTENCE_ENDS):
            return False
        words = text.split()
        plain = sum(PLAIN_WORD.match(word) is not None for word in words)
        return symbols(text) < FEW_SYMBOLS or plain >= max(5, PLAIN * len(words))

    def _first_paragraph(self, at: int, end: int) -> str:
        after = at
        while after < min(end, at + 20) and self._lines[after].text:
            after += 1
        return " ".join(line.text for line in self._lines[at:after])

    def _item(self, at: int, end: int) -> int:
        line = self._lines[at]
        match = MARKER.match(line.text)
        if not match:
            return at
        self._close(line.indent)
        self._items.append(line.indent)
        marker = (match["number"] or match["east"] or "•").strip()
        return self._paragraph(at, end, marker, match.end())

    def _term(self, at: int, end: int) -> int:
        """A line with its description indented in the lines directly below it."""
        line = self._lines[at]
        if at + 1 >= end or not self._lines[at + 1].text or len(line.text) > LONGEST_TITLE:
            return at
        following = self._lines[at + 1]
        several = line.text.endswith("::") and following.text.endswith("::")
        if following.indent < line.indent + 2 and not (several and following.indent == line.indent):
            return at
        if not line.text.endswith("::"):
            other = line.text.endswith((":", "：")) or GAP.search(line.text)
            if other or self._wrapping.full(line, following):
                return at
            after = self._below(at + 1, end, line.indent)
            if after < end and self._lines[after].text and not self._ends_term(after, end, line):
                return at
        self._close(line.indent)
        self._items.append(line.indent)
        self._emit(line.text.removesuffix("::"), line.number, "term")
        self._next = "description"
        self._indent = following.indent
        return at + 1

    def _ends_term(self, at: int, end: int, term: Line) -> bool:
        """Whether another term, or what is further outside, follows a description directly."""
        if self._lines[at].indent < term.indent:
            return True
        return at + 1 < end and self._lines[at + 1].indent > term.indent

    def _paragraph(self, at: int, end: int, marker: str = "", begin: int = 0) -> int:
        """The lines up to an empty one or to the beginning of something else."""
        lines = self._lines
        first = lines[at]
        if not marker:
            self._close(first.indent)
        indent = first.indent + begin
        after = at + 1
        while after < end and self._continues(lines[after - 1], lines[after], first, bool(marker)):
            after += 1
        parts = [Line(first.number, indent, first.text[begin:]), *lines[at + 1 : after]]
        text = self._wrapping.joined(parts)
        announced = "::" if text.endswith("::") else ":" if text.endswith((":", "：")) else ""
        if announced == "::":
            text = text[:-1] if text[-3:-2].strip() else text[:-2]
        self._emit(text, first.number, "item" if marker else "paragraph", marker)
        self._indent, self._announced = indent, announced
        return after

    def _continues(self, before: Line, line: Line, first: Line, item: bool) -> bool:
        """Whether a line belongs to the paragraph of the line before it."""
        if not line.text or line.text == "+" or line.text.startswith((".. ", ">>> ")):
            return False
        if _RULE.match(line.text) or _FENCE.match(line.text):
            return False
        full = self._wrapping.full(before, line)
        if MARKER.match(line.text) and (self._items or not full or before.text.endswith(ENDS)):
            return False
        if (item and line.indent <= first.indent) or line.indent < first.indent:
            return full
        return not (
            before.text.endswith((":", "：")) and line.indent >= first.indent + 2 and not item
        )

    def _add_code(self, at: int, end: int) -> None:
        lines = self._lines[at:end]
        margin = min((line.indent for line in lines if line.text), default=0)
        text = "\n".join(
            " " * (line.indent - margin) + line.text if line.text else "" for line in lines
        )
        number = next((line.number for line in lines if line.text), 0)
        self._emit(text.strip("\n"), number, "code")
        self._announced = ""

    def _emit(
        self, text: str, number: int, kind: BlockKind = "paragraph", marker: str = ""
    ) -> None:
        if not text.strip():
            return
        if kind == "paragraph":
            kind = "note" if self._note and self._next == "paragraph" else self._next
        self._next = "paragraph"
        depth = len(self._items)
        shown = text if kind == "code" else without_marks(text)
        if self._marked is WIKI and kind != "code":
            shown = without_wiki_marks(shown)
        self._found.append(Element(shown, 0, depth > 0, kind, depth, marker, place=f"L{number}"))

    def _close(self, indent: int) -> None:
        """Ends the items and descriptions that do not contain a line with this indentation."""
        if self._attached:
            self._attached = False
            return
        while self._items and self._items[-1] >= indent:
            self._items.pop()
            self._next = "paragraph"


def _is_title(line: Line, marks: Line) -> bool:
    """Whether a line is a heading above this line of marks, rather than a table's header."""
    text = line.text
    return (
        len(marks.text) + (len(text) < 3) > 2
        and len(marks.text) >= 0.5 * len(text)
        and len(text) <= LONGEST_TITLE
        and marks.indent == 0
        and any(char.isalnum() for char in text)
        and not GAP.search(text)
        and not text.startswith((".. ", "|"))
    )


def _numbered(line: Line) -> str:
    """The number of a line such as "1.2 Title"."""
    return "" if line.indent else section_number(line.text)
