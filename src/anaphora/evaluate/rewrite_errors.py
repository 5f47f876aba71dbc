"""Bad rewrites by the kind of their error, against a person's rewrite.

After the error analysis of Gowriraj et al. (2023), "Assessing ChatGPT-Based Query Rewriting and
Language-Agnostic Transformers for Multilingual Document-Grounded QA", section 5.1, which finds
irrelevant context, invented content and lost specificity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from anaphora.evaluate.results import Outcome
from anaphora.evaluate.tables import Cell, Table, as_text
from anaphora.language import analyzer, counts_characters, stop_words
from anaphora.rewrite.tokenization import folded_words

RewriteError = Literal["irrelevant context", "wrong referent", "invented", "needless", "lost"]

MEANINGS: Final[dict[RewriteError, str]] = {
    "irrelevant context": "besides most of what was missing it adds words of the conversation",
    "wrong referent": "it adds other words of the conversation than were missing",
    "invented": "it has words from neither the conversation nor the person's rewrite",
    "needless": "the question needed nothing, and it adds words of the conversation",
    "lost": "words of the question or of the conversation that the person has are missing",
}


def rewrite_error(
    question: str, rewrite: str, gold: str, history: Sequence[str], lang: str
) -> RewriteError | None:
    """The kind of error in a rewrite; None where it has the content words of the person's.

    Content words are compared as index terms, so that their order and inflection do not count; in
    writing without spaces they are characters.

    Args:
        gold: the person's rewrite.
        history: the texts before the question, the title included.

    >>> said = ["Who led the Mothers?", "Frank Zappa."]
    >>> rewrite_error("When did they end?", "When did Frank Zappa end?",
    ...               "When did the Mothers end?", said, "en")
    'wrong referent'
    """
    asked, found, right = (_terms(text, lang) for text in (question, rewrite, gold))
    if found == right:
        return None
    if found - right - asked - _terms("\n".join(history), lang):
        return "invented"
    added, missing = found - asked, right - asked
    if added - missing:
        if not missing:
            return "needless"
        most = 2 * len(added & missing) > len(missing)
        return "irrelevant context" if most else "wrong referent"
    return "lost" if right - found else None


def _terms(text: str, lang: str) -> frozenset[str]:
    words = [word for word in folded_words(text) if word[0].isalnum()]
    if counts_characters(lang):
        single = {word for word in stop_words(lang) if len(word) == 1}
        return frozenset(words) - single
    term = analyzer(lang).term
    return frozenset(found for word in words for found in term(word))


def count_rewrite_errors(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many rewrites of turns with a human rewrite are right, and how many have each error."""
    found: Counter[str] = Counter()
    for one in outcomes:
        if one.example.rewrites:
            conversation = one.example.conversation
            history = [conversation.title or "", *(turn.text for turn in conversation.history)]
            rewrite = one.results["rewritten"].rewrite
            error = rewrite_error(
                one.example.question, rewrite.text, one.example.rewrites[0], history, rewrite.lang
            )
            found[error or "right"] += 1
    return {kind: found[kind] for kind in ("right", *MEANINGS) if found[kind]}


def rewrite_errors_text(found: dict[str, int]) -> str:
    """The counts as a table."""
    total = sum(found.values())
    rows = tuple(
        (Cell(kind), Cell(count), Cell(f"{count / total:.0%}"), Cell(_meaning(kind)))
        for kind, count in found.items()
    )
    return as_text(Table(("rewrites", "turns", "", ""), rows)).rstrip()


def _meaning(kind: str) -> str:
    return next((meaning for name, meaning in MEANINGS.items() if name == kind), "")
