"""Which passage is shown after the first one, by what the question asks."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.language import analyzer
from anaphora.language.question_words import compared
from anaphora.records import Passage, Query


def second(query: Query, first: Passage, shown: str, others: Sequence[Passage]) -> int:
    """The index of the passage to show after the first one: the next; for a comparison the one
    with most of the compared words that are not shown yet.

    Args:
        shown: the extract of the first passage.
        others: the passages after it, the best first; at least one.
    """
    terms = analyzer(query.lang).terms
    missing = set(terms(compared(query.text, query.lang)))
    if missing:
        missing -= set(terms(f"{first.heading}\n{shown}"))
    if not missing:
        return 0
    found = [len(missing & set(terms(one.searched_text))) for one in others]
    return found.index(max(found))
