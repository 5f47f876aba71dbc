"""Markdown: CommonMark with tables, strikethrough, front matter, footnotes and admonitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from anaphora.ingest.content import Content, Element, unwrap
from anaphora.ingest.decoding import decode

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
_NOT_SHOWN = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1>|$)", re.I | re.S)
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_INLINE_MARK = re.compile(r"[`*\[<&\\]|~~|(?<!\w)_|_(?!\w)|  \n")
_LINE_BREAK = "\x02"  # within a paragraph, until its white space is normalised
_MAX_DEPTH = 100
"""Nested lists and quotations; the library's parser recurses, and text below this is read as is."""


def read_markdown(data: bytes) -> Content:
    r"""Headings with their level, paragraphs on one line each, code with its own lines.

    The text of links is kept; images, comments, HTML tags and emphasis marks are not.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> page = read_markdown(b"# Disks\n\nUse *ext4* or\n[Btrfs](http://x).")
    >>> [(block.level, block.text) for block in page.elements]
    [(1, 'Disks'), (0, 'Use ext4 or Btrfs.')]
    """
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n")
    front, text = _front_matter(text)
    env: dict[str, Any] = {"footnotes": set()}
    tokens = _block_parser().parse(text, env)
    blocks = list(_blocks(tokens, env))
    return Content(blocks, front.get("title", ""), front.get("lang") or front.get("language", ""))


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
    _push_text(state, line, line + 1, match[2] or match[3] or "")
    if not match[1].startswith(":"):
        after = line + 1
        while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent + 4):
            after += 1
        state.push("list_item_open", "", 1)
        state.blkIndent += 4
        state.md.block.tokenize(state, line + 1, after)
        state.blkIndent -= 4
        state.push("list_item_close", "", -1)
        state.line = after
    return True


def _push_text(state: StateBlock, line: int, end: int, text: str) -> None:
    token = state.push("inline", "", 0)
    token.content = text.strip()
    token.map = [line, end]
    state.line = end


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


def _blocks(tokens: list[Token], env: dict[str, Any]) -> Iterator[Element]:
    items = level = 0  # open list items; level of the open heading
    cells: list[str] | None = None  # of the open table row
    first_row = False
    for token in tokens:
        kind = token.type
        if kind == "inline":
            text = _inline_text(token.content, env)
            if cells is not None:
                cells.append(text.strip())
            elif level:
                yield Element(_HEADING_ANCHOR.sub("", unwrap(text)), level)
            elif items:
                checkbox = _CHECKBOX.match(text)
                yield from _paragraph(text[checkbox.end() :] if checkbox else text, tight=True)
            else:
                footnote = token.map is not None and token.map[0] in env["footnotes"]
                yield from _paragraph(text, tight=footnote)
        elif kind == "heading_open":
            level = int(token.tag[1])
        elif kind == "heading_close":
            level = 0
        elif kind == "list_item_open":
            items += 1
        elif kind == "list_item_close":
            items -= 1
        elif kind == "table_open":
            first_row = True
        elif kind == "tr_open":
            cells = []
        elif kind == "tr_close":
            yield Element(" | ".join(cells or ()).strip(" |"), tight=not first_row)
            cells, first_row = None, False
        elif kind in ("fence", "code_block"):
            yield Element(token.content.strip("\n"))
        elif kind == "html_block":
            for part in _EMPTY_LINES.split(_NOT_SHOWN.sub("", token.content)):
                yield from _paragraph(_inline_text(part, env), tight=items > 0)


def _paragraph(text: str, tight: bool) -> Iterator[Element]:
    lines = [unwrap(line) for line in text.split(_LINE_BREAK)]
    text = "\n".join(line for line in lines if line)
    if text:
        yield Element(text, tight=tight)


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
            parts.append(token.content.strip())
        elif kind == "softbreak":
            parts.append("\n")
        elif kind == "hardbreak":
            parts.append(_LINE_BREAK)
    return "".join(parts)
