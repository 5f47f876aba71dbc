"""Whether a passage answers a question with a statement, by the cross-encoder.

"In 1932." states nothing without its question. Where a passage holds these words but answers
another question, or none, the checker's network is easily misled. The cross-encoder was trained on
exactly this: it knows the question alone, and finds where the passage answers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from anaphora.check.trigrams import covered, trigrams
from anaphora.crossencoder.model import CrossEncoder
from anaphora.language import identify, is_fragment, sentences, tokenize
from anaphora.records import Claim, Passage

_ALIKE: Final = 0.6
"""The share of the trigrams of a span, or of the statement, that the other one must have."""
_LIMIT: Final = 10.0
"""Scores of spans beyond this count as this."""


def is_answer(claim: Claim) -> bool:
    """Whether a statement states nothing without its question: it is short, or cut out of a
    sentence of the evidence.

    >>> text = "The bridge over the river was opened in May."
    >>> is_answer(Claim("in May", (text,), "When?")), is_answer(Claim(text, (text,), "When?"))
    (True, False)
    """
    statement = claim.statement.strip()
    if not claim.question.strip() or not statement:
        return False
    return is_fragment(statement, identify(statement)) or any(
        _is_cut_out(statement, text) for text in claim.evidence
    )


def _is_cut_out(statement: str, text: str) -> bool:
    form = statement.rstrip(".。").lower()
    if form not in text.lower():
        return False
    tokens = tokenize(form)
    every = [text[start:end].lower() for start, end in sentences(text, identify(text))]
    holding = [sentence for sentence in every if form in sentence]
    return bool(holding) and all(tokenize(sentence) != tokens for sentence in holding)


def answering(cross_encoder: CrossEncoder, claims: Sequence[Claim]) -> list[float | None]:
    """For each claim, the score of the best span that answers the question and has the statement's
    words, in -10..10; None if no such span is among the best of any text."""
    pairs = [
        (one.question, _passage(text)) for one in claims for text in one.evidence if text.strip()
    ]
    read = iter(cross_encoder.score(pairs))
    return [
        max(
            (
                max(-_LIMIT, min(_LIMIT, span.score))
                for text in one.evidence
                if text.strip()
                for span in next(read).spans
                if _alike(one.statement, text[span.start : span.end])
            ),
            default=None,
        )
        for one in claims
    ]


def _passage(text: str) -> Passage:
    return Passage("", "", "", text, "", end=len(text))


def _alike(statement: str, span: str) -> bool:
    one, other = trigrams(statement), trigrams(span)
    return max(covered(one, other), covered(other, one)) >= _ALIKE
