"""Markdown: CommonMark with tables, strikethrough, front matter, footnotes and admonitions."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from anaphora.ingest.content import (
    NOTE_NAMES,
    Content,
    Element,
    bold_line,
    row,
    unwrap,
    with_headings,
)
from anaphora.ingest.decoding import decode
from anaphora.ingest.markup import NOT_SHOWN, without_target
from anaphora.records import BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n(?P<yaml>(?:.*\n){1,1000}?)(?:---|\.\.\.)"
    r"|\+\+\+[ \t]*\n(?P<toml>(?:.*\n){1,1000}?)\+\+\+)[ \t]*(?:\n|\Z)"
)
_FRONT_VALUE = re.compile(r"^(\w+)\s*[:=][ \t]*(.+)", re.MULTILINE)
_HEADING_ANCHOR = re.compile(r"[ \t]*\{[#.:][^{}]*\}[ \t]*$")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]+\]:[ \t]*")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\[\]\s]+\]")
_ADMONITION = re.compile(r"(!!!|\?\?\?\+?|:::+)[ \t]*[\w-]*[ \t]*(?:\"([^\"]*)\"|(.*))$")
_ATTRIBUTES = re.compile(r"\{[^{}]*\}")
_ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*\{([\w-]+)\}")
_OPTIONS = re.compile(r"\A(?:[ \t]*:[\w-]+:.*\n)+")
_ROLE = re.compile(r"(?<![\w{])\{[a-z][\w:.+-]*\}$")
"""Before the text of a role, in MyST."""
_DESCRIPTION = re.compile(r"[\n\x02][ \t]{0,3}:[ \t]+")
_NOT_SHOWN = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1>|$)", re.I | re.S)
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_INLINE_MARK = re.compile(r"[`*\[<&\\]|~~|(?<!\w)_|_(?!\w)|  \n")
_LINE_BREAK = "\x02"  # within a paragraph, until its white space is normalised
_BOLD = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1).)+(?<=\S)\1")
_MAX_DEPTH = 100
"""Nested lists and quotations; the library's parser recurses, and text below this is read as is."""


def read_markdown(data: bytes) -> Content:
    r"""Headings with their level, paragraphs on one line each, code with its own lines.

    The place of an element is its line in the file, such as "L12".

    Headings may also be known by their numbers or, if there are no others, by bold text. The text
    of links is kept; images, comments, HTML tags and emphasis marks are not.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> page = read_markdown(b"# Disks\n\nUse *ext4* or\n[Btrfs](http://x).")
    >>> [(element.level, element.text) for element in page.elements]
    [(1, 'Disks'), (0, 'Use ext4 or Btrfs.')]
    """
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n")
    front, body = _front_matter(text)
    first_line = 1 + text.count("\n", 0, len(text) - len(body))
    env: dict[str, Any] = {"footnotes": set()}
    tokens = _block_parser().parse(body, env)
    elements = with_headings(_Elements(env, first_line).read(tokens))
    return Content(elements, front.get("title", ""), front.get("lang") or front.get("language", ""))


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """The simple `key: value` lines of a YAML or TOML head, and the text after it."""
    match = _FRONT_MATTER.match(text)
    values: dict[str, str] = {}
    for line in _FRONT_VALUE.finditer((match["yaml"] or match["toml"]) if match else ""):
        value = line[2].strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[line[1].lower()] = value
    return (values, text[match.end() :]) if match and values else ({}, text)


@cache
def _block_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 2 * _MAX_DEPTH + 1}).enable("table")
    parser.disable("inline")  # `_inline_text` does it, for the texts that need it
    rules = parser.block.ruler
    rules.before("table", "too_deep", _too_deep)
    rules.before("reference", "footnote", _footnote, {"alt": ["paragraph", "reference"]})
    rules.before(
        "paragraph", "admonition", _admonition, {"alt": ["paragraph", "reference", "blockquote"]}
    )
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("strikethrough")
    parser.inline.ruler.at("emphasis", _emphasis)
    # No link is followed: its address is neither checked nor normalised.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


def _too_deep(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Block rule: at the greatest depth, the remaining lines are one paragraph."""
    if silent or state.level < 2 * _MAX_DEPTH:
        return False
    _push_text(state, line, end, state.getLines(line, end, state.blkIndent, False))
    return True


def _footnote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Block rule: `[^1]: text`. The rules that follow read the rest of the line."""
    source = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    match = None if state.is_code_block(line) else _FOOTNOTE.match(source)
    if match and not silent:
        state.bMarks[line] += state.tShift[line] + match.end()
        state.tShift[line] = 0
        state.sCount[line] = state.blkIndent
        state.env["footnotes"].add(line)
    return silent and match is not None


def _admonition(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Block rule: `!!! note "Title"` with indented content, or a fence line `:::note Title`."""
    source = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    match = _ADMONITION.match(source)
    if match is None or silent:
        return match is not None
    name, quoted, rest = match[1], match[2], match[3] or ""
    title = (quoted or _ATTRIBUTES.sub("", rest)).strip()
    if name.startswith(":") and not source.strip(": \t"):
        state.push("note_close", "", -1)
        state.line = line + 1
        return True
    state.push("note_open", "", 1)
    _push_text(state, line, line + 1, title).meta["title"] = True
    if not name.startswith(":"):
        after = line + 1
        while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent + 4):
            after += 1
        state.blkIndent += 4
        state.md.block.tokenize(state, line + 1, after)
        state.blkIndent -= 4
        state.push("note_close", "", -1)
        state.line = after
    return True


def _push_text(state: StateBlock, line: int, end: int, text: str) -> Token:
    token = state.push("inline", "", 0)
    token.content = text.strip()
    token.map = [line, end]
    state.line = end
    return token


def _emphasis(state: StateInline, silent: bool) -> bool:
    """Inline rule: emphasis as in CommonMark, and also next to any character beyond ASCII.

    CommonMark keeps the marks of `**「語」**の` in the text, because the last one is between
    punctuation and a letter. Text of scripts without spaces has them there.
    """
    from markdown_it.rules_inline import emphasis

    start = state.pos
    if not emphasis.tokenize(state, silent):
        return False
    before = state.src[start - 1 : start] or " "
    after = state.src[state.pos : state.pos + 1] or " "
    if state.src[start] == "*" and not (before + after).isascii():
        for delimiter in state.delimiters[start - state.pos :]:
            delimiter.open = not after.isspace()
            delimiter.close = not before.isspace()
    return True


class _Elements:
    """Collects elements from the tokens of the block rules."""

    def __init__(self, env: dict[str, Any], first_line: int) -> None:
        self.found: list[Element] = []
        self._env = env
        self._first_line = first_line
        self._level = 0  # of the open heading
        self._lists: list[int] = []  # of each open list the next item's number; 0 for a bullet
        self._marker = ""  # of the open item, until it has an element
        self._wraps: list[BlockKind] = []  # open quotations and notes
        self._quotations: list[int] = []  # how many are open around each quotation
        self._titled = False  # the open note has a title, and no text yet
        self._cells: list[str] | None = None  # of the open table row
        self._header: tuple[str, ...] = ()
        self._rows = 0
        self._row_place = ""

    def read(self, tokens: list[Token]) -> list[Element]:
        for token in tokens:
            kind = token.type
            if kind == "inline":
                self._inline(token)
            elif kind in ("fence", "code_block"):
                self._code(token)
            elif kind == "html_block":
                for part in _EMPTY_LINES.split(_NOT_SHOWN.sub("", token.content)):
                    self._paragraph(_inline_text(part, self._env), self._place(token))
            elif kind.endswith("_open"):
                self._open(token, kind.removesuffix("_open"))
            elif kind.endswith("_close"):
                self._close(token, kind.removesuffix("_close"))
        return self.found

    def _open(self, token: Token, kind: str) -> None:
        if kind == "heading":
            self._level = int(token.tag[1])
        elif kind == "bullet_list":
            self._lists.append(0)
        elif kind == "ordered_list":
            # A list may begin with the number 0, which is the sign of a bullet here.
            self._lists.append(int(token.attrGet("start") or 1))
        elif kind == "list_item":
            self._marker = f"{self._lists[-1]}." if self._lists[-1] else "•"
            self._lists[-1] += self._lists[-1] > 0
        elif kind == "blockquote":
            self._quotations.append(len(self._wraps))
            self._wraps.append("quotation")
        elif kind == "note":
            self._wraps.append("note")
        elif kind == "table":
            self._header, self._rows = (), 0
        elif kind == "tr":
            self._cells = []

    def _close(self, token: Token, kind: str) -> None:
        if kind == "heading":
            self._level = 0
            self._end_notes()
        elif kind in ("bullet_list", "ordered_list"):
            self._lists.pop()
            self._marker = ""
        elif kind == "blockquote":
            del self._wraps[self._quotations.pop() :]
        elif kind == "note":
            self._end_notes(1)
        elif kind == "tr":
            self._row()

    def _end_notes(self, count: int = _MAX_DEPTH) -> None:
        """Ends the innermost notes of the open quotation; those with a fence may have no end."""
        first = self._quotations[-1] + 1 if self._quotations else 0
        del self._wraps[max(first, len(self._wraps) - count) :]
        self._titled = False

    def _inline(self, token: Token) -> None:
        text = _inline_text(token.content, self._env)
        if self._cells is not None:
            self._cells.append(unwrap(text.replace(_LINE_BREAK, " ")))
            self._row_place = self._place(token)
        elif self._level:
            text = _HEADING_ANCHOR.sub("", unwrap(text.replace(_LINE_BREAK, " ")))
            self.found.append(Element(text, self._level, place=self._place(token)))
        else:
            if self._wraps and (alert := _ALERT.match(text)):
                self._wraps[-1] = "note"
                text = text[alert.end() :]
            checkbox = _CHECKBOX.match(text) if self._marker else None
            footnote = token.map is not None and token.map[0] in self._env["footnotes"]
            self._paragraph(
                text[checkbox.end() :] if checkbox else text, self._place(token), footnote
            )
            if _BOLD.fullmatch(token.content) and self.found:
                self.found[-1] = bold_line(self.found[-1])
            self._titled = bool(text.strip()) and "title" in token.meta

    def _paragraph(self, text: str, place: str, footnote: bool = False) -> None:
        term, *descriptions = _DESCRIPTION.split(text)
        if not descriptions or not term.strip():
            self._add(_lines(text), "paragraph", place, tight=footnote)
            return
        self._lists.append(0)
        for line in filter(str.strip, term.replace(_LINE_BREAK, "\n").split("\n")):
            self._add(unwrap(line), "term", place)
        for description in descriptions:
            self._add(_lines(description), "description", place)
        self._lists.pop()

    def _code(self, token: Token) -> None:
        text = token.content.strip("\n")
        named = _DIRECTIVE.match(token.info)
        directive = named[1].lower() if named else ""
        if directive:
            text = _OPTIONS.sub("", text + "\n").strip("\n")
        if not text.strip() or directive in NOT_SHOWN:
            return
        place = self._place(token, inside=token.type == "fence")
        if directive in NOTE_NAMES:
            self._add(_inline_text(text, self._env), "note", place)
        else:
            self._add(text, "code", place)

    def _row(self) -> None:
        cells, self._cells = tuple(self._cells or ()), None
        text, header = row(cells, self._header)
        if not text:
            return
        kind: BlockKind = "row" if self._rows else "header"
        if not self._rows:
            self._header = cells
        tight = self._rows > 0 or bool(self._lists)
        self._rows += 1
        self.found.append(
            Element(text, 0, tight, kind, len(self._lists), "", header, self._row_place)
        )

    def _add(self, text: str, kind: BlockKind, place: str, tight: bool = False) -> None:
        if not text.strip():
            return
        marker = ""
        if kind == "paragraph":
            if self._marker:
                kind, marker = "item", self._marker
            elif self._wraps:
                kind = self._wraps[-1]
        self._marker = ""
        tight = tight or self._titled or bool(self._lists)
        self._titled = False
        self.found.append(Element(text, 0, tight, kind, len(self._lists), marker, (), place))

    def _place(self, token: Token, inside: bool = False) -> str:
        return f"L{self._first_line + token.map[0] + inside}" if token.map else ""


def _lines(text: str) -> str:
    """A paragraph on one line, or on several if it has line breaks."""
    lines = [unwrap(line) for line in text.split(_LINE_BREAK)]
    return "\n".join(line for line in lines if line)


def _inline_text(source: str, env: dict[str, Any]) -> str:
    """A paragraph's text without inline marks; `env` holds the targets of the file's links."""
    if not _INLINE_MARK.search(source):
        return source
    parser = _inline_parser()
    tokens: list[Token] = []
    parser.inline.parse(source, parser, env, tokens)
    parts: list[str] = []
    for token in tokens:
        kind = token.type
        if kind == "text":
            parts.append(_FOOTNOTE_MARK.sub("", token.content))
        elif kind == "text_special":  # a character that was escaped
            parts.append(token.content)
        elif kind == "code_inline":
            shown = token.content.strip()
            if parts and (role := _ROLE.search(parts[-1])):
                parts[-1] = parts[-1][: role.start()]
                shown = without_target(shown)
            parts.append(shown)
        elif kind == "softbreak":
            parts.append("\n")
        elif kind == "hardbreak":
            parts.append(_LINE_BREAK)
    return "".join(parts)
