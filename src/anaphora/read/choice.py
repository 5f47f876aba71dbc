"""Which passages are shown after the first one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    missing = set(terms(compared(query.question, query.lang)))
    if missing:
        missing -= set(terms(f"{first.heading}\n{shown}"))
    if not missing:
        return 0
    found = [len(missing & set(terms(one.searched_text))) for one in others]
    return found.index(max(found))


def probabilities(scores: Sequence[float]) -> list[float]:
    """How probable it is of each passage that it is the one that answers: a softmax of the scores,
    standardised so that those of every ranking can be used. docs/decisions/reading.md compares
    other factors of the scores.

    >>> [round(one, 2) for one in probabilities([3.0, 1.0, 1.0, -1.0])]
    [0.65, 0.16, 0.16, 0.04]
    """
    values = np.array(scores, float)
    spread = values.std()
    odds = np.exp((values - values.max()) / (spread if spread > 0 else 1.0))
    return (odds / odds.sum()).tolist()  # type: ignore[no-any-return]
