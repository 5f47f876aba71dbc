"""HTML and XHTML pages: the main content without the navigation of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from anaphora.ingest.chrome import (
    INLINE,
    LINKED,
    is_chrome,
    is_index,
    is_navigation,
)
from anaphora.ingest.content import (
    NOTE_NAMES,
    Content,
    Element,
    names,
    row,
    unwrap,
    with_headings,
)
from anaphora.ingest.html_contents import FEW_LINKS, PageElements
from anaphora.ingest.html_source import read_source
from anaphora.ingest.html_tables import first_of_several, is_layout, is_listing
from anaphora.ingest.plain import read_plain
from anaphora.ingest.prose import is_prose
from anaphora.records import BlockKind

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_LINE = "\x02"  # a line break inside a paragraph, until the paragraph's white space is folded
_CODE_LINE = "\x03"  # where a line of code begins that is an element
_CODE_LINES = re.compile(r"\n?\x03\n?")


_DROPPED = names(
    "audio base button canvas datalist embed footer head iframe input label legend link menu meta "
    "nav noembed noframes noscript object option optgroup param picture progress rp rt script "
    "select source style svg template textarea title track video map area -comment -doctype "
    "_comment _doctype frame frameset"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
_CAPTION_NAMES = names("caption title")
_TITLE_NAMES = names("admonition-title caption title")
_CODE_NAMES = names("code codeblock literal-block programlisting screen sourcecode verbatim")
_OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_MOSTLY = 3  # times the text of a page's headings: the rest is navigation, if it has no other text
_LONGEST_CODE, _MOST, _FEWEST_HEADINGS = 1_000, 0.8, 2
_SHORTEST_PROSE = 200
_PROSE = 0.5
_LONGEST_REDIRECT = 200  # characters
_LINE_AT_BORDER = re.compile(r"\n *\|(?= |$|\n)\n? *| ?\| ?\n")
_CELL_BORDER = re.compile(r"(?:^| )\|(?= |$)")
_BRACKETS = re.compile(r"[\s()\[\]{}<>«»‹›|^↑▲⇑.·•–—-]+")


def read_html(data: bytes) -> Content:
    """Reads the page's headings and text, and its declared title and language.

    Navigation, page headers and footers, forms, hidden elements, tables of contents and lists of
    links are omitted. If the page has one `<main>` (or else one `<article>`), only that is read.
    Headings without markup are known by their numbers or, if the page has no others, by bold text.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> page = read_html(b"<title>Guide</title><nav>Home</nav><h1>Disks</h1><p>Use <b>ext4</b>.")
    >>> page.title, [(element.level, element.text) for element in page.elements]
    ('Guide', [(1, 'Disks'), (0, 'Use ext4.')])
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(read_source(data))
    root = tree.root
    if root is None or tree.body is None:
        return Content(())
    title_node = tree.css_first("head > title")
    title = unwrap(title_node.text()) if title_node else ""
    attributes = root.attributes
    lang = attributes.get("lang") or attributes.get("xml:lang") or ""
    start = _main(tree.body)
    elements = _Reader().read(start)
    if start.tag != "body" and not elements and not start.text(strip=True):
        elements = _Reader().read(tree.body)
    elements = with_headings(_without_pre(elements))
    if _leads_elsewhere(tree) and sum(len(one.text) for one in elements) < _LONGEST_REDIRECT:
        return Content((), title, lang)
    if all(element.level for element in elements):
        headings = sum(len(element.text) for element in elements)
        if len(start.text(strip=True)) > _MOSTLY * headings:
            return Content((), title, lang)
    return Content(elements, title, lang)


def _leads_elsewhere(tree: LexborHTMLParser) -> bool:
    """Whether a browser leaves the page for another one."""
    refresh = tree.css_first("head > meta[http-equiv=refresh i]")
    return refresh is not None and "url=" in (refresh.attributes.get("content") or "").lower()


def _without_pre(elements: list[Element]) -> Iterator[Element]:
    """The elements of a page; prose in `<pre>` as its paragraphs and lists. It has sections if the
    page is little else, as manual pages are."""
    every = sum(len(one.text) for one in elements)
    for element in elements:
        text = element.text
        if element.kind != "code" or len(text) < _SHORTEST_PROSE:
            yield element
            continue
        read = list(read_plain(text.encode()).elements)
        sections = sum(one.level > 0 for one in read)
        prose = sum(len(one.text) for one in read if is_prose(one.text))
        whole = len(text) >= max(_LONGEST_CODE, _MOST * every) and (
            sections >= _FEWEST_HEADINGS or prose >= _PROSE * len(text)
        )
        if not whole and not is_prose(text):
            yield element
            continue
        for one in read:
            level = one.level if whole else 0
            depth = element.depth + one.depth
            yield replace(one, level=level, depth=depth, tight=depth > 0, place=element.place)


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


@dataclass(slots=True)
class _List:
    """An open list. `number` is that of the next item, and 0 if the items have no numbers."""

    number: int = 0


@dataclass(slots=True)
class _Table:
    """An open table whose rows become lines, and what is known of its open row."""

    header: tuple[str, ...] = ()
    head: bool = False
    headings: int = 0
    values: int = 0
    rows: int = 0


class _Reader:
    """Collects elements from the tree, without recursion."""

    def __init__(self) -> None:
        self._elements = PageElements()
        self._inline: list[str] = []
        self._lists: list[_List] = []
        self._tables: list[_Table] = []
        self._listings: list[bool] = []  # for each table of the layout, whether it lists terms
        self._kinds: list[BlockKind] = []  # of the open notes, quotations, captions, terms
        self._owners: list[int] = []  # the elements that opened them
        self._next: tuple[BlockKind, str] | None = None  # kind and marker of a list's next element
        self._title = ""  # of the open note, until it has text
        self._described = 0  # the open quotation that is the description of a term
        self._links: list[str] = []  # texts of links within the site, of the open element
        self._before = (0, 0)  # characters and those in bold, before the open element
        self._pre = 0
        self._place = ""
        self._characters = 0
        self._link_characters = 0
        self._inside_link = False
        self._bold = 0  # open elements
        self._bold_characters = 0

    def read(self, start: LexborNode) -> list[Element]:
        within_main = start.tag != "body"
        parents: list[LexborNode] = []
        marks: dict[int, tuple[int, int, int]] = {}
        node: LexborNode | None = start
        while node is not None:
            tag = node.tag or ""
            child = None
            if tag == "-text":
                self._text(node.text_content or "")
            elif (
                tag not in _DROPPED
                and not is_chrome(node, tag, within_main and bool(parents))
                and not (tag == "dl" and not self._lists and is_index(node))
            ):
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
        self._end_title()
        return self._elements.finished()

    def _enter(self, node: LexborNode, tag: str) -> None:
        if tag == "a":
            href = node.attributes.get("href")
            self._inside_link = bool(href) and not _OUTSIDE.match(href or "")
        elif tag == "br":
            self._inline.append(_LINE)
        elif tag == "q":
            self._inline.append("“")
        elif tag in INLINE:
            self._bold += tag in ("b", "strong")
        elif tag in ("td", "th"):
            if self._tables:
                self._tables[-1].headings += tag == "th"
                self._tables[-1].values += tag == "td"
                if self._tables[-1].headings + self._tables[-1].values > 1:
                    self._inline.append(" | ")
            else:
                self._flush()
                if self._listings and self._listings[-1]:
                    first = first_of_several(node)
                    if first:
                        self._begin_kind(node, "term")
                    elif first is not None:
                        self._next = "description", ""
        elif tag == "table":
            self._flush()
            if self._tables or not is_layout(node, in_note="note" in self._kinds):
                self._tables.append(_Table())
            else:
                self._listings.append(is_listing(node))
                if self._listings[-1]:
                    self._lists.append(_List())
        elif self._tables and tag not in ("tr", "caption", "thead", "tbody", "tfoot"):
            self._inline.append(" ")
        elif self._pre and _is_code_line(node, tag):
            self._inline.append(_CODE_LINE)
        else:
            self._flush()
            self._open(node, tag)
        if not self._inline or tag == "a":
            place = node.attributes.get("id") or (tag == "a" and node.attributes.get("name"))
            self._place = place or self._place

    def _open(self, node: LexborNode, tag: str) -> None:
        """A block element begins outside of a table."""
        if tag in _LISTS:
            start = node.attributes.get("start") or ""
            number = int(start) if start.isdecimal() and len(start) < 6 else 1
            self._lists.append(_List(number if tag == "ol" else 0))
        elif tag == "li":
            marker = "•"
            if self._lists and self._lists[-1].number:
                marker = f"{self._lists[-1].number}."
                self._lists[-1].number += 1
            self._next = "item", marker
        elif tag == "dt":
            self._next = "term", ""
        elif tag == "dd":
            self._next = "description", ""
        elif _is_code(node, tag):
            self._pre += 1
        elif tag in ("tr", "thead", "tbody", "tfoot"):
            if self._tables:
                table = self._tables[-1]
                table.head = tag == "thead" or (tag == "tr" and table.head)
                table.headings = table.values = 0
        elif (
            tag == "blockquote" and not (self._kinds or self._lists) and self._elements.make_term()
        ):
            # How Docutils writes an indented description below a line.
            self._described = node.mem_id
            self._lists.append(_List())
            self._next = "description", ""
        elif kind := _wrapping(node, tag):
            self._begin_kind(node, kind)

    def _begin_kind(self, node: LexborNode, kind: BlockKind) -> None:
        self._kinds.append(kind)
        self._owners.append(node.mem_id)

    def _leave(self, node: LexborNode, tag: str) -> None:
        if tag == "a":
            self._inside_link = False
        elif tag == "q":
            self._inline.append("”")
        elif tag in INLINE or (tag in ("td", "th") and self._tables) or tag == "br":
            self._bold -= tag in ("b", "strong")
        elif tag in _HEADINGS and not self._tables:
            if "note" in self._kinds:
                self._begin_title()
            else:
                self._flush(level=_HEADINGS[tag])
        elif tag in ("p", "th") and "note" in self._kinds and _is_title(node, tag):
            self._begin_title()
        elif tag == "table":
            self._flush()
            if self._tables:
                self._tables.pop()
            elif self._listings.pop():
                self._lists.pop()
                self._next = None
        elif tag == "tr" and self._tables:
            self._row()
        elif self._tables and tag not in ("caption", "thead", "tbody", "tfoot"):
            self._inline.append(" ")
        elif self._pre and _is_code_line(node, tag):
            pass
        else:
            self._flush()
            if tag in _LISTS:
                self._lists.pop()
                self._next = None
            elif _is_code(node, tag):
                self._pre -= 1
            elif node.mem_id == self._described:
                self._lists.pop()
                self._next, self._described = None, 0
        if self._owners and self._owners[-1] == node.mem_id:
            self._owners.pop()
            if self._kinds.pop() == "note":
                self._end_title()

    def _text(self, text: str) -> None:
        if text:
            self._inline.append(text)
            if not text.isspace():
                self._characters += len(text)
                if self._inside_link:
                    self._link_characters += len(text)
                    self._links.append(text)
                if self._bold:
                    self._bold_characters += len(text)

    def _row(self) -> None:
        text = _LINE_AT_BORDER.sub(" | ", self._taken()).strip(" ")
        table = self._tables[-1]
        cells = tuple(cell.strip() for cell in _CELL_BORDER.split(text))
        if is_navigation(cells):
            return
        text, header = row(cells, table.header)
        if not text:
            return
        if not table.rows and len(cells) > 1 and (table.head or not table.values):
            table.header = cells
            kind: BlockKind = "header"
        else:
            kind = "row"
        table.rows += 1
        self._append(Element(text, 0, True, kind, len(self._lists), "", header))

    def _flush(self, level: int = 0) -> None:
        text = self._taken()
        prose = not level and not self._pre
        if not text or (prose and _BRACKETS.fullmatch(text)):  # around a link to the top
            return
        kind: BlockKind = self._kinds[-1] if self._kinds else "paragraph"
        marker = ""
        if self._pre:
            kind = "code"
        elif self._next and not level:
            kind, marker = self._next
        if not level:
            self._next = None
        if self._title and kind == "note":
            text, self._title = f"{self._title}\n{text}", ""
        self._end_title()
        self._append(Element(text, level, bool(self._lists), kind, len(self._lists), marker))

    def _begin_title(self) -> None:
        self._end_title()
        self._title = self._taken()

    def _end_title(self) -> None:
        """Gives the title of a note without text an element of its own."""
        if self._title:
            self._append(Element(self._title, kind="note"))
            self._title = ""

    def _append(self, element: Element) -> None:
        read = self._characters - self._before[0]
        bold = 0 < read == self._bold_characters - self._before[1]
        links, self._links = self._links, []
        self._before = self._characters, self._bold_characters
        self._elements.add(replace(element, place=self._place), links, read, bold)

    def _taken(self) -> str:
        """The text of the inline elements since the last block border."""
        raw = "".join(self._inline)
        self._inline.clear()
        if self._pre:
            text = _CODE_LINES.sub("\n", raw.replace(_LINE, "\n")).strip("\n")
            return text if text.strip() else ""
        lines = [unwrap(line) for line in raw.split(_LINE)]
        return "\n".join(line for line in lines if line)

    def _mark(self) -> tuple[int, int, int]:
        return len(self._elements), self._characters, self._link_characters

    def _drop_if_links(self, mark: tuple[int, int, int]) -> None:
        """Removes a list that consists of links within the site."""
        elements, characters, link_characters = mark
        read = self._characters - characters
        linked = self._link_characters - link_characters
        added = len(self._elements) - elements
        if added >= FEW_LINKS and linked >= LINKED * read:
            self._elements.drop_list(elements)


def _is_code(node: LexborNode, tag: str) -> bool:
    """Whether an element keeps its lines: `<pre>`, or what Doxygen writes."""
    return tag == "pre" or (tag == "div" and node.attributes.get("class") == "fragment")


def _is_code_line(node: LexborNode, tag: str) -> bool:
    """Whether an element is a line of Doxygen's code."""
    return tag == "div" and node.attributes.get("class") == "line"


def _wrapping(node: LexborNode, tag: str) -> BlockKind | None:
    """The kind of the paragraphs in an element, if the element gives them one."""
    if tag == "blockquote":
        return "quotation"
    if tag in ("caption", "figcaption"):
        return "caption"
    if tag in _HEADINGS:
        return None
    classes = (node.attributes.get("class") or "").lower().split()
    if not NOTE_NAMES.isdisjoint(classes):
        return "note"
    if tag == "p" and not _CODE_NAMES.isdisjoint(classes):
        return "code"
    return "caption" if tag == "p" and not _CAPTION_NAMES.isdisjoint(classes) else None


def _is_title(node: LexborNode, tag: str) -> bool:
    """Whether a paragraph, or a cell outside of tables of data, is the title of a note, and not of
    a figure in it."""
    if tag == "th":
        return True
    outer = (node.parent.attributes.get("class") or "").lower().split() if node.parent else []
    classes = (node.attributes.get("class") or "").lower().split()
    return not _TITLE_NAMES.isdisjoint(classes) and not NOTE_NAMES.isdisjoint(outer)
