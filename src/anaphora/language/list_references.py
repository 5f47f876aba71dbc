"""References to an item of a list by its number: "the second one", "the last option", "step 3".

A question that asks about two things names a list of two: "stable or testing?".

The phrases of each language are in the table `[list_references]` of its file (see
`anaphora.language.tables`):

`before`
    Articles, one of which stands before the number if there is no `things`. Languages without
    articles have none.
`words`
    A line for each number from the first on, and a last line for the last item. "_" stands for a
    space. A word after "=" needs no article.
`things`
    What an item may be called, before or after the number.
`alone`
    False where the number counts only with one of the `things`.
`after`
    A pattern of what may follow, so that "the last layer" is no reference; by default the end, a
    mark or a stop word where no thing is named, and anything after a thing.
`either`, `both`
    The words between two things of which one is asked for, and, where a question asks for a
    difference, between those that it compares.
`pair`
    A pattern with the groups `first` and `second` instead, where words change or are not separated
    by spaces. It counts only in a question that asks for a difference.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from anaphora.language.question_words import compared
from anaphora.language.scripts import counts_characters
from anaphora.language.stopwords import stop_words
from anaphora.language.tables import table

LAST: Final = -1
_LONGEST: Final = 200
"""Characters; a longer utterance is no short reference."""
_NEVER: Final = r"(?!)"
_THING: Final = re.compile(r"\w(?:[\w.+#'’\u0300-\u036f\u0900-\u0963-]*[\w\u0900-\u0963])?")


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
    found: list[tuple[int, re.Pattern[str]]] = []
    lines = [line for line in listed["words"].split("\n") if line]
    for at, line in enumerate(lines, 1):
        word = _either(line.replace("=", ""))
        bare = _either(" ".join(one[1:] for one in line.split() if one[0] == "="))
        named = rf"{article}?(?:{things}{gap}{article}?{word}|{word}{gap}{things}){end}"
        alone = f"{article}{word}{end}" if listed.get("alone", True) else _NEVER
        pattern = (
            rf"{begin}(?P<said>{named}(?={listed.get('after', '')})|{alone}(?={after})|{bare}{end})"
        )
        found.append((LAST if at == len(lines) else at, re.compile(pattern, re.IGNORECASE)))
    numbered = rf"{begin}(?P<said>{article}?{things}\s*#?(?P<digits>\d{{1,2}}))(?![\w.])"
    return (*found, (0, re.compile(numbered, re.IGNORECASE)))


def pair(text: str, lang: str) -> tuple[str, str] | None:
    """The two things that a question asks about; None for any other question.

    >>> pair("is stable or testing better for a server?", "en")
    ('stable', 'testing')
    >>> pair("aptとdpkgの違いは", "ja"), pair("print and save", "en")
    (('apt', 'dpkg'), None)
    """
    if len(text) > _LONGEST:
        return None
    listed = table(lang, "list_references")
    compares = bool(compared(text, lang))
    if "pair" in listed:
        found = re.search(listed["pair"], text) if compares else None
        return (found["first"], found["second"]) if found else None
    joints = f"{listed.get('either', '')} {listed.get('both', '') if compares else ''}".split()
    stopped = stop_words(lang)
    words = [(word[0], word[0].casefold()) for word in _THING.finditer(text)]
    for at, (_, joint) in enumerate(words[1:-1], 1):
        if joint in joints:
            first, key = words[at - 1]
            others = (word for word, key in words[at + 1 : at + 3] if key not in stopped)
            second = next(others, None)
            if second and key not in stopped:
                return first, second
    return None


def _stop_word(lang: str) -> str:
    words = "|".join(map(re.escape, sorted(stop_words(lang), key=len, reverse=True)))
    return rf"\s*$|\s*[^\w\s]|\s+(?:{words})(?!\w)"


def _either(words: str) -> str:
    longest = sorted(words.split(), key=len, reverse=True)
    return f"(?:{'|'.join(re.escape(word).replace('_', ' ') for word in longest) or _NEVER})"
