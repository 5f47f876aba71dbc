"""Edits put into words: where spaces go, and how a word is written that moves.

The first word of an utterance that is no name begins with a small letter elsewhere, and the first
word of a question that began with a capital still does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence

from anaphora.language import scripts
from anaphora.rewrite.linking.words import Range

_CLOSING = frozenset(".,?!;:)]}%»”’。，？！、；：）】」』》…؟،؛।")
_OPENING = frozenset("([{«“‘（【「『《¿¡")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_ELIDED = re.compile(r"\b(?:[dl]|qu|un|(?:de|a|ne|da|su)ll)['’]$", re.IGNORECASE)
"""French and Italian."""


def glue(left: str, right: str, spaced: bool = False) -> str:
    """What stands between two texts: a space, or nothing.

    Args:
        spaced: whether what they stand in is written with spaces, which then go around names in
            writing without.

    >>> glue("Zappa", "'s"), glue("of", "Zappa"), glue("扎帕", "的"), glue("was", "扎帕", True)
    ('', ' ', '', ' ')
    >>> glue("le leader d'", "ABBA"), glue("Zappa", "'s first")
    ('', '')
    """
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return ""
    if right[0] in _CLOSING or left[-1] in _OPENING or _POSSESSIVE.match(right):
        return ""
    if _ELIDED.search(left):
        return ""
    sides = _unspaced(left[-1]), _unspaced(right[0])
    if all(sides) or (any(sides) and not spaced):
        return ""
    return " "


def _unspaced(char: str) -> bool:
    return (
        scripts.is_cjk(char)
        or scripts.script_of(char) in ("Thai", "Lao", "Khmer", "Myanmar")
        or char in "。，？！、；：）（【】「」『』《》"
    )


def render(
    question: str,
    words: Sequence[Range],
    deleted: Container[int],
    inserted: Mapping[int, Sequence[str]],
    is_empty: Callable[[str], bool],
) -> str:
    """The question with words left out and texts put before others.

    Args:
        words: the ranges of the question's words.
        deleted: numbers of words.
        inserted: texts by the number of the word they go before; len(words) is the end.
        is_empty: whether a word is one of the language's function words, which have no capital
            inside a sentence.
    """
    begins = next((char.isupper() for char in question if char.isalpha()), False)
    spaced = not any(map(_unspaced, question))
    text = ""
    before: int | None = 0  # where the question goes on if nothing comes between
    for number, (start, end) in enumerate([*words, (len(question), len(question))]):
        for part in inserted.get(number, ()):
            if begins and not any(char.isalnum() for char in text):
                part = part[:1].upper() + part[1:]
            text += glue(text, part, spaced) + part
            before = None
        if number == len(words):
            break
        if number in deleted:
            before = None
            continue
        word = question[start:end]
        if number == 0 and text and is_empty(word):
            word = word[:1].lower() + word[1:]
        elif begins and not any(char.isalnum() for char in text):
            word = word[:1].upper() + word[1:]
        gap = glue(text, word, spaced) if before is None else question[before:start]
        if number and word[0] in _CLOSING:
            # French has a space before "?".
            gap = question[words[number - 1][1] : start]
        text += gap + word
        before = end
    return text.strip()
