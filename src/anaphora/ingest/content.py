"""The content of a file as blocks, and how blocks become a document's text and sections."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from anaphora.records import Section

# Controls other than tab and newline, byte-order marks, soft hyphens, lone surrogates and
# non-characters. None of them is text, and lone surrogates cannot be encoded as UTF-8.
_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\ufeff\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
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
class Block:
    """A paragraph, a list item, a table row or a code block; with a `level` from 1, a heading.

    A `tight` block begins on the line after the block before it, others follow an empty line.
    """

    text: str
    level: int = 0
    tight: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A file's blocks in reading order; `title` and `lang` are empty if the file declares none."""

    blocks: Iterable[Block]
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
        text = unicodedata.normalize("NFC", text)
    return text


def unwrap(text: str) -> str:
    r"""A wrapped paragraph on one line. East Asian lines are joined without a space.

    >>> unwrap("two\n  lines"), unwrap("東京は\n日本")
    ('two lines', '東京は日本')
    """
    if "\n" in text and not text.isascii():
        text = _EAST_ASIAN_BREAK.sub("", text)
    return " ".join(text.split())


def compose(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Returns the document's text, and its sections with their start in the text.

    A heading is only in the section path, because every passage below it is shown and searched with
    this path. A heading with no text below it is in the document's text, so that no words are lost.

    >>> text, sections = compose([Block("Install", 1), Block("Insert it."), Block("Index", 1)])
    >>> text
    'Insert it.\\n\\nIndex'
    >>> sections
    (Section(start=0, path=('Install',)), Section(start=12, path=()))
    """
    composer = _Composer()
    for block in blocks:
        text = clean(block.text)
        if block.level:
            composer.heading(block.level, unwrap(text))
        else:
            composer.block(text.strip(), block.tight)
    composer.close(1)
    return "".join(composer.parts), tuple(composer.sections)


@dataclass(slots=True)
class _Heading:
    level: int
    text: str
    used: bool = False


class _Composer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.sections: list[Section] = []
        self._length = 0
        self._open: list[_Heading] = []
        self._path: tuple[str, ...] = ()

    def heading(self, level: int, text: str) -> None:
        if text:
            self.close(level)
            self._open.append(_Heading(level, text))

    def close(self, level: int) -> None:
        """Ends every section at this level or deeper."""
        while self._open and self._open[-1].level >= level:
            last = self._open.pop()
            if not last.used:
                self.block(last.text, tight=False)

    def block(self, text: str, tight: bool) -> None:
        if not text:
            return
        if self._length:
            self._add("\n" if tight else "\n\n")
        path = tuple(heading.text for heading in self._open)
        if path != self._path:
            self.sections.append(Section(self._length, path))
            self._path = path
        for heading in self._open:
            heading.used = True
        self._add(text)

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)
