"""Which sentences of the passages a generated sentence comes from, where its writer cites none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from anaphora.language import stop_words, tokenize
from anaphora.protocols import Checker
from anaphora.records import Claim

_NEAREST = 8
"""Sentences that are checked one by one: those that share most words with the statement."""
_TOGETHER = 3
"""Sentences that are cited together where none supports the statement alone."""


def attributed(
    statement: str, evidence: Sequence[str], checker: Checker, lang: str, question: str = ""
) -> list[int]:
    """The positions in `evidence` of the text that supports a statement best; of several, in their
    order, where none does so alone.

    Args:
        lang: of the statement.

    Returns:
        Nothing only where there is no evidence.
    """
    near = nearest(statement, evidence, lang)[:_NEAREST]
    if not near:
        return []
    found = checker.check([Claim(statement, (evidence[at],), question) for at in near])
    ranked = sorted(range(len(near)), key=lambda row: -found[row].probability)
    best = found[ranked[0]]
    count = 1 if best.supported else _TOGETHER
    return sorted(near[row] for row in ranked[:count])


def nearest(statement: str, evidence: Sequence[str], lang: str) -> list[int]:
    """The positions of texts by the words that they share with a statement, most first.

    A word counts the less, the more texts hold it; stop words count nothing. Texts that share
    nothing follow in their order: they may be in another language.

    >>> nearest("It ended in 1969.", ["Zappa led it.", "The band ended in 1969."], "en")
    [1, 0]
    """
    held = [set(tokenize(text)) for text in evidence]
    spread = Counter(token for tokens in held for token in tokens)
    words = set(tokenize(statement)) - stop_words(lang)
    shares = [sum(1 / spread[word] for word in words & tokens) for tokens in held]
    return sorted(range(len(evidence)), key=lambda at: -shares[at])
