"""The words that the linker links: character ranges of a text.

Where writing puts spaces between words, a word is a run of letters, marks and digits, and each
sign is a word; English 's is one too, because a name is often restored with it. Where it does not
(zh, ja, th, lo, km, my), each character with its marks is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from anaphora.language import scripts

Range = tuple[int, int]


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    marks = scripts.mark_class()
    alone = (
        f"{scripts.HAN}{scripts.KANA}{scripts.THAI}{scripts.LAO}{scripts.KHMER}{scripts.MYANMAR}"
    )
    return re.compile(
        rf"[{alone}][{marks}]*|['’][sS]\b|(?:(?![{alone}])[\w{marks}])+|[^\w\s][{marks}\u200d]*"
    )


def word_ranges(text: str, limit: int | None = None) -> list[Range]:
    """The first `limit` words of a text, or all, as (start, end) offsets in characters.

    >>> text = "Zappa's 乐队?"
    >>> [text[start:end] for start, end in word_ranges(text)]
    ['Zappa', "'s", '乐', '队', '?']
    """
    ranges: list[Range] = []
    for match in _pattern().finditer(text):
        if limit is not None and len(ranges) == limit:
            break
        ranges.append(match.span())
    return ranges


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The word without case, compatibility forms and accents on Latin letters, to compare.

    >>> fold("Dalí") == fold("DALI")
    True
    """
    if word.isascii():
        return word.lower()
    kept: list[str] = []
    for char in unicodedata.normalize("NFKD", word.replace("’", "'")).casefold():
        if not (unicodedata.combining(char) and kept and kept[-1].isascii()):
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))
