"""Detokenization: the edited question as text, with spaces and capital letters where they belong.

The first word of an utterance, unless it is a name, gets a small letter inside a question, and a
question that began with a capital letter still does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence

from anaphora.language import scripts
from anaphora.rewrite.tokenization import Range

_CLOSING = frozenset(".,?!;:)]}%»”’。，？！、；：）】」』》…؟،؛।")
_OPENING = frozenset("([{«“‘（【「『《¿¡")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_ELIDED = re.compile(r"\b(?:[dl]|qu|un|(?:de|a|ne|da|su)ll)['’]$", re.IGNORECASE)
"""Elided articles and prepositions of French and Italian."""


def separator(left: str, right: str, spaced: bool = False) -> str:
    """A space or nothing, as belongs between two texts.

    Args:
        spaced: whether the sentence is written with spaces; they then separate a name in writing
            without spaces too.

    >>> separator("Zappa", "'s"), separator("of", "Zappa"), separator("扎帕", "的")
    ('', ' ', '')
    >>> separator("was", "扎帕", True), separator("le leader d'", "ABBA")
    (' ', '')
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


def apply_edits(
    question: str,
    words: Sequence[Range],
    deleted: Container[int],
    inserted: Mapping[int, Sequence[str]],
    is_function_word: Callable[[str], bool],
) -> str:
    """The question without the deleted words and with the inserted texts.

    Args:
        words: the ranges of the question's words.
        deleted: numbers of words.
        inserted: texts by the number of the word that they precede; len(words) is the end.
        is_function_word: function words have no capital inside a sentence.
    """
    begins = next((char.isupper() for char in question if char.isalpha()), False)
    spaced = not any(map(_unspaced, question))
    text = ""
    before: int | None = 0  # the end of the last word, None after an insertion or a deletion
    for number, (start, end) in enumerate([*words, (len(question), len(question))]):
        for part in inserted.get(number, ()):
            if begins and not any(char.isalnum() for char in text):
                part = part[:1].upper() + part[1:]
            text += separator(text, part, spaced) + part
            before = None
        if number == len(words):
            break
        if number in deleted:
            before = None
            continue
        word = question[start:end]
        if number == 0 and text and is_function_word(word):
            word = word[:1].lower() + word[1:]
        elif begins and not any(char.isalnum() for char in text):
            word = word[:1].upper() + word[1:]
        gap = separator(text, word, spaced) if before is None else question[before:start]
        if number and word[0] in _CLOSING:
            # French writes a space before "?".
            gap = question[words[number - 1][1] : start]
        text += gap + word
        before = end
    return text.strip()
