"""HTML and SVG as values: what comes from data is escaped, what was built here is not."""

from __future__ import annotations

import re
from html import escape

_SURROGATE = re.compile("[\ud800-\udfff]")


class Markup(str):
    """Text that already is HTML."""

    __slots__ = ()


Content = str | int | float | None

_VOID = frozenset({"meta", "input", "br", "rect", "line", "circle", "polygon", "polyline", "path"})


def element(tag: str, *content: Content, **attributes: Content | bool) -> Markup:
    """An element. Content that is no Markup is escaped; None is left out.

    In attribute names "_" stands for "-", and one at the end keeps Python's own words apart; an
    attribute that is None or False is left out, one that is True has no value.

    >>> element("td", "a < b", class_="number", data_of=3)
    '<td class="number" data-of="3">a &lt; b</td>'
    """
    named = "".join(
        f" {_name(name)}" if value is True else f' {_name(name)}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _VOID and not content:
        return Markup(f"<{tag}{named}/>")
    return Markup(f"<{tag}{named}>{join(*content)}</{tag}>")


def join(*content: Content) -> Markup:
    """Several pieces of content as one."""
    return Markup(
        "".join(
            part if isinstance(part, Markup) else escape(str(part))
            for part in content
            if part is not None
        )
    )


def from_data(tag: str, text: str, lang: str | None = None, **attributes: Content | bool) -> Markup:
    """An element around text from the data, whose direction its own letters decide."""
    known = lang if lang and lang != "unknown" else None
    return element(tag, text, dir="auto", lang=known, **attributes)


def encodable(text: str) -> str:
    """The text without lone surrogates, which JSON can name and UTF-8 cannot hold."""
    return _SURROGATE.sub("\ufffd", text)


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
