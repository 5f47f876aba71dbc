"""How much two texts share, by trigrams of characters, which need no knowledge of the language."""

from __future__ import annotations


def trigrams(text: str) -> frozenset[str]:
    """The distinct trigrams of a text without regard to case."""
    folded = f" {text.casefold()} "
    return frozenset(folded[at : at + 3] for at in range(len(folded) - 2))


def shared(asked: frozenset[str], text: str) -> float:
    """The number of trigrams that a text shares with others, over the root of its own number.

    >>> shared(trigrams("the band"), "The band left") > shared(trigrams("the band"), "It rained")
    True
    """
    own = trigrams(text)
    found: float = len(asked & own) / (1 + len(own)) ** 0.5
    return found


def covered(asked: frozenset[str], own: frozenset[str]) -> float:
    """The share of some trigrams that are among others.

    >>> covered(trigrams("the band"), trigrams("The band left")) > 0.8
    True
    """
    return len(asked & own) / max(1, len(asked))
