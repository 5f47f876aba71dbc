"""Word overlap as a checker: the share of a statement's terms that its evidence has."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.check.facts import unsupported_facts
from anaphora.language import analyzer, identify
from anaphora.records import Claim, Support

_ENOUGH = 0.5


class OverlapChecker:
    """Supported is a statement of whose terms half are in the evidence, with all its facts."""

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        """The support of each claim, in their order."""
        return [_check(claim) for claim in claims]


def _check(claim: Claim) -> Support:
    facts = unsupported_facts(claim)
    share = overlap(claim.statement, [*claim.evidence, claim.question])
    probability = 0.0 if facts else share
    citations = tuple(
        number
        for number, text in enumerate(claim.evidence)
        if overlap(claim.statement, [text]) >= _ENOUGH
    )
    return Support(probability >= _ENOUGH, probability, citations, facts)


def overlap(statement: str, texts: Sequence[str]) -> float:
    """The share of the distinct index terms of a statement that texts have.

    >>> overlap("Zappa left the band", ["The band that Zappa founded"])
    0.6666666666666666
    """
    terms = analyzer(identify(statement)).terms
    own = set(terms(statement))
    return len(own.intersection(terms("\n".join(texts)))) / len(own) if own else 0.0
