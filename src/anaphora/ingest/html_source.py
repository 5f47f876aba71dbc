"""The source of an HTML or XHTML page as text that a parser of HTML reads rightly and fast."""

from __future__ import annotations

import re

from anaphora.ingest.content import names
from anaphora.ingest.decoding import decode

_DECLARED = re.compile(
    rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)"""
    rb"""|\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""",
    re.IGNORECASE,
)
_XHTML = re.compile(rb"\A\s*(?:\xef\xbb\xbf)?<\?xml|<html[^>]*\sxmlns\s*=|DTD XHTML", re.IGNORECASE)
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")
_VOID = names("area base br col embed hr img input link meta param source track wbr")
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
# Tags of elements that nest: not those with an implied end tag, nor those without content.
_NESTING = re.compile(
    r"<(/?)(?!(?:p|li|d[td]|t[rdh]|thead|tbody|tfoot|option|br|img|input|hr|meta|link|col|area|base"
    r"|source|wbr|script|style|title|textarea)(?![\w-]))[A-Za-z][^<>]*>",
    re.IGNORECASE,
)
_DEEPEST = 2_000


def read_source(data: bytes) -> str:
    """The text of a page by its declared encoding. Elements that XHTML closes at once have end
    tags, and pages deeper than any real one have no tags that nest.

    Raises:
        UnreadableFile: the bytes are not text.
    """
    match = _DECLARED.search(data[:4096])
    declared = (match[1] or match[2]).decode("ascii") if match else ""
    source = decode(data, declared)
    if _XHTML.search(data[:1024]):
        # HTML parsers ignore the slash of <a id="x"/> and <script/>, and would read everything
        # after it as the element's content.
        source = _without_cdata(source)
        source = _SELF_CLOSED.sub(_open_and_close, source)
    if source.count("<") > _DEEPEST and _depth(source) > _DEEPEST:
        # The parsing rules of HTML take time quadratic in the depth. No real page is so deep.
        source = _NESTING.sub("\n", source)
    return source


def _without_cdata(source: str) -> str:
    before, *sections = source.split(_CDATA)
    parts = [before]
    for section in sections:
        text, end, after = section.partition(_CDATA_END)
        parts += [_escape(text), after] if end else [_CDATA, section]
    return "".join(parts)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _open_and_close(tag: re.Match[str]) -> str:
    name = tag[1]
    return tag[0] if name.lower() in _VOID else f"<{name}{tag[2]}></{name}>"


def _depth(source: str) -> int:
    """The approximate maximum depth of nested elements."""
    depth = deepest = 0
    for tag in _NESTING.finditer(source):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest
