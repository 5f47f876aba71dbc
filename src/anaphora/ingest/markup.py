"""What reStructuredText, wikis and AsciiDoc mark in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphora.ingest.content import ENDS, LONGEST_TITLE, names

WIKI = re.compile(r"(?P<marks>={2,6})\s*(?P<title>[^=\s](?:.*[^=\s])?)\s*(?P=marks)$")
ASCIIDOC = re.compile(r"(?P<marks>={1,6})\s(?P<title>[^=\s].*)$")
ATTRIBUTE = re.compile(r":!?[\w-]+!?:(?=\s|$)|(?:include|image|ifdef|ifndef|endif|toc)::|//(?!/)")
"""How a line of AsciiDoc begins that is not shown: attributes, files, conditions, comments."""
NOT_SHOWN = names(
    "contents currentmodule default-domain default-role highlight image include index "
    "literalinclude meta module moduleauthor raw sectionauthor sectnum tabularcolumns target- "
    "notes toctree"
)
"""Directives of reStructuredText and MyST whose content is not shown."""
_WIKI_PICTURE = re.compile(r"\{\{[^{}\n]*\}\} ?")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_WIKI_MARKS = re.compile(r"(\*\*|'{2,3}|(?<![:/])//)(?=\S)([^\n]+?)(?<=\S)\1")
_ROLE = re.compile(r"(?::[A-Za-z][\w.+-]*)?:[A-Za-z][\w.+-]*:`([^`]+)`")
_NAMED = re.compile(r"`([^`]+)`:[A-Za-z][\w.+-]*(?::[\w.+-]+)*:")  # `text`:role:
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^\n]{0,400}?[^\s*])\*\*(?![\w*])")
_EMPHASIS = re.compile(
    r"(?<![^\s(\"'«“„「（])\*(?=[^\s*])([^*\n]*[^\s*])\*(?=[,.;:!?)\"'»”」）。、，：]*(?:\s|$))"
)
_LITERALS = re.compile(r"(``(?!\s)[^`]+``)")
_REFERENCE = re.compile(r"(?<![\w`])`([^`]+)`__?(?!\w)")
_TARGET = re.compile(r"<[^<>]*>$")


def marks_of_headings(lines: Iterable[str]) -> re.Pattern[str] | None:
    """What headings between or behind signs of equality look like in a text that has some, as in
    a wiki and in AsciiDoc.

    Args:
        lines: those that are not indented.
    """
    for pattern, fewest in ((WIKI, 1), (ASCIIDOC, 2)):
        found = [match for line in lines if (match := pattern.match(line))]
        titles = [match["title"] for match in found if len(match["marks"]) > 1]
        if titles and len(found) >= fewest and all(map(is_heading, titles)):
            return pattern
    return None


def is_heading(title: str) -> bool:
    """Whether the words between such marks are a heading."""
    return len(title) <= LONGEST_TITLE and title[0] not in ENDS and any(map(str.isalpha, title))


def without_marks(text: str) -> str:
    """Text without the inline marks of reStructuredText.

    >>> without_marks("Use :py:func:`open` or `the guide <https://x.org>`_; ``x = 1``.")
    'Use open or the guide; x = 1.'
    >>> without_marks("**Never** delete *this*: ``**kw``, a*b*c, *.txt.")
    'Never delete this: **kw, a*b*c, *.txt.'
    """
    parts = _LITERALS.split(text)
    parts[::2] = map(_without_marks, parts[::2])
    return "".join(part if at % 2 == 0 else part[2:-2] for at, part in enumerate(parts))


def without_target(text: str) -> str:
    """The text of a role without its target.

    >>> without_target("the guide <install-guide>")
    'the guide'
    """
    return _TARGET.sub("", text).strip().lstrip("~!")


def _without_marks(text: str) -> str:
    if "`" in text:
        for pattern in (_ROLE, _NAMED, _REFERENCE):
            text = pattern.sub(lambda match: without_target(match[1]), text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", _BOLD.sub(r"\1", text))
    return text


def without_wiki_marks(text: str) -> str:
    """Text without pictures, and without the marks of links and of bold and other letters.

    >>> without_wiki_marks("See **the** [[Help:Files|files]].")
    'See the files.'
    """
    text = _WIKI_LINK.sub(r"\1", _WIKI_PICTURE.sub("", text))
    return _WIKI_MARKS.sub(r"\2", text)
