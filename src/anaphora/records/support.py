"""Statements, and whether the text that they cite supports them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement and the texts that should support it.

    Attributes:
        evidence: the sentences or passages that the statement cites.
        question: what the statement answers, so that "In 1998." can be checked; may be empty.
    """

    statement: str
    evidence: tuple[str, ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether the evidence of a claim supports its statement.

    Attributes:
        probability: that it does, in 0..1.
        citations: positions in the claim's `evidence` of the texts that support the statement.
        unsupported: character ranges of the statement that no evidence supports, in their order.
    """

    supported: bool
    probability: float
    citations: tuple[int, ...] = ()
    unsupported: tuple[tuple[int, int], ...] = ()
