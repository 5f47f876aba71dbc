"""Function words, which every text of a language contains and searches ignore."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from anaphora.language.tables import text


@lru_cache(maxsize=64)
def elisions(lang: str) -> frozenset[str]:
    """Clitics written before an apostrophe that are not part of the word after it.

    >>> "qu" in elisions("fr")
    True
    """
    return frozenset(text(lang, "elisions").split())


@lru_cache(maxsize=64)
def stop_words(lang: str) -> frozenset[str]:
    """The stop words of a language, in lower case; none for a language without a list.

    >>> "pourquoi" in stop_words("fr"), stop_words("xx")
    (True, frozenset())
    """
    words = unicodedata.normalize("NFKC", text(lang, "stop_words")).split()
    if lang == "ja":
        words += map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC])
    return frozenset(words)
