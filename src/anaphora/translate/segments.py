"""Texts in pieces that a translation model takes: sentences, or parts of very long ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from anaphora.language import counts_characters, sentences


def segments(text: str, lang: str, size: Callable[[str], int], room: int) -> list[tuple[int, int]]:
    """The character ranges of a text's sentences; one of more than `room` tokens is divided at
    spaces, or without one between characters.

    >>> segments("One two. Three.", "en", len, 6)
    [(0, 3), (4, 8), (9, 12), (12, 15)]
    """
    return [
        part
        for start, end in sentences(text, lang)
        for part in _divided(text, start, end, size, room)
    ]


def joined(text: str, ranges: Sequence[tuple[int, int]], parts: Sequence[str], lang: str) -> str:
    """Translations of the ranges of a text as one text, with the line breaks of the original.

    >>> joined("One.\\nTwo. Three.", [(0, 4), (5, 9), (10, 16)], ["一。", "二。", "三。"], "zh")
    '一。\\n二。三。'
    """
    space = "" if counts_characters(lang) else " "
    made = ""
    end = 0
    for (start, after), part in zip(ranges, parts, strict=True):
        gap = text[end:start]
        if made:
            made += gap if "\n" in gap else space
        made += part
        end = after
    return made


def _divided(
    text: str, start: int, end: int, size: Callable[[str], int], room: int
) -> Iterator[tuple[int, int]]:
    if end - start < 2 or size(text[start:end]) <= room:
        yield start, end
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle + 1)
    if space < 0:
        space = text.find(" ", middle, end - 1)
    left, right = (space, space + 1) if space > 0 else (middle, middle)
    yield from _divided(text, start, left, size, room)
    yield from _divided(text, right, end, size, room)
