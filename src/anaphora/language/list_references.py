"""References to an item of a list by its number: "the second one", "the last option", "step 3".

The phrases of each language are in the table `[list_references]` of its file (see
`anaphora.language.tables`):

`before`
    Articles, one of which stands before the number if there is no `things`. Languages without
    articles have none.
`words`
    A line for each number from the first on, and a last line for the last item. "_" stands for a
    space.
`things`
    What an item may be called, before or after the number.
`alone`
    False where the number counts only with one of the `things`.
`after`
    A pattern of what may follow, so that "the last layer" is no reference; by default the end, a
    mark or a stop word where no thing is named, and anything after a thing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from anaphora.language.scripts import counts_characters
from anaphora.language.stopwords import stop_words
from anaphora.language.tables import table

LAST: Final = -1
_LONGEST: Final = 200
"""Characters; a longer utterance is no short reference."""
_NEVER: Final = r"(?!)"


class ListReference(NamedTuple):
    """Characters `start` to `end` name the item with this `number`: `LAST`, or from 1 on."""

    number: int
    start: int
    end: int


def list_reference(text: str, lang: str) -> ListReference | None:
    """The reference to an item of a list in an utterance; None for one without it.

    >>> list_reference("what does the third one do?", "en")
    ListReference(number=3, start=10, end=23)
    >>> list_reference("und die letzte Option?", "de")
    ListReference(number=-1, start=4, end=21)
    >>> list_reference("how do I delete the last layer", "en")
    """
    if len(text) > _LONGEST:
        return None
    for number, pattern in _patterns(lang):
        found = pattern.search(text)
        if found:
            digits = found.groupdict().get("digits")
            return ListReference(int(digits) if digits else number, *found.span("said"))
    return None


@lru_cache(maxsize=32)
def _patterns(lang: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    listed = table(lang, "list_references")
    if not listed:
        return ()
    spaced = not counts_characters(lang)
    gap = r"\s+" if spaced else r"\s*"
    begin = rf"(?<!\w){table(lang, 'questions').get('prefix', '')}" if spaced else ""
    end = r"(?!\w)" if spaced and lang != "ko" else ""
    article = rf"(?:{_either(listed['before'])}(?:(?<=')|{gap}))" if "before" in listed else "(?:)"
    things = _either(listed["things"])
    after = listed.get("after") or _stop_word(lang)
    found = []
    lines = [line for line in listed["words"].split("\n") if line]
    for at, line in enumerate(lines, 1):
        word = _either(line)
        named = rf"{article}?(?:{things}{gap}{article}?{word}|{word}{gap}{things}){end}"
        alone = f"{article}{word}{end}" if listed.get("alone", True) else _NEVER
        pattern = rf"{begin}(?P<said>{named}(?={listed.get('after', '')})|{alone}(?={after}))"
        found.append((LAST if at == len(lines) else at, re.compile(pattern, re.IGNORECASE)))
    numbered = rf"{begin}(?P<said>{article}?{things}\s*#?(?P<digits>\d{{1,2}}))(?![\w.])"
    return (*found, (0, re.compile(numbered, re.IGNORECASE)))


def _stop_word(lang: str) -> str:
    words = "|".join(map(re.escape, sorted(stop_words(lang), key=len, reverse=True)))
    return rf"\s*$|\s*[^\w\s]|\s+(?:{words})(?!\w)"


def _either(words: str) -> str:
    longest = sorted(words.split(), key=len, reverse=True)
    return f"(?:{'|'.join(re.escape(word).replace('_', ' ') for word in longest)})"
