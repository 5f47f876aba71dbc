"""Numbers, dates and names of a statement that its evidence does not hold."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from anaphora.check.names import Name, Words, names
from anaphora.check.numbers import Item, held, items, numbers
from anaphora.language import identify, scripts
from anaphora.records import UNKNOWN, Claim


def unsupported_facts(claim: Claim) -> tuple[tuple[int, int], ...]:
    """The character ranges of a statement's numbers, dates and names that neither the evidence nor
    the question holds.

    Names are not compared where the evidence is in another language, except code and Latin words in
    other writing.

    >>> claim = Claim("Zappa left in 1970.", ("Frank Zappa left in 1969.",))
    >>> [claim.statement[start:end] for start, end in unsupported_facts(claim)]
    ['1970']
    """
    statement = claim.statement
    texts = [text for text in (*claim.evidence, claim.question) if text]
    known: frozenset[Item] = frozenset().union(*map(items_of, texts))
    sure = [fact for fact in numbers(statement) if fact.sure]
    found = [(fact.start, fact.end) for fact in sure if not held(fact, known)]
    lang = identify(statement)
    evidence = " ".join(claim.evidence)
    words = Words(texts, lang)
    across = differ(statement, evidence, lang)
    for name in names(statement, lang, [(fact.start, fact.end) for fact in sure]):
        comparable = not across or _crosses(name, statement, evidence)
        if comparable and not words.hold(statement[name.start : name.end], name.kind):
            found.append((name.start, name.end))
    return joined(found, statement)


def joined(ranges: Iterable[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """Ranges in their order, those that overlap or are only a space apart as one.

    >>> joined([(6, 9), (0, 5), (8, 12)], "Frank Zappa's")
    ((0, 12),)
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and not text[found[-1][1] : start].strip():
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


@lru_cache(maxsize=1024)
def items_of(text: str) -> frozenset[Item]:
    """The numbers, dates and measures of a text."""
    return items([text])


def differ(statement: str, evidence: str, lang: str) -> bool:
    """Whether two texts are in different languages, as far as that can be told."""
    other = identify(evidence)
    if scripts.dominant_script(statement) != scripts.dominant_script(evidence):
        return not {lang, other} <= {"ja", "zh"} or lang != other
    return lang != other and UNKNOWN not in (lang, other)


def _crosses(name: Name, statement: str, evidence: str) -> bool:
    """Whether a name is written alike in another language."""
    word = statement[name.start : name.end]
    if name.kind == "code":
        # Languages have different abbreviations.
        return not (word.isalpha() and word.isupper())
    return (
        name.kind == "foreign"
        and scripts.script_of(word[0]) == "Latin"
        and scripts.dominant_script(evidence) == "Latin"
    )
