"""Words of a question that occur in none of the documents."""

from __future__ import annotations

import re
from functools import lru_cache

from anaphora.index import TermStatistics
from anaphora.language import analyzer, normalize, stop_words, tokenize
from anaphora.language.scripts import HAN, HANGUL, KANA, KHMER, LAO, MYANMAR, THAI

_SHORTEST = 3
"""Letters of a word that is named."""
_MOST = 3
"""Words that are named at most."""
_KOREAN_VERB = re.compile("(?:요|다|까|죠|면|서|기|법)$")
"""How verbs end, whose forms no analysis knows."""
_APOSTROPHE = re.compile("['’]")


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    unspaced = f"{HAN}{KANA}{HANGUL}{THAI}{LAO}{KHMER}{MYANMAR}"
    return re.compile(f"(?P<katakana>[ァ-ヺー]+)|(?P<hangul>[{HANGUL}]+)|[^\\s{unspaced}]+")


def unmentioned(index: TermStatistics, question: str, lang: str) -> tuple[str, ...]:
    """The first three words of a question that occur in no form in any passage; no stop words.

    A word stands between spaces. In Japanese a run of katakana is one, and in Korean it ends before
    a particle. Words of other writing without spaces are not named, because nothing shows where
    they begin and end.
    """
    found: list[str] = []
    for match in _word().finditer(normalize(question)):
        if match["katakana"]:
            found += [match[0]] if _is_new(index, match[0]) else []
        elif match["hangul"]:
            stem = _without_particle(match[0])
            verb = _KOREAN_VERB.search(match[0])
            found += [stem] if not verb and _is_new(index, stem) else []
        else:
            words = [word for word in tokenize(match[0]) if analyzer(lang).term(word)]
            counts = index.statistics(words)
            found += [
                _base(word) for word, count in zip(words, counts, strict=True) if not count.df
            ]
    named = [word for word in dict.fromkeys(found) if sum(map(str.isalpha, word)) >= _SHORTEST]
    return tuple(named[:_MOST])


def _is_new(index: TermStatistics, word: str) -> bool:
    """Whether at least half of the pairs of a word's characters occur nowhere: where two known
    words meet, one pair may be new."""
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    absent = sum(not count.df for count in index.statistics(pairs))
    return 2 * absent >= len(pairs) > 1


def _without_particle(word: str) -> str:
    """A Korean word without the particle that it ends with, or two of which one is longer.

    >>> _without_particle("라즈베리파이에서도")
    '라즈베리파이'
    """
    for shortest in (1, 2):
        endings = (word[at:] for at in range(2, len(word) - shortest + 1))
        found = [ending for ending in endings if ending in stop_words("ko")]
        word = word.removesuffix(max(found, key=len, default=""))
    return word


def _base(word: str) -> str:
    """A word without an elided article or an ending after an apostrophe.

    >>> _base("l'ipad"), _base("Ankara'da")
    ('ipad', 'Ankara')
    """
    return max(_APOSTROPHE.split(word), key=len)
