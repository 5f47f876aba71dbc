"""The hits that a reader considers."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.language import tokenize
from anaphora.language.changes import heads_changes, names_changes
from anaphora.records import Hit, Passage, Query

_OWN_LANGUAGE = 4
"""A hit in the question's language counts as if its rank were divided by this number."""
_WORSE = 5.0
"""But not if the most relevant one in another language is so many log-odds better for the
cross-encoder: then none is a translation of it."""

_LESS = 3
"""A hit in a list of changes, or that is code, counts as if its rank were multiplied by this."""
_CODE = 0.9  # of the characters of a passage that is code
_WORDS = 2
"""Different words of a passage that says nothing, if it repeats them."""


def best_passages(query: Query, hits: Sequence[Hit], count: int) -> list[Hit]:
    """The `count` best hits; those in the question's language precede translations of them.

    Without this, translations of one passage fill all places where documents exist in many
    languages. Passages in lists of changes follow others, unless the question names such a list;
    those that consist of headings, such as lists of links, or of one or two words again and again,
    such as the captions of screenshots, come last.
    """
    asked = names_changes(query.text)
    own, other = [
        [hit.evidence.relevance for hit in hits if hit.evidence and _is_own(query, hit) is side]
        for side in (True, False)
    ]
    lift = 1 if own and other and max(other) > max(own) + _WORSE else _OWN_LANGUAGE

    def place(hit: Hit) -> tuple[bool, float]:
        rank = hit.rank / (lift if _is_own(query, hit) else 1)
        changes = not asked and heads_changes((hit.passage.title, *hit.passage.section))
        return says_nothing(hit.passage), rank * (_LESS if changes or _is_code(hit.passage) else 1)

    return sorted(hits, key=place)[:count]


def _is_own(query: Query, hit: Hit) -> bool:
    return hit.passage.lang == query.lang


def _is_code(passage: Passage) -> bool:
    code = sum(block.end - block.start for block in passage.blocks if block.kind == "code")
    return code >= _CODE * len(passage.text)


def says_nothing(passage: Passage) -> bool:
    """Whether a passage consists of headings, or of one or two words again and again."""
    headings = sum(block.end - block.start for block in passage.blocks if block.kind == "heading")
    words = [token for token in tokenize(passage.text) if token.isalpha()]
    return 2 * headings > len(passage.text) or len(set(words)) <= _WORDS < len(words)
