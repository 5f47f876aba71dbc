"""Analysis of passages and queries into index terms.

`tokenize` depends on the script only, so that a query has the same tokens whatever the language of
the passages. `Analyzer` then maps each token to its index terms in one language. Measurements of
these choices are in docs/decisions/language-analysis.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Final

from anaphora.language import scripts
from anaphora.language.stopwords import elisions, stop_words
from anaphora.normal_form import normal_form

if TYPE_CHECKING:
    from Stemmer import Stemmer

ANALYSIS_VERSION: Final = 1
"""Must be increased whenever the terms of any text change; see `analysis_version`."""

MAX_TERM: Final = 64
"""Characters kept of a token; longer tokens are encoded data, not words."""

_MAX_CACHED: Final = 1 << 17

_LONG_WORD: Final = 11
_HEAD: Final = 6

_ALGORITHMS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "nb": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip

_DROPPED: Final = dict.fromkeys(
    [
        0x00AD, 0x034F, 0x061C, 0x0640, 0x0670, 0x180E, 0xFEFF,
        *range(0x0610, 0x061B), *range(0x064B, 0x0660), *range(0x06D6, 0x06DD),
        *range(0x06DF, 0x06E5), *range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5,
        0x05C7, *range(0x17B4, 0x17B6), *range(0x200B, 0x2010), *range(0x202A, 0x202F),
        *range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE0200),
    ]
)  # fmt: skip
"""Soft hyphen, zero-width and direction marks, variation selectors, tatweel, Arabic and Hebrew
points. A word is the same with and without them."""

_APOSTROPHES: Final = dict.fromkeys(map(ord, "’ʼ‘´′`"), "'")
_ARABIC: Final = str.maketrans("آأإٱىیکةھہ", "ااااييكههه")
_PERSIAN: Final = str.maketrans("يىكةأإٱؤۀ", "ییکهاااوه")
_NUKTA: Final = "\u093c"


class _Patterns:
    """The compiled patterns, built on first use: the class of marks takes some milliseconds."""

    def __init__(self) -> None:
        marks = scripts.mark_class()
        dense = f"{scripts.HAN}{scripts.KANA}{scripts.HANGUL}"
        syllabic = f"{scripts.KHMER}{scripts.MYANMAR}"
        unspaced = f"{dense}{scripts.THAI}{scripts.LAO}{syllabic}"
        self.dropped = re.compile(f"[{scripts.ranges(_DROPPED)}]")
        # NFKC turns these into letters, which would become part of the preceding word.
        self.signs = re.compile("[™℠]")
        self.underscores = re.compile(r"__+|\b_|_\b")
        # A single letter before a hyphen (e-mail, U-Bahn) is not a separate word. The first
        # character has a class of its own because `re` searches for a leading class fast.
        self.ascii_word = re.compile(
            r"[A-Za-z0-9](?:-(?<!-..)(?<=[A-Za-z]-)(?=[A-Za-z]{2}))?[A-Za-z0-9_]*"
            r"(?:['.][A-Za-z0-9][A-Za-z0-9_]*|(?<=[0-9]),(?=[0-9])[0-9]+)*(?:\+\+|#(?![\w#]))?"
        )
        word = rf"[\w{marks}]"
        self.word = re.compile(
            rf"[^\W_](?:-(?<!-..)(?<=[^\W\d_]-)(?=[^\W\d_]{{2}}))?{word}*"
            rf"(?:['’ʼ.·][^\W_]{word}*|(?<=\d),(?=\d)\d+)*(?:\+\+|#(?![\w#]))?"
        )
        self.any_unspaced = re.compile(f"[{unspaced}]")
        self.runs = re.compile(
            f"([{dense}][{dense}{marks}]*"
            f"|[{scripts.THAI}{scripts.LAO}][{scripts.THAI}{scripts.LAO}{marks}]*"
            f"|[{syllabic}][{syllabic}{marks}]*)"
        )
        self.marks = re.compile(f"[{marks}]")
        self.cluster = re.compile(f"[^{marks}][{marks}]*")
        # Virama and coeng attach the next consonant to the cluster.
        self.stack = re.compile(rf"[^{marks}](?:[\u17d2\u1039][^{marks}]|[{marks}])*")


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    return _Patterns()


def normalize(text: str) -> str:
    """The text in the form that is tokenised: NFKC without invisible characters.

    Full-width forms and ligatures are unified with ordinary letters, and decomposed letters with
    composed ones. Arabic diacritics and tatweel, Hebrew points, soft hyphens and zero-width
    characters are removed.

    >>> normalize("ＡＰＴ ﬁle co\u00adoperate")
    'APT file cooperate'
    """
    if text.isascii():
        return text
    patterns = _patterns()
    if not unicodedata.is_normalized("NFKC", text):
        if patterns.signs.search(text):
            text = patterns.signs.sub(" ", text)
        text = normal_form("NFKC", text)
    if patterns.dropped.search(text):
        # Without the removed marks, adjacent characters may compose.
        text = normal_form("NFKC", text.translate(_DROPPED))
    return text


def tokenize(text: str) -> list[str]:
    """The surface tokens of a text, in order; they depend on the script but not on the language.

    Case is kept, since case folding depends on the language. Words keep inner apostrophes and dots
    ("l'homme", "v2.0", "C++"), which `Analyzer` resolves. Writing without spaces is cut into
    overlapping pieces: single characters and pairs in Chinese, Japanese and Korean; pairs and
    triples of grapheme clusters in Thai and Lao; clusters and pairs of them in Khmer and Burmese.
    Punctuation, symbols and emoji are removed. The time is linear in the length of the text.

    >>> tokenize("What's new in C++ 20?")
    ["What's", 'new', 'in', 'C++', '20']
    >>> tokenize("東京都 Tokyo")
    ['東', '東京', '京', '京都', '都', 'Tokyo']
    """
    patterns = _patterns()
    if text.isascii():
        if "_" in text:
            text = patterns.underscores.sub(" ", text)
        return patterns.ascii_word.findall(text)
    text = normalize(text)
    if "_" in text:
        text = patterns.underscores.sub(" ", text)
    if not patterns.any_unspaced.search(text):
        return patterns.word.findall(text)
    return list(chain.from_iterable(_parts(text)))


def _parts(text: str) -> list[list[str]]:
    """Tokens of a normalised text: at even indexes words, at odd ones the pieces of a run."""
    patterns = _patterns()
    words = patterns.word.findall
    marked = patterns.marks.search(text) is not None
    split = patterns.runs.split(text)
    parts: list[list[str]] = [words(split[0])]
    for run, between in zip(split[1::2], split[2::2], strict=True):
        parts.append(_pieces(run, marked))
        parts.append(words(between) if len(between) > 1 or between.isalnum() else [])
    return parts


def _pieces(run: str, marked: bool) -> list[str]:
    script = scripts.script_of(run[0])
    units: str | list[str] = run
    if script in ("Khmer", "Myanmar"):
        units = _patterns().stack.findall(run)
    elif marked:
        units = _patterns().cluster.findall(run)
    pairs = list(map(add, units, units[1:]))
    shorter: Sequence[str] = units
    longer = pairs
    if script in ("Thai", "Lao") and pairs:
        shorter, longer = pairs, list(map(add, pairs, units[2:]))
    both = [""] * (len(shorter) + len(longer))
    both[::2] = shorter
    both[1::2] = longer
    return both


class Analyzer:
    """Maps text to index terms in one language. Use `analyzer` to get one.

    `stem` maps a folded word to its stem, or to itself where the language has no stemmer.

    Not thread-safe: the stemmer has state.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._stop = frozenset(map(self.fold, stop_words(lang)))
        self.stem = _stemmer(lang)
        self._elisions = elisions(lang)
        self._unspaced = scripts.counts_characters(lang)
        self._cache: dict[str, tuple[str, ...]] = {}
        self._chunks: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """The index terms of a text in order, repeated as they occur.

        >>> analyzer("en").terms("The servers were restarted")
        ['server', 'restart']
        """
        terms: list[str] = []
        if self._unspaced and not text.isascii():
            stop = self._stop
            text = normalize(text)
            if "_" in text:
                text = _patterns().underscores.sub(" ", text)
            for index, part in enumerate(_parts(text)):
                if index % 2:
                    terms += [piece for piece in part if piece not in stop]
                else:
                    for token in part:
                        terms += self.term(token)
            return terms
        # No token contains white space, so the terms of each piece between spaces can be cached.
        chunks = self._chunks
        for chunk in text.split():
            try:
                terms += chunks[chunk]
            except KeyError:
                terms += self._chunk(chunk)
        return terms

    def _chunk(self, chunk: str) -> tuple[str, ...]:
        forms = tuple(form for token in tokenize(chunk) for form in self.term(token))
        if len(chunk) <= MAX_TERM:
            if len(self._chunks) >= _MAX_CACHED:
                self._chunks.clear()
            self._chunks[chunk] = forms
        return forms

    def term(self, token: str) -> tuple[str, ...]:
        """The index terms of a token of `tokenize`: none for a stop word, several for a compound.

        >>> analyzer("fr").term("l'homme"), analyzer("en").term("the")
        (('homm',), ())
        """
        forms = self._cache.get(token)
        if forms is None:
            if len(token) > MAX_TERM:
                token = token[:MAX_TERM].rstrip("_-.,·'’ʼ")
            forms = tuple(form for form in self._forms(token) if form)
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[token] = forms
        return forms

    def _forms(self, token: str) -> tuple[str, ...]:
        if not token.isascii():
            if _patterns().any_unspaced.match(token):
                return () if token in self._stop else (token,)
            token = ascii_digits(token.translate(_APOSTROPHES))
        if token.isalpha():
            return self._word(token)
        if "'" in token:
            token = self._without_apostrophe(token)
            return self._forms(token) if token else ()
        if "_" in token:
            parts = tuple(form for part in token.split("_") if part for form in self._forms(part))
            return (self.fold(token), *parts)
        if "-" in token:
            return self._forms(token.replace("-", ""))
        if token[0].isdecimal() and ("." in token or "," in token):
            return self._number(token)
        if "." in token or "·" in token:
            return self._dotted(re.split("[.·]", token))
        return self._word(token)

    def _without_apostrophe(self, token: str) -> str:
        head, _, tail = token.partition("'")
        if self.lang == "tr":
            return head
        if self.fold(head) in self._elisions:
            return tail
        if self.fold(token) in self._stop:
            return ""
        if self.lang == "en" and tail in ("s", "S"):
            return head
        return token.replace("'", "")

    def _number(self, token: str) -> tuple[str, ...]:
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3}){2,}", token):
            return (re.sub("[.,]", "", token),)
        if re.fullmatch(r"\d{1,2}\.\d{1,2}\.\d{2,4}", token):
            return tuple(token.split("."))
        if token.count(",") == 1 and "." not in token:
            return (token.replace(",", "."),)
        if "," in token:
            return tuple(form for part in token.split(",") if part for form in self._forms(part))
        return (self.fold(token),)

    def _dotted(self, parts: list[str]) -> tuple[str, ...]:
        if all(len(part) == 1 for part in parts):
            return (self.fold("".join(parts)),)
        if any(part[0].isdecimal() for part in parts[1:]):
            return (self.fold(".".join(parts)),)
        return tuple(form for part in parts for form in self._forms(part))

    def _word(self, token: str) -> tuple[str, ...]:
        folded = self.fold(token)
        if folded in self._stop and not (token.isupper() and 2 <= len(token) <= 4):
            return ()
        stem = self.stem(folded)
        if self.lang == "de" and len(stem) > _LONG_WORD:
            # Long German words are compounds. Those with the same beginning are often related.
            return (stem, stem[:_HEAD] + "*")
        return (stem,)

    def fold(self, text: str) -> str:
        """The text with case folded and equivalent spellings of the language unified.

        >>> analyzer("tr").fold("Iğdır"), analyzer("ru").fold("Ёлка")
        ('ığdır', 'елка')
        """
        if self.lang in ("tr", "az"):
            text = text.replace("İ", "i").replace("I", "ı")
        return _NORMALIZERS.get(self.lang, _plain)(text.casefold().replace("i\u0307", "i"))


@lru_cache(maxsize=128)
def analyzer(lang: str) -> Analyzer:
    """The analyser of a language; for an unknown language, one that only folds case.

    >>> analyzer("de").terms("Die Häuser der Straße")
    ['haus', 'strass']
    """
    return Analyzer(lang)


def analysis_version() -> str:
    """The versions of everything that the terms of a text depend on; an index stores them.

    An index with another version must be rebuilt, since its terms may differ from the query's.
    """
    import Stemmer

    return f"{ANALYSIS_VERSION};snowball {Stemmer.version()};unicode {unicodedata.unidata_version}"


def _plain(word: str) -> str:
    return word


def _arabic(word: str) -> str:
    return word.translate(_ARABIC)


def _persian(word: str) -> str:
    return word.translate(_PERSIAN)


def _hindi(word: str) -> str:
    word = normal_form("NFD", word).replace(_NUKTA, "").replace("\u0901", "\u0902")
    return normal_form("NFC", word)


def _russian(word: str) -> str:
    return word.replace("ё", "е")


_NORMALIZERS: Final[dict[str, Callable[[str], str]]] = {
    "ar": _arabic, "fa": _persian, "ur": _persian, "hi": _hindi, "mr": _hindi, "ne": _hindi,
    "ru": _russian,
}  # fmt: skip


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script written as 0-9.

    >>> ascii_digits("٢٠٢٤")
    '2024'
    """
    if not any(char.isdecimal() and char > "9" for char in text):
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _stemmer(lang: str) -> Callable[[str], str]:
    name = _ALGORITHMS.get(lang)
    if name is None:
        return _plain
    import Stemmer

    if name not in Stemmer.algorithms():
        return _plain
    # 0 turns off its cache: `Analyzer` has one.
    stemmer: Stemmer = Stemmer.Stemmer(name, 0)
    stem: Callable[[str], str] = stemmer.stemWord
    return stem
