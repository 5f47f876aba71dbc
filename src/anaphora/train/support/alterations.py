"""Supported statements altered so that their passage does not support them."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from anaphora.check.facts import joined
from anaphora.check.names import names
from anaphora.check.numbers import numbers
from anaphora.language import scripts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Altered:
    """A statement with character ranges that are no longer supported, and what was altered."""

    text: str
    unsupported: tuple[tuple[int, int], ...]
    kind: str


@dataclass(frozen=True)
class Context:
    """Where the words of an alteration come from.

    Attributes:
        passage: the text that supports the statement.
        other: another passage in the same language.
        sentence: a sentence of the other passage.
        lang: the language of the statement.
    """

    passage: str
    other: str
    sentence: str
    lang: str


Alteration: TypeAlias = Callable[[str, Context, random.Random], Altered | None]


def number(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """One digit string replaced by another number, of the passage if there is one to choose."""
    own = [match.span() for match in re.finditer(r"\d+", statement)]
    if not own:
        return None
    start, end = rng.choice(own)
    old = statement[start:end]
    others = [
        found
        for found in re.findall(r"\d+", context.passage)
        if found not in statement and abs(len(found) - len(old)) < 2
    ]
    new = rng.choice(others) if others and rng.random() < 0.6 else _near(old, rng)
    if new == old or (len(old) == 4 and len(new) != 4):
        return None
    return _replaced(statement, start, end, new, "number")


def _near(old: str, rng: random.Random) -> str:
    """Another number of as many digits, in the same digits."""
    zero = ord(old[0]) - int(old[0])
    places = list(old)
    place = (
        rng.randrange(len(places) - 1, len(places))
        if len(places) > 3
        else rng.randrange(len(places))
    )
    if len(places) > 3 and rng.random() < 0.5:
        place = len(places) - 2
    low = 1 if place == 0 else 0
    places[place] = chr(
        zero + rng.choice([one for one in range(low, 10) if one != int(places[place])])
    )
    return "".join(places)


def name(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """One name replaced by another one, of the passage or of another passage."""
    own = [one for one in names(statement, context.lang) if one.kind in ("name", "foreign", "code")]
    if not own:
        return None
    old = rng.choice(own)
    script = scripts.script_of(statement[old.start])
    text = context.passage if rng.random() < 0.6 else context.other
    others = {
        text[one.start : one.end]
        for one in names(text, context.lang)
        if one.kind == old.kind and scripts.script_of(text[one.start]) == script
    }
    others = {one for one in others if one[:4].lower() not in statement.lower()}
    if not others:
        return None
    return _replaced(statement, old.start, old.end, rng.choice(sorted(others)), "name")


def negation(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """A verb denied, or a denied one affirmed."""
    found = []
    for said, denied in _negations(context.lang):
        for old, new in ((denied, said), (said, denied)):
            match = re.search(_whole(old), statement)
            if match:
                found.append((match.span(), new))
                break
    if not found:
        return None
    (start, end), new = rng.choice(found)
    return _replaced(statement, start, end, new, "negation")


def added(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """A sentence of another passage appended."""
    if not 10 <= len(context.sentence) <= 160:
        return None
    gap = "" if scripts.counts_characters(context.lang) and context.lang != "th" else " "
    text = f"{statement}{gap}{context.sentence}"
    return Altered(text, ((len(statement) + len(gap), len(text)),), "added")


def exchanged(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """Two names or two numbers of the statement exchanged."""
    every = [
        [(one.start, one.end) for one in names(statement, context.lang) if one.kind == "name"],
        [(one.start, one.end) for one in numbers(statement) if one.sure],
    ]
    pairs = [joined(group, statement) for group in every]
    pairs = [group for group in pairs if len(group) == 2]
    if not pairs:
        return None
    (a, b), (c, d) = rng.choice(pairs)
    one, other = statement[a:b], statement[c:d]
    if one == other:
        return None
    text = f"{statement[:a]}{other}{statement[b:c]}{one}{statement[d:]}"
    moved = a, a + len(other)
    return Altered(
        text,
        (moved, (len(text) - len(statement[d:]) - len(one), len(text) - len(statement[d:]))),
        "role",
    )


ALTERATIONS: Final[tuple[Alteration, ...]] = (number, name, negation, added, exchanged)
_WEIGHTS: Final = (4, 4, 4, 1, 1)


def altered(statement: str, context: Context, rng: random.Random) -> Altered | None:
    """The statement altered in one of the ways that apply to it; None if none does."""
    ways = list(zip(ALTERATIONS, _WEIGHTS, strict=True))
    while ways:
        (chosen,) = rng.choices(ways, [weight for _, weight in ways])
        ways.remove(chosen)
        if found := chosen[0](statement, context, rng):
            return found
    return None


def _replaced(text: str, start: int, end: int, new: str, kind: str) -> Altered:
    return Altered(f"{text[:start]}{new}{text[end:]}", ((start, start + len(new)),), kind)


def _whole(words: str) -> str:
    """A pattern for words that stand alone, where words have spaces."""
    spaced = scripts.dominant_script(words) in ("Latin", "Cyrillic", "Arabic")
    return rf"(?<!\w){re.escape(words)}(?!\w)" if spaced else re.escape(words)


@lru_cache(maxsize=32)
def _negations(lang: str) -> Sequence[tuple[str, str]]:
    table = tomllib.loads(Path(__file__).with_name("negations.toml").read_text("utf-8"))
    pairs = [pair.strip().partition("|") for pair in table.get(lang, "").split(",") if pair.strip()]
    return [(said.strip(), denied.strip()) for said, _, denied in pairs]
