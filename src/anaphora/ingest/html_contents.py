"""The elements of an HTML page without contents, navigation and other links alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from anaphora.ingest.chrome import are_buttons, are_labels
from anaphora.ingest.content import SENTENCE_ENDS, Element, bold_line

FEW_LINKS = 3
"""The fewest links in a row, or in a list, that are a table of contents."""
_LONGEST_LEAD = 60  # characters before a table of contents
_LONGEST_TERM = 60
_LETTERS = re.compile(r"[^\W\d_]")


class PageElements:
    """Collects the elements of a page. Those that are links within the site, and nothing else, go
    if there are several in a row, or in front of the text, or behind it."""

    def __init__(self) -> None:
        self._found: list[Element] = []
        self._linked = 0  # how many elements at the end are links within the site
        self._linked_lines = 0
        self._linked_headings: set[int] = set()
        self._begun = False  # whether there is text

    def __len__(self) -> int:
        return len(self._found)

    def add(self, element: Element, links: Sequence[str], read: int, bold: bool) -> None:
        """Adds the next element, unless it only leads elsewhere.

        Args:
            links: the texts of its links within the site.
            read: the characters of the page that it was made from.
            bold: whether all of it is in bold.
        """
        linked = self._is_linked(element, links, read)
        several = len(links) > 1 and element.kind == "paragraph" and not element.level
        if bold and not linked:
            element = bold_line(element)
        if linked and (are_buttons(element.text) or (several and not self._begun)):
            return
        if several and are_labels(element.text, links):
            return
        self._begun |= not element.level
        if linked and not element.level:
            self._linked += 1
            self._linked_lines += 1
            if element.kind not in ("row", "header"):
                self._linked_lines += element.text.count("\n")
        else:
            if self._linked_lines >= FEW_LINKS:  # a table of contents
                self._drop(len(self._found) - self._linked)
            self._linked = self._linked_lines = 0
        at = len(self._found)
        if linked and element.level:
            self._linked_headings.add(at)
        else:
            self._linked_headings.discard(at)
        self._found.append(element)

    def make_term(self) -> bool:
        """Makes the last element the term of the description that follows, if it can be one: a
        short line that is no sentence."""
        last = self._found[-1] if self._found else None
        line = last and last.kind == "paragraph" and not last.level and not last.depth
        if last is None or not line or len(last.text) > _LONGEST_TERM or "\n" in last.text:
            return False
        if last.text.endswith(SENTENCE_ENDS):
            return False
        self._found[-1] = replace(last, kind="term", depth=1)
        return True

    def drop_list(self, first: int) -> None:
        """Removes a list of links that began with this element."""
        self._drop(first)
        self._linked = self._linked_lines = 0

    def finished(self) -> list[Element]:
        """All elements, without links behind the text, and without headings that are links and have
        no text below them, if there are several."""
        found = self._found
        if self._linked < len(found):
            del found[len(found) - self._linked :]
        levels = [one.level for one in found]
        bare = {
            at
            for at, (level, following) in enumerate(pairwise([*levels, 1]))
            if at in self._linked_headings and 0 < following <= level
        }
        if len(bare) < FEW_LINKS:
            return found
        return [one for at, one in enumerate(found) if at not in bare]

    def _is_linked(self, element: Element, links: Sequence[str], read: int) -> bool:
        """Whether all words of an element are links within the site. In text, but not in a table,
        numbers may stand before them."""
        if element.kind == "code":
            return False
        if not links:  # a number of a table of contents may be no link
            return self._linked > 0 and _is_bare(element)
        if element.kind in ("row", "header"):
            return sum(map(len, links)) == read
        linked = sum(len(_LETTERS.findall(link)) for link in links)
        return linked >= len(_LETTERS.findall(element.text))

    def _drop(self, first: int) -> None:
        """Removes the last elements, and the words that announce them: "In this document:"."""
        while first and _is_bare(self._found[first - 1]):
            first -= 1
        del self._found[first:]
        last = self._found[-1] if self._found else None
        prose = last is not None and last.kind == "paragraph" and not last.level
        if last and prose and last.text.endswith((":", "：")) and len(last.text) <= _LONGEST_LEAD:
            self._found.pop()


def _is_bare(element: Element) -> bool:
    """Whether an element is a paragraph without a letter."""
    return (
        element.kind == "paragraph" and not element.level and _LETTERS.search(element.text) is None
    )
