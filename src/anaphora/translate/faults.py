"""What is wrong with a translation, as far as that can be told without understanding it."""

from __future__ import annotations

import re

from anaphora.language import ascii_digits, counts_characters, identify
from anaphora.records import UNKNOWN

_IDENTIFIED = 20
"""Characters from which on the language of a text is identified."""
_LONGER, _ROOM = 3.0, 60
"""A translation has at most `_LONGER` times the characters of the text and `_ROOM` more."""
_DENSE = 3.0
"""How many characters of other scripts one of Chinese, Japanese or Thai stands for."""
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f'’ ]\d{3})*")


def fault(text: str, translation: str, source: str, target: str) -> str | None:
    """Why a translation is not used, in words; None where nothing is wrong.

    It must not be empty, must be in the target language where that can be told, must not be far
    longer than the text, and must hold every number of the text in digits.

    >>> fault("It opened in 1932.", "Elle a ouvert en 1923.", "en", "fr")
    'it lacks the number 1932'
    """
    if not translation.strip():
        return "it is empty"
    dense = _DENSE if counts_characters(source) and not counts_characters(target) else 1.0
    if len(translation) > _LONGER * dense * len(text) + _ROOM:
        return "it is far longer than the text"
    if len(translation) >= _IDENTIFIED and identify(translation) not in (target, UNKNOWN):
        return f"it is not in the language {target}"
    known = numbers(translation)
    missing = [number for number in numbers(text) if number not in known]
    return f"it lacks the number {missing[0]}" if missing else None


def numbers(text: str) -> list[str]:
    """The whole numbers of a text, without the marks between their thousands.

    >>> numbers("4 500 m, 1.200 km and ३")
    ['4500', '1200', '3']
    """
    return [re.sub(r"\D", "", one) for one in _NUMBER.findall(ascii_digits(text))]
