"""Detects legacy encodings, those older than Unicode.

Each candidate decodes a sample, and the decoded text gets a score. In an alphabet, the score is a
matter of how common its letters are in a language that used the encoding; in Chinese, Japanese and
Korean, of the fraction of characters from the first level of the encoding's standard, which has the
common characters. No table of frequencies is needed. From some twenty letters on, the right
encoding wins by a wide margin (figures in docs/decisions/ingest-encodings.md).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_SCANNED = 4 * 2**20  # bytes searched for text that is not ASCII
_SAMPLE = 6_000  # bytes scored

# Runs of bytes that can belong to one word: the second byte of a character may look like ASCII.
_RUN = re.compile(rb"[\x40-\x7e]*[\x80-\xff][\x40-\xff]*")

_USUAL, _RARE, _FOREIGN, _BROKEN = 1.0, 0.6, -1.0, -2.0
_KANA, _HANGUL, _COMMON_HAN, _OTHER_HAN = 1.5, 1.0, 0.9, -0.5
_TYPOGRAPHIC = frozenset("“”„‘’«»–—…•§€£©®™\u00a0")
_PUNCTUATION = frozenset("“”„‘’‚«»‹›–—…•·°§€£©®™ºª¿¡¶\u00a0×½№،؛؟ـ\u200c\u200d\u200e\u200f")

# The letters beyond ASCII of the languages that used an encoding: the common ones, then the rare
# ones. Between equal scores, the first encoding wins.
_ALPHABETS: dict[str, tuple[tuple[str, str], ...]] = {
    "cp1252": (
        ("éèàêç", "ôîâûùïëœæÿü"),  # French
        ("äöüß", "éèà"),  # German
        ("óíáéñ", "úü"),  # Spanish
        ("ãçáéíó", "êõúâôàü"),  # Portuguese
        ("àèéìòù", "îó"),  # Italian
        ("äöå", "éšžü"),  # Finnish, Swedish
        ("øåæ", "éóòôü"),  # Danish, Norwegian
        ("éëï", "èöüóáê"),  # Dutch
        ("àéèíóòç", "úïü·"),  # Catalan
        ("", "áéíóúýðþæö"),  # Icelandic
    ),
    "cp1254": (("ışğüçö", "âîû"),),  # Turkish, apart from İ, which is a capital of its own
    "cp1250": (
        ("łążęóśćń", "ź"),  # Polish
        ("íáěéýčřžšů", "úťňóď"),  # Czech
        ("áéőöóüí", "űú"),  # Hungarian
        ("šžčćđ", ""),  # Croatian, Slovene
        ("áíčéšžýú", "ľťňôďäĺóŕ"),  # Slovak
        ("ăîţâş", "șț"),  # Romanian
    ),
    "cp1251": (
        ("оеаинтсрвлкмдпуяы", "ьгзбчйхжшюцщэфъё"),
        ("оаиніетрсвлкупдмяз", "ьбгчйїєхжцшюґщф"),
    ),
    "koi8-r": (("оеаинтсрвлкмдпуяы", "ьгзбчйхжшюцщэфъё"),),
    "cp866": (("оеаинтсрвлкмдпуяы", "ьгзбчйхжшюцщэфъё"),),
    "iso8859-5": (("оеаинтсрвлкмдпуяы", "ьгзбчйхжшюцщэфъё"),),
    "cp1253": (("αοιετνσηρκπτμλςάίόέ", "υγδωύήώθχφβξζψϊϋΐΰ"),),
    "cp1255": (("יוהלאתמרבשנ", "דחעקפצסגטזכךםןףץ" + "".join(map(chr, range(0x5B0, 0x5C3)))),),
    "cp1256": (
        ("اليمونترةبعدسفهكأق", "حجشصطىخإضذزثءغئظؤآلپچژگًٌٍَُِّْ"),
        ("انیردهمتوسبشکزگلف", "خقیيكچپجعحصغطآذضثظژئأءة"),
    ),
    "iso8859-6": (("اليمونترةبعدسفهكأق", "حجشصطىخإضذزثءغئظؤآًٌٍَُِّْ"),),
    "cp874": (("านรอกเงมยลวดทสต่้ีัิ", "".join(map(chr, range(0xE01, 0xE5C)))),),
    "iso8859-2": (
        ("łążęóśćń", "ź"),
        ("íáěéýčřžšů", "úťňóď"),
        ("áéőöóüí", "űú"),
        ("šžčćđ", ""),
        ("áíčéšžýú", "ľťňôďäĺóŕ"),
        ("ăîţâş", ""),
    ),
}
_EAST_ASIAN = ("cp932", "euc_jp", "gb18030", "big5", "cp949")


def guess_encoding(data: bytes) -> str:
    """Python's name of the most probable encoding of bytes that are not UTF-8.

    >>> guess_encoding("Съешь же ещё этих мягких французских булок".encode("koi8-r"))
    'koi8-r'
    """
    sample = _sample(data)
    scores = {name: _alphabetic(sample, name) for name in _ALPHABETS}
    scores |= {name: _east_asian(sample, name) for name in _EAST_ASIAN}
    return max(scores, key=lambda name: scores[name])


def _sample(data: bytes) -> bytes:
    parts = []
    size = 0
    for run in _RUN.finditer(data, 0, _SCANNED):
        parts.append(run[0][:_SAMPLE])
        size += len(parts[-1])
        if size > _SAMPLE:
            break
    return b" ".join(parts)


def _alphabetic(sample: bytes, encoding: str) -> float:
    """The best mean weight of the letters beyond ASCII, over the encoding's languages."""
    text = sample.decode(encoding, "replace")
    letters = Counter(text.replace("İ", "i"))
    beyond = [(char.lower(), times) for char, times in letters.items() if char > "\x7f"]
    total = sum(times for char, times in beyond if char not in _PUNCTUATION)
    if not total:
        # Only quotes, dashes and symbols, as in an English text. No other script looks like that.
        typographic = all(char in _TYPOGRAPHIC for char, _ in beyond)
        return (_KANA if typographic else _RARE) if beyond else _FOREIGN
    # A capital after a small letter indicates that the encoding has swapped their cases.
    turned = sum(after.isupper() and before.islower() for before, after in pairwise(text))
    return (
        max(
            sum(times * _weight(char, usual, rare) for char, times in beyond) / total
            for usual, rare in _ALPHABETS[encoding]
        )
        - turned / total
    )


def _weight(char: str, usual: str, rare: str) -> float:
    if char in usual:
        return _USUAL
    if char in rare:
        return _RARE
    if char in _PUNCTUATION:
        return 0.0
    return _BROKEN if char == "\ufffd" or not char.isprintable() else _FOREIGN


def _east_asian(sample: bytes, encoding: str) -> float:
    letters = Counter(sample.decode(encoding, "replace"))
    beyond = [(char, times) for char, times in letters.items() if char > "\x7f"]
    total = sum(times for _, times in beyond)
    if not total:
        return _FOREIGN
    return sum(times * _rank(char, encoding) for char, times in beyond) / total


def _rank(char: str, encoding: str) -> float:
    if char == "\ufffd" or not char.isprintable():
        return _BROKEN
    if "\u3041" <= char <= "\u30ff":
        return _KANA if encoding in ("cp932", "euc_jp") else _OTHER_HAN
    if "\u3001" <= char <= "\u301f" or "\uff01" <= char <= "\uff5e" or char in _PUNCTUATION:
        return _COMMON_HAN
    if "\uac00" <= char <= "\ud7a3":
        return _HANGUL if _level(char, "euc_kr", 0xB0, 0xC8) else _OTHER_HAN
    if encoding in ("cp932", "euc_jp"):
        common = _level(char, "euc_jp", 0xB0, 0xCF)
    elif encoding == "gb18030":
        common = _level(char, "gb2312", 0xB0, 0xD7)
    elif encoding == "big5":
        common = _level(char, "big5", 0xA4, 0xC6)
    else:
        common = False
    return _COMMON_HAN if common else _OTHER_HAN


def _level(char: str, standard: str, first: int, last: int) -> bool:
    """Whether a character is in these rows of the standard."""
    try:
        return first <= char.encode(standard)[0] <= last
    except UnicodeEncodeError:
        return False
