"""The hits that a reader considers."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.records import Hit, Passage, Query

_OWN_LANGUAGE = 4
"""A hit in the question's language counts as if its rank were divided by this number."""


def best_passages(query: Query, hits: Sequence[Hit], count: int) -> list[Hit]:
    """The `count` best hits; those in the question's language precede translations of them.

    Without this, translations of one passage fill all places where documents exist in many
    languages. Passages that consist of headings, such as lists of links, come last.
    """

    def place(hit: Hit) -> tuple[bool, float]:
        own = hit.passage.lang == query.lang
        return _only_headings(hit.passage), hit.rank / (_OWN_LANGUAGE if own else 1)

    return sorted(hits, key=place)[:count]


def _only_headings(passage: Passage) -> bool:
    headings = sum(block.end - block.start for block in passage.blocks if block.kind == "heading")
    return 2 * headings > len(passage.text)
