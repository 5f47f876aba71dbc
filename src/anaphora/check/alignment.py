"""Whether a statement says of its facts what the sentences that hold them say.

A number or name may be in the evidence and yet at another place: "Jackson founded it" where Jackson
sold it. And a sentence of the evidence may be repeated with its verb denied. Both are found without
a model, by the share of the statement's trigrams that a sentence has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from anaphora.check.facts import differ, items_of
from anaphora.check.names import Words, names
from anaphora.check.numbers import held, numbers
from anaphora.check.trigrams import covered, trigrams
from anaphora.language import identify, sentences
from anaphora.language.tables import load_toml
from anaphora.records import UNKNOWN, Claim

_DOUBTFUL: Final = 0.25
"""From this distance on, a fact is named as unsupported if the statement is."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a statement differs from the sentences of evidence that it is most like. Of several
    sentences of a statement, each is aligned, and the greatest values count.

    Attributes:
        displaced: of the fact that is worst placed, how much less of its sentence the evidence's
            sentences that hold the fact share than the best one does; in 0..1.
        denied: the squared share that the best sentence has, if the statement denies more than that
            sentence; otherwise 0.
        affirmed: the same, if it denies less.
        places: the character ranges of the facts that are badly placed, and of what is denied.
    """

    displaced: float = 0.0
    denied: float = 0.0
    affirmed: float = 0.0
    places: tuple[tuple[int, int], ...] = ()


def aligned(claim: Claim) -> Alignment:
    """The alignment of a statement with the evidence in its own language; all 0 if there is none.

    >>> aligned(Claim("The mill was not sold.", ("The mill was sold.",))).denied > 0.4
    True
    >>> text = "Ada Kay built the mill in 1887. It was sold by Eve Lund when the river fell dry."
    >>> aligned(Claim("It was sold by Kay when the river fell dry.", (text,))).displaced > 0.4
    True
    """
    statement = claim.statement
    lang = identify(statement)
    texts = in_its_language(claim)
    found = [text[start:end] for text in texts for start, end in sentences(text, identify(text))]
    if not found:
        return Alignment()
    lang = identify(texts[0]) if lang == UNKNOWN else lang
    grams = [trigrams(sentence) for sentence in found]
    every = [
        _aligned(statement[start:end], start, lang, found, grams)
        for start, end in sentences(statement, lang)
    ]
    return Alignment(
        max((one.displaced for one in every), default=0.0),
        max((one.denied for one in every), default=0.0),
        max((one.affirmed for one in every), default=0.0),
        tuple(place for one in every for place in one.places),
    )


def in_its_language(claim: Claim) -> list[str]:
    """The texts of the evidence that are in the statement's language, as far as that can be told.

    >>> in_its_language(Claim("It is open.", ("Она закрыта.", "It opened in May.")))
    ['It opened in May.']
    """
    lang = identify(claim.statement)
    return [
        text for text in claim.evidence if text.strip() and not differ(claim.statement, text, lang)
    ]


def _aligned(
    sentence: str, at: int, lang: str, found: Sequence[str], grams: Sequence[frozenset[str]]
) -> Alignment:
    """The alignment of a sentence that begins at a place of its statement."""
    asked = trigrams(sentence)
    shares = [covered(asked, one) for one in grams]
    best = max(range(len(found)), key=shares.__getitem__)
    distances = list(_distances(sentence, lang, found, grams))
    denials = _denials(sentence, lang)
    more = len(denials) - len(_denials(found[best], lang))
    square = shares[best] ** 2
    places = [place for place, distance in distances if distance >= _DOUBTFUL]
    places += denials if more > 0 else []
    return Alignment(
        max((distance for _, distance in distances), default=0.0),
        square if more > 0 else 0.0,
        square if more < 0 else 0.0,
        tuple((at + start, at + end) for start, end in places),
    )


def _distances(
    statement: str, lang: str, found: Sequence[str], grams: Sequence[frozenset[str]]
) -> Iterator[tuple[tuple[int, int], float]]:
    """The facts of a statement's sentence that the evidence holds, and how much less of the rest
    its sentences with the fact share than the best one."""
    for start, end, holds in _facts(statement, lang, found):
        if any(holds):
            rest = trigrams(f"{statement[:start]} {statement[end:]}")
            shares = [covered(rest, one) for one in grams]
            own = max(share for share, held in zip(shares, holds, strict=True) if held)
            yield (start, end), max(shares) - own


def _facts(
    statement: str, lang: str, found: Sequence[str]
) -> Iterator[tuple[int, int, list[bool]]]:
    """The numbers and names of a statement, and for each sentence whether it holds them."""
    sure = [fact for fact in numbers(statement) if fact.sure]
    for fact in sure:
        yield fact.start, fact.end, [held(fact, items_of(sentence)) for sentence in found]
    for name in names(statement, lang, [(fact.start, fact.end) for fact in sure]):
        word = statement[name.start : name.end]
        yield name.start, name.end, [_words(one, lang).hold(word, name.kind) for one in found]


@lru_cache(maxsize=512)
def _words(sentence: str, lang: str) -> Words:
    return Words([sentence], lang)


def _denials(text: str, lang: str) -> list[tuple[int, int]]:
    pattern = _patterns().get(lang)
    return [match.span() for match in pattern.finditer(text)] if pattern else []


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    table = load_toml(Path(__file__).with_name("polarity.toml"))
    return {lang: re.compile(pattern, re.IGNORECASE) for lang, pattern in table.items()}
