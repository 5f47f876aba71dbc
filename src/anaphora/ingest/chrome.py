"""What of an HTML page is not its text: navigation, page headers, notices and indexes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anaphora.ingest.content import names

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

INLINE = names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark math nobr q ruby s "
    "samp small span strike strong sub sup time tt u var wbr img label rb mi mn mo mrow"
)
"""Elements that are part of a line."""

_CHROME_ROLES = names(
    "alert alertdialog banner complementary contentinfo dialog directory doc-toc menu menubar "
    "navigation search tablist toolbar tooltip"
)
# Whole names, not parts of names: DocBook calls its boxed text "sidebar", Sphinx its page "body".
_CHROME_NAMES = names(
    "anchorjs-link backlink banner bottom-nav breadcrumb breadcrumbs catlinks cookie-banner "
    "copiable-anchor copiable-link crosslinks docnav footer footer-nav global-nav header-anchor "
    "headerlink lineno linenodiv linenos list-of-examples list-of-figures list-of-tables local-toc "
    "mobile-nav mw-editsection nav nav-panel navbar navfooter navheader navigation navlinks "
    "navpath noprint page-nav page-navigation pager pagination permalink prev-next printfooter "
    "related relatedtopics search-form site-footer site-header site-nav skip-link skip-nav "
    "skip-to-content sphinxsidebar srresult srstatus table-of-contents tableofcontents toc "
    "toctree-wrapper topnav vector-toc"
)
_INDEX_NAMES = names(
    "genindextable index index-cp index-fn index-ky index-pg index-tp index-vr indexdiv indextable"
)
_CHROME_EPUB = frozenset({"toc", "landmarks", "page-list", "pagebreak", "index"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MANY_LINKS = 20
LINKED = 0.85  # of the characters of what is a link or a list of links
_REFERENCES = 0.8  # of the descriptions of an index, which are links
_BUTTONS = re.compile(r"(?:\[[^\[\]]{1,100}\] ?)+")
_LABELS = re.compile(r"\W*(?:[^\W\d_]{2,12}(?: [^\W\d_]{1,12})?:\W*){2,}")
_TOP = re.compile(r"#_*(?:page[_-]?)?top(?:[_-]?of[_-]?page)?", re.IGNORECASE)
_ARROW = re.compile(r"\[ ?(?:<<?|[«‹←⇐])|(?:>>?|[»›→⇒]) ?\]")


def is_chrome(node: LexborNode, tag: str, in_main: bool) -> bool:
    """Whether an element is not part of the page's text; `in_main`: it is in the main content."""
    if tag in INLINE and tag not in ("a", "span"):
        return False
    if tag == "header":
        return not in_main and not node.css_matches("h1")
    if tag == "aside" and not in_main:
        return "footnote" not in (node.attributes.get("epub:type") or "")
    if tag == "a" and _TOP.fullmatch(node.attributes.get("href") or ""):
        return True
    if tag == "form" and not node.css_matches("p, h1, h2, h3, table, article"):
        return True
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes:
        # A script shows one of several variants of a text. One may be named as the default.
        return not (attributes.get("id") or "").startswith("default")
    if attributes.get("aria-hidden") == "true":
        return True
    if (attributes.get("role") or "") in _CHROME_ROLES:
        return True
    style = attributes.get("style")
    if style and _HIDDEN_STYLE.search(style):
        return True
    for key in ("class", "id"):
        found = (attributes.get(key) or "").lower().split()
        if not _CHROME_NAMES.isdisjoint(found):
            return True
        if key == "class" and tag != "body" and not _INDEX_NAMES.isdisjoint(found):
            return len(node.css("a")) >= _MANY_LINKS
        if tag == "div" and "header" in found and not node.css_matches("h1, h2, h3, h4, h5, h6"):
            return node.css_matches("a[rel]")
    kinds = attributes.get("epub:type")
    return bool(kinds) and not _CHROME_EPUB.isdisjoint((kinds or "").split())


def is_index(terms: LexborNode) -> bool:
    """Whether the descriptions of many terms are links, as in an index of DocBook."""
    described = [one for one in terms.css("dd") if not one.css_matches("dl")]
    if len(described) < _MANY_LINKS:
        return False
    alone = sum(
        sum(len(link.text(strip=True)) for link in one.css("a"))
        >= LINKED * len(one.text(strip=True))
        for one in described
    )
    return alone >= _REFERENCES * len(described)


def is_navigation(cells: Sequence[str]) -> bool:
    """Whether the cells of a row are buttons, as Texinfo has them: "[ < Clef ] | [Top][Index]"."""
    filled = [cell for cell in cells if cell]
    buttons = all(map(are_buttons, filled))
    return len(filled) > 1 and buttons and any(_ARROW.search(cell) for cell in filled)


def are_buttons(text: str) -> bool:
    """Whether a text is words in brackets alone: "[next] [prev] [up]"."""
    return _BUTTONS.fullmatch(text) is not None


def are_labels(text: str, links: Sequence[str]) -> bool:
    """Whether a text is links, each behind a word that says where it leads, as LaTeX2HTML has them.

    >>> are_labels("Next: Install Up: Guide Previous: Home", ["Install", "Guide", "Home"])
    True
    """
    for link in links:
        text = text.replace(" ".join(link.split()), "", 1)
    return _LABELS.fullmatch(text) is not None
