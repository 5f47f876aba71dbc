"""HTML and XHTML pages: the main content without the navigation of the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from anaphora.ingest.content import Block, Content, unwrap
from anaphora.ingest.decoding import decode

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_LINE = "\x02"  # a line break inside a paragraph, until the paragraph's white space is folded


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_DROPPED = _names(
    "audio base button canvas datalist embed footer head iframe input label legend link menu meta "
    "nav noembed noframes noscript object option optgroup param picture progress rp rt script "
    "select source style svg template textarea title track video map area -comment -doctype "
    "_comment _doctype frame frameset"
)
_INLINE = _names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark math nobr q ruby s "
    "samp small span strike strong sub sup time tt u var wbr img label rb mi mn mo mrow"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
_CHROME_ROLES = _names(
    "alert alertdialog banner complementary contentinfo dialog directory doc-toc menu menubar "
    "navigation search tablist toolbar tooltip"
)
# Whole names, not parts of names: DocBook calls its boxed text "sidebar", Sphinx its page "body".
_CHROME_NAMES = _names(
    "anchorjs-link backlink banner bottom-nav breadcrumb breadcrumbs cookie-banner docnav "
    "footer-nav global-nav headerlink header-anchor list-of-examples list-of-figures "
    "list-of-tables local-toc mobile-nav mw-editsection nav navbar navfooter navheader navigation "
    "navlinks page-nav page-navigation pager pagination permalink prev-next related "
    "search-form site-footer site-header site-nav skip-link skip-nav skip-to-content "
    "sphinxsidebar table-of-contents toc toctree-wrapper topnav vector-toc"
)
_CHROME_EPUB = frozenset({"toc", "landmarks", "page-list", "pagebreak", "index"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_DECLARED = re.compile(
    rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)"""
    rb"""|\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""",
    re.IGNORECASE,
)
_XHTML = re.compile(rb"\A\s*(?:\xef\xbb\xbf)?<\?xml|<html[^>]*\sxmlns\s*=|DTD XHTML", re.IGNORECASE)
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
# Tags of elements that nest: not those with an implied end tag, nor those without content.
_NESTING = re.compile(
    r"<(/?)(?!(?:p|li|d[td]|t[rdh]|thead|tbody|tfoot|option|br|img|input|hr|meta|link|col|area|base"
    r"|source|wbr|script|style|title|textarea)(?![\w-]))[A-Za-z][^<>]*>"
)
_DEEPEST = 2_000
_FEW_LINKS = 3


def read_html(data: bytes) -> Content:
    """Reads the page's headings and text, and its declared title and language.

    Navigation, page headers and footers, forms, hidden elements, tables of contents and lists of
    links are omitted. If the page has one `<main>` (or else one `<article>`), only that is read.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> page = read_html(b"<title>Guide</title><nav>Home</nav><h1>Disks</h1><p>Use <b>ext4</b>.")
    >>> page.title, [(block.level, block.text) for block in page.blocks]
    ('Guide', [(1, 'Disks'), (0, 'Use ext4.')])
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_source(data))
    root = tree.root
    if root is None or tree.body is None:
        return Content(())
    title_node = tree.css_first("head > title")
    title = unwrap(title_node.text()) if title_node else ""
    attributes = root.attributes
    lang = attributes.get("lang") or attributes.get("xml:lang") or ""
    start = _main(tree.body)
    blocks = _Reader().read(start)
    if start.tag != "body" and not _substantial(blocks):
        blocks = _Reader().read(tree.body)
    return Content(blocks, title, lang)


def _source(data: bytes) -> str:
    match = _DECLARED.search(data[:4096])
    declared = (match[1] or match[2]).decode("ascii") if match else ""
    source = decode(data, declared)
    if _XHTML.search(data[:1024]):
        # HTML parsers ignore the slash of <a id="x"/> and <script/>, and would read everything
        # after it as the element's content.
        source = _CDATA.sub(lambda cdata: _escape(cdata[1]), source)
        source = _SELF_CLOSED.sub(_open_and_close, source)
    if source.count("<") > _DEEPEST and _depth(source) > _DEEPEST:
        # The parsing rules of HTML take time quadratic in the depth. No real page is so deep.
        source = _NESTING.sub("\n", source)
    return source


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


def _main(body: LexborNode) -> LexborNode:
    for selector in ("main, [role=main]", "article"):
        found = body.css(selector)
        if found and all(_holds(found[0], other) for other in found[1:]):
            return found[0]
    return body


def _holds(outer: LexborNode, inner: LexborNode) -> bool:
    node = inner.parent
    while node is not None:
        if node.mem_id == outer.mem_id:
            return True
        node = node.parent
    return False


def _substantial(blocks: list[Block]) -> bool:
    return any(block.text and not block.level for block in blocks)


class _Reader:
    """Collects blocks from the tree, without recursion."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._inline: list[str] = []
        self._lists = 0
        self._fresh_list = False
        self._pre = 0
        self._rows = 0  # tables whose rows become lines
        self._characters = 0
        self._link_characters = 0
        self._inside_link = False

    def read(self, start: LexborNode) -> list[Block]:
        within_main = start.tag != "body"
        parents: list[LexborNode] = []
        marks: dict[int, tuple[int, int, int]] = {}
        node: LexborNode | None = start
        while node is not None:
            tag = node.tag or ""
            child = None
            if tag == "-text":
                self._text(node.text_content or "")
            elif tag not in _DROPPED and not _is_chrome(node, tag, within_main and bool(parents)):
                if tag in _LISTS or tag == "aside":
                    self._flush()
                    marks[len(parents)] = self._mark()
                self._enter(node, tag)
                child = node.first_child
                if child is None:
                    self._leave(node, tag)
                    if tag in _LISTS or tag == "aside":
                        marks.pop(len(parents), None)
            if child is not None:
                parents.append(node)
                node = child
                continue
            following = node.next if parents else None
            while following is None and parents:
                node = parents.pop()
                tag = node.tag or ""
                self._leave(node, tag)
                mark = marks.pop(len(parents), None)
                if mark:
                    self._drop_if_links(mark)
                following = node.next if parents else None
            node = following
        self._flush()
        return self._blocks

    def _enter(self, node: LexborNode, tag: str) -> None:
        if tag == "a":
            href = node.attributes.get("href")
            self._inside_link = bool(href) and not _OUTSIDE.match(href or "")
        elif tag == "br":
            self._inline.append(_LINE)
        elif tag == "q":
            self._inline.append("“")
        elif tag in _INLINE:
            pass
        elif tag in ("td", "th"):
            if self._rows:
                if self._inline and not self._inline[-1].endswith(_LINE):
                    self._inline.append(" | ")
            else:
                self._flush()
        elif tag == "table":
            self._flush()
            if self._rows or not _is_layout(node):
                self._rows += 1
        elif self._rows and tag not in ("tr", "caption", "thead", "tbody", "tfoot"):
            self._inline.append(" ")
        else:
            self._flush()
            if tag in _LISTS:
                self._fresh_list = self._fresh_list or not self._lists
                self._lists += 1
            elif tag == "pre":
                self._pre += 1

    def _leave(self, node: LexborNode, tag: str) -> None:
        if tag == "a":
            self._inside_link = False
        elif tag == "q":
            self._inline.append("”")
        elif tag in _INLINE or (tag in ("td", "th") and self._rows) or tag == "br":
            pass
        elif tag in _HEADINGS and not self._rows:
            self._flush(level=_HEADINGS[tag])
        elif tag == "table":
            self._flush()
            self._rows = max(0, self._rows - 1)
        elif tag == "tr" and self._rows:
            self._flush(row=True)
        elif self._rows and tag not in ("caption", "thead", "tbody", "tfoot"):
            self._inline.append(" ")
        else:
            self._flush()
            if tag in _LISTS:
                self._lists -= 1
            elif tag == "pre":
                self._pre -= 1

    def _text(self, text: str) -> None:
        if text:
            self._inline.append(text)
            if not text.isspace():
                self._characters += len(text)
                if self._inside_link:
                    self._link_characters += len(text)

    def _flush(self, level: int = 0, row: bool = False) -> None:
        if not self._inline:
            return
        raw = "".join(self._inline)
        self._inline.clear()
        if self._pre:
            text = raw.replace(_LINE, "\n").strip("\n")
            if not text.strip():
                return
        else:
            lines = [unwrap(line) for line in raw.split(_LINE)]
            text = "\n".join(line for line in lines if line)
            if not text or text == "|":
                return
        tight = bool(self._lists) or row
        if tight and not row and self._fresh_list:
            self._fresh_list = False
        self._blocks.append(Block(text, level, tight))

    def _mark(self) -> tuple[int, int, int]:
        return len(self._blocks), self._characters, self._link_characters

    def _drop_if_links(self, mark: tuple[int, int, int]) -> None:
        """Removes a list that consists of links within the site."""
        blocks, characters, link_characters = mark
        read = self._characters - characters
        linked = self._link_characters - link_characters
        added = len(self._blocks) - blocks
        if added >= _FEW_LINKS and linked >= 0.85 * read:
            del self._blocks[blocks:]


def _is_chrome(node: LexborNode, tag: str, in_main: bool) -> bool:
    if tag in _INLINE and tag not in ("a", "span"):
        return False
    if tag == "header":
        return not in_main and not node.css_matches("h1")
    if tag == "aside" and not in_main:
        return "footnote" not in (node.attributes.get("epub:type") or "")
    if tag == "form" and not node.css_matches("p, h1, h2, h3, table, article"):
        return True
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if (attributes.get("role") or "") in _CHROME_ROLES:
        return True
    style = attributes.get("style")
    if style and _HIDDEN_STYLE.search(style):
        return True
    for key in ("class", "id"):
        names = attributes.get(key)
        if names and not _CHROME_NAMES.isdisjoint(names.lower().split()):
            return True
    kinds = attributes.get("epub:type")
    return bool(kinds) and not _CHROME_EPUB.isdisjoint((kinds or "").split())


def _is_layout(table: LexborNode) -> bool:
    """Whether a table is used for the layout of the page: its cells contain blocks."""
    role = table.attributes.get("role") or ""
    return (
        role in ("presentation", "none")
        or table.css_first("td table, th table, h1, h2, h3, h4, ul, ol, pre") is not None
    )
