"""How generators of every kind decode."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoding:
    """Beam search, or with one beam greedy search. Nothing is sampled: same input, same output.

    Attributes:
        max_tokens, min_tokens: the length of an output.
        beams: how many hypotheses are kept.
        early: the search ends when so many are complete, and not when no better one is likely.
        no_repeat: no sequence of so many tokens occurs twice in an output; 0 for no limit.
        first: the id of the token that every output begins with, such as that of its language.
    """

    max_tokens: int
    min_tokens: int = 0
    beams: int = 1
    early: bool = False
    no_repeat: int = 0
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated text.

    Attributes:
        text: the text.
        confidence: the geometric mean of the probabilities of its tokens.
        whole: whether the model ended it, rather than the limit.
    """

    text: str
    confidence: float
    whole: bool
