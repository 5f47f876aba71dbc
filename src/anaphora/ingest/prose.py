"""Whether a text is prose."""

from __future__ import annotations

import re

NARROWEST = 40
"""Columns of the narrowest text that an editor wraps."""
PLAIN = 0.75  # of the words of a sentence, in letters
FEW_SYMBOLS = 0.03  # of the characters
PLAIN_WORD = re.compile(r"[(\"'`*_“‘«]*[^\W\d_][\w'’-]*[)\"'`*_”’».,;:!?…]*$")
_LONGEST_SENTENCE = 250  # characters, in the mean of a text of sentences
_SENTENCE_END = re.compile(r"[.!?…][\"'’”»)]?(?=\s|$)|[。！？।؟]")
_PROGRAM = re.compile(
    r"\w\((?!\w{1,2}\))|^\s*(?:[>$#%']|//|--|rem\b|usage:)", re.IGNORECASE | re.MULTILINE
)
"""A call, or how a comment, a prompt or a list of options begins."""
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]")
_SYMBOLS = frozenset("=<>{}[]$|\\/_@#*+&^~%;")
LETTERS = re.compile(r"[^\W\d_]+")


def is_prose(text: str) -> bool:
    """Whether a text is sentences on long lines, and no code, table or listing.

    >>> is_prose("The pump stops. Do not open it before that, as it is hot."), is_prose("x = [y]")
    (True, False)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    words = text.split()
    plain = sum(PLAIN_WORD.match(word) is not None for word in words)
    foreign = sum(char > "\x7f" for char in text)  # code is written in ASCII
    sentences = len(_SENTENCE_END.findall(text))
    return (
        (plain >= PLAIN * len(words) or foreign >= PLAIN * sum(map(len, words)))
        and symbols(text) < FEW_SYMBOLS
        and not _PROGRAM.search(text)
        and sentences * _LONGEST_SENTENCE >= len(text)
        and sum(map(_columns, lines)) >= NARROWEST * len(lines)
    )


def symbols(text: str) -> float:
    """The share of characters that are rather those of code."""
    return sum(char in _SYMBOLS for char in text) / max(1, len(text))


def is_worded(text: str, share: float) -> bool:
    """Whether at least this share of the characters besides white space are letters."""
    return sum(map(len, LETTERS.findall(text))) >= share * sum(map(len, text.split()))


def _columns(line: str) -> int:
    """How wide a line is in a terminal."""
    return len(line.strip()) + len(_WIDE.findall(line))
