"""Words as character ranges of a text: the linker's nodes, and the units of every alignment.

In writing with spaces a word is a run of letters, marks and digits, and each punctuation mark is a
word; English 's is one too, because rewrites often add it to a name. In writing without spaces (zh,
ja, th, lo, km, my), each character with its marks is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice

from anaphora.language import scripts
from anaphora.normal_form import normal_form

Range = tuple[int, int]


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    marks = scripts.mark_class()
    single = (
        f"{scripts.HAN}{scripts.KANA}{scripts.THAI}{scripts.LAO}{scripts.KHMER}{scripts.MYANMAR}"
    )
    return re.compile(
        rf"[{single}][{marks}]*|['’][sS]\b|(?:(?![{single}])[\w{marks}])+|[^\w\s][{marks}\u200d]*"
    )


def word_ranges(text: str, limit: int | None = None) -> list[Range]:
    """The first `limit` words of a text, or all, as (start, end) offsets in characters.

    >>> text = "Zappa's 乐队?"
    >>> [text[start:end] for start, end in word_ranges(text)]
    ['Zappa', "'s", '乐', '队', '?']
    """
    return [match.span() for match in islice(_pattern().finditer(text), limit)]


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The word without case, compatibility forms and accents on Latin letters, for comparison.

    >>> fold("Dalí") == fold("DALI")
    True
    """
    if word.isascii():
        return word.lower()
    kept: list[str] = []
    for char in normal_form("NFKD", word.replace("’", "'")).casefold():
        if not (unicodedata.combining(char) and kept and kept[-1].isascii()):
            kept.append(char)
    return normal_form("NFC", "".join(kept))


def folded_words(text: str) -> list[str]:
    """The words of a text, folded.

    >>> folded_words("Zappa's BAND")
    ['zappa', "'s", 'band']
    """
    return [fold(text[start:end]) for start, end in word_ranges(text)]
