"""A checker that compares words, so that a test knows what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.language import tokenize
from anaphora.records import Claim, Support


@dataclass(frozen=True)
class WordChecker:
    """A statement is supported if this share of its words stands in its evidence."""

    share: float

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        return [self._one(claim) for claim in claims]

    def _one(self, claim: Claim) -> Support:
        own = set(tokenize(claim.statement))
        known = {word for text in claim.evidence for word in tokenize(text)}
        found = len(own & known) / len(own)
        return Support(found >= self.share, found)
