"""Markdown: headings and text, without the marks."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from anaphora.ingest.content import Block, Content, unwrap
from anaphora.ingest.decoding import decode

_FENCE = re.compile(r" {0,3}(?:>\s*)*(`{3,}|~{3,})([^`]*)$")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]]+\]:[ \t]*\S")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\[\]]+\]:[ \t]*")
_ADMONITION = re.compile(r"[ \t]*(?:!!!|\?\?\?\+?|:::+)[ \t]*[\w-]*[ \t]*(?:\"([^\"]*)\"|(.*))$")
_INDENTED = re.compile(r"(?: {4}|\t)")


_DROPPED = re.compile(r"<!--|<(script|style)\b", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TARGET = r"(?:\((?:<[^<>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s[^()]*)?\)|\[[^\[\]]*\])"
_IMAGE = re.compile(r"!\[[^\[\]]*\]" + _TARGET)
_LINK = re.compile(r"\[([^\[\]]*)\]" + _TARGET)
_NOTE_MARK = re.compile(r"\[\^[^\[\]\s]+\]")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]+|[^<>\s@/]+@[^<>\s@]+)>")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
_ANCHOR = re.compile(r"[ \t]*\{[#.:][^{}]*\}[ \t]*$")
_RUN = re.compile(r"\*+|_+|~~")
_KEPT = "\ue000"  # stands for a piece that no later rule may touch (private use, so not in texts)


def read_markdown(data: bytes) -> Content:
    r"""Headings with their level, paragraphs on one line each, code as it stands.

    Links become their text; images, comments, HTML tags and emphasis marks go.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> page = read_markdown(b"# Disks\n\nUse *ext4* or\n[Btrfs](http://x).")
    >>> [(block.level, block.text) for block in page.blocks]
    [(1, 'Disks'), (0, 'Use ext4 or Btrfs.')]
    """
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n").replace(_KEPT, "")
    lines = text.split("\n")
    front, lines = _front_matter(lines)
    return Content(
        list(_blocks(lines)), front.pop("title", ""), front.get("lang") or front.get("language", "")
    )


def _front_matter(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """The simple `key: value` lines of a YAML or TOML head, and the lines after it."""
    fence = lines[0].rstrip()
    if fence not in ("---", "+++"):
        return {}, lines
    ends = ("---", "...") if fence == "---" else ("+++",)
    for end, line in enumerate(lines[1:], 1):
        if line.rstrip() in ends:
            break
        if end > 1_000:
            return {}, lines
    else:
        return {}, lines
    values: dict[str, str] = {}
    for line in lines[1:end]:
        match = re.match(r"(\w+)\s*[:=]\s*(.+)", line)
        if match:
            value = match[2].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            values[match[1].lower()] = value
    return (values, lines[end + 1 :]) if values else ({}, lines)


def _blocks(lines: list[str]) -> Iterator[Block]:
    paragraph: list[str] = []
    tight = False  # whether the paragraph being collected is a list item
    in_list = False
    fence = ""
    code: list[str] = []
    for line in _without_comments(lines):
        if fence:
            closing = line.strip().lstrip("> ")
            if closing.startswith(fence) and not closing.strip(fence[0]):
                if any(part.strip() for part in code):
                    yield Block("\n".join(code).strip("\n"))
                fence = ""
                code = []
            else:
                code.append(line)
            continue
        opening = _FENCE.match(line)
        if opening:
            yield from _paragraph(paragraph, tight)
            fence = opening[1]
            tight = False
            continue
        if not line.strip():
            yield from _paragraph(paragraph, tight)
            tight = False
            continue
        if not paragraph and not in_list and _INDENTED.match(line):
            code_line = line.expandtabs(4)[4:]
            yield Block(code_line.rstrip(), tight=tight)
            tight = True
            continue
        quote = _QUOTE.match(line)
        if quote:
            line = line[quote.end() :]
            if not line.strip():
                yield from _paragraph(paragraph, tight)
                continue
        heading = _ATX.match(line)
        if heading:
            yield from _paragraph(paragraph, tight)
            in_list = tight = False
            yield Block(_ANCHOR.sub("", plain(heading[2] or "")), len(heading[1]))
            continue
        underline = _SETEXT.match(line)
        if underline and paragraph and not tight and "|" not in paragraph[-1]:
            yield Block(
                _ANCHOR.sub("", plain(unwrap("\n".join(paragraph)))),
                1 if underline[1][0] == "=" else 2,
            )
            paragraph.clear()
            in_list = False
            continue
        if _RULE.match(line):
            yield from _paragraph(paragraph, tight)
            tight = False
            continue
        if "|" in line and (_TABLE_RULE.match(line) or _is_row(line)):
            if paragraph and not _is_row(paragraph[-1]) and not _TABLE_RULE.match(line):
                yield from _paragraph(paragraph, tight)
                tight = False
            yield from _paragraph(paragraph, tight)
            if not _TABLE_RULE.match(line):
                yield Block(_row(line), tight=tight)
            tight = True
            continue
        if _DEFINITION.match(line) and not paragraph:
            continue
        admonition = _ADMONITION.match(line)
        if admonition:
            yield from _paragraph(paragraph, tight)
            tight = False
            paragraph.append((admonition[1] or admonition[2] or "").strip())
            yield from _paragraph(paragraph, False)
            in_list = True  # its text is indented and no code
            continue
        item = _ITEM.match(line) or _FOOTNOTE.match(line)
        if item:
            yield from _paragraph(paragraph, tight)
            paragraph.append(line[item.end() :])
            tight = in_list = True
            continue
        if not paragraph:
            in_list = in_list and line[0] in " \t"
            tight = in_list
        hard = line.endswith(("  ", "\\"))
        paragraph.append(line.strip().removesuffix("\\") + ("\x02" if hard else ""))
    if fence:
        yield Block("\n".join(code))
    yield from _paragraph(paragraph, tight)


def _paragraph(lines: list[str], tight: bool) -> Iterator[Block]:
    if lines:
        source = "\n".join(lines)
        lines.clear()
        parts = [unwrap(plain(part)) for part in source.split("\x02")]
        text = "\n".join(part for part in parts if part)
        if text:
            yield Block(text, tight=tight)


def _without_comments(lines: list[str]) -> Iterator[str]:
    """The lines without HTML comments, scripts and styles, which may span lines; not in fences."""
    fence = ""
    until = ""
    for line in lines:
        if until:
            end = line.lower().find(until)
            if end < 0:
                continue
            line = line[end + len(until) :]
            until = ""
        elif fence:
            closing = line.strip().lstrip("> ")
            if closing.startswith(fence) and not closing.strip(fence[0]):
                fence = ""
            yield line
            continue
        else:
            opening = _FENCE.match(line)
            if opening:
                fence = opening[1]
                yield line
                continue
        kept = ""
        while True:
            match = _DROPPED.search(line) if "<" in line else None
            if not match or line.count("`", 0, match.start()) % 2:
                break
            until = f"</{match[1].lower()}>" if match[1] else "-->"
            kept += line[: match.start()]
            end = line.lower().find(until, match.end())
            if end < 0:
                line = ""
                break
            line = line[end + len(until) :]
            until = ""
        if kept or line or not until:
            yield kept + line


def _is_row(line: str) -> bool:
    stripped = line.strip()
    return stripped.startswith("|") and stripped.endswith("|") and len(stripped) > 2


def _row(line: str) -> str:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return " | ".join(plain(cell).strip() for cell in cells).strip(" |")


def plain(source: str) -> str:
    """One paragraph without inline marks.

    >>> plain("**Bold** `a*b*c` [text](url) 2 * 3 snake_case_name &amp; \\\\*")
    'Bold a*b*c text 2 * 3 snake_case_name & *'
    """
    if not any(mark in source for mark in "`*_[<&\\~!"):
        return source
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return f"{_KEPT}{len(kept) - 1}{_KEPT}"

    text = _with_code(source, keep)
    text = _ESCAPED.sub(lambda escaped: keep(escaped[1]), text)
    text = _AUTOLINK.sub(lambda link: keep(link[1]), text)
    text = _IMAGE.sub("", text)
    for _ in range(3):  # a link's text may hold brackets or an image
        text, changed = _LINK.subn(lambda link: link[1], text)
        if not changed:
            break
        text = _IMAGE.sub("", text)
    text = _NOTE_MARK.sub("", text)
    text = _TAG.sub("", text)
    text = _without_emphasis(text)
    text = html.unescape(text)
    if kept:
        text = re.sub(f"{_KEPT}(\\d+){_KEPT}", lambda place: kept[int(place[1])], text)
    return text


def _with_code(source: str, keep: Callable[[str], str]) -> str:
    """Replace code between runs of as many backticks by what `keep` gives for it."""
    runs = [match.span() for match in _TICKS.finditer(source)]
    same: dict[int, list[int]] = {}  # run length to the numbers of its runs, last first
    for number in range(len(runs) - 1, -1, -1):
        same.setdefault(runs[number][1] - runs[number][0], []).append(number)
    pieces = []
    place = number = 0
    while number < len(runs):
        start, end = runs[number]
        later = same[end - start]
        while later and later[-1] <= number:
            later.pop()
        if later and (start == 0 or source[start - 1] != "\\"):
            close = later.pop()
            pieces += [source[place:start], keep(source[end : runs[close][0]].strip())]
            place = runs[close][1]
            number = close
        number += 1
    return "".join([*pieces, source[place:]])


def _without_emphasis(text: str) -> str:
    """Drop the marks of emphasis that come in pairs; those alone are characters of the text."""
    runs: list[list[int]] = []  # start and length of each run that could still be closed
    cuts: list[tuple[int, int]] = []
    for match in _RUN.finditer(text):
        start, end = match.span()
        mark = text[start]
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        opens = not after.isspace()
        closes = not before.isspace()
        if mark == "_":
            opens = opens and not before.isalnum()
            closes = closes and not after.isalnum()
        length = end - start
        if closes:
            while length and runs:
                at = next(
                    (
                        i
                        for i in range(len(runs) - 1, max(-1, len(runs) - 9), -1)
                        if text[runs[i][0]] == mark
                    ),
                    -1,
                )
                if at < 0:
                    break
                del runs[at + 1 :]
                used = min(length, runs[at][1])
                cuts.append((runs[at][0] + runs[at][1] - used, used))
                cuts.append((end - length, used))
                length -= used
                runs[at][1] -= used
                if not runs[at][1]:
                    runs.pop()
        if opens and length:
            runs.append([start if length == end - start else end - length, length])
    if not cuts:
        return text
    pieces = []
    place = 0
    for start, length in sorted(cuts):
        pieces.append(text[place:start])
        place = start + length
    pieces.append(text[place:])
    return "".join(pieces)
