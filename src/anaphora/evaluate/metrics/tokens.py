"""Text to the tokens that metrics count, by the language of the text.

Both sides go through the normalisation of `anaphora.language` first: NFKC, since "２０１９" and
"2019", "ﬁ" and "fi", or a composed and a decomposed letter are the same to a reader; no Arabic or
Hebrew points and no characters that nobody sees; case folded as the language does; the spellings
that it treats alike made one; the digits of every script as 0-9.

Then the script of each stretch decides: Chinese, Japanese and Korean by characters (Korean as in
KorQuAD's evaluation, because particles stand on the noun), Thai and Lao by grapheme clusters, Khmer
and Burmese by consonant stacks, all else by words, which keep their combining marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from anaphora.evaluate.metrics.scores import several
from anaphora.language import analyzer, ascii_digits, normalize, scripts

Split = Callable[[str, str], list[str]]
"""Text and language to tokens."""

_ASCII: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
_PAPER: Final = re.compile(r"\w+|[^\w\s]")


@lru_cache(4096)
def folded(text: str, lang: str) -> str:
    """The text in the form whose tokens are compared.

    >>> folded("ＩＳＴＡＮＢＵＬ ٢٠٢٤", "tr")
    'ıstanbul 2024'
    """
    found = analyzer(lang).fold(normalize(text))
    return found if found.isascii() else ascii_digits(found)


def split(text: str) -> list[str]:
    """The tokens of folded text, each character of punctuation, symbol or emoji one of them."""
    if text.isascii():
        return _ASCII.findall(text)
    return _pattern().findall(text)


def tokens(text: str, lang: str) -> list[str]:
    """Words or characters, by script, and punctuation; none of them holds white space.

    >>> tokens("iPhone 的价格？", "zh")
    ['iphone', '的', '价', '格', '?']
    >>> tokens("ภาษาไทย", "th")
    ['ภ', 'า', 'ษ', 'า', 'ไ', 'ท', 'ย']
    """
    return split(folded(text, lang))


def words(text: str, lang: str) -> list[str]:
    """The tokens without punctuation, symbols and emoji, unless the text has nothing else.

    >>> words("Qu'est-ce que c'est ?", "fr"), words("?!", "fr")
    (['qu', 'est', 'ce', 'que', 'c', 'est'], ['?', '!'])
    """
    found = tokens(text, lang)
    return [token for token in found if token[0].isalnum()] or found


def runs(text: str, lang: str) -> list[str]:
    """As `words`, but writing without spaces is left in one piece between other scripts.

    >>> runs("iPhoneの価格は。", "ja")
    ['iphone', 'の価格は']
    """
    text = folded(text, lang)
    spans = [match.span() for match in _pattern().finditer(text)]
    spans = [(start, end) for start, end in spans if text[start].isalnum()] or spans
    pieces: list[str] = []
    last, joins = -1, False
    for start, end in spans:
        unspaced = writes_unspaced(text[start])
        if joins and unspaced and start == last:
            pieces[-1] += text[start:end]
        else:
            pieces.append(text[start:end])
        last, joins = end, unspaced
    return pieces


def writes_unspaced(token: str) -> bool:
    """Whether a token belongs to a script that is cut into characters."""
    return not token.isascii() and _unspaced().match(token) is not None


def paper_tokens(text: str, lang: str) -> list[str]:
    r"""The protocol of Li et al. ("Dialogue-RAG"): lower case and `\w+|[^\w\s]`.

    So for English, the language of its data sets with words; `\w+` would cut Hindi or Thai before
    every combining mark, so elsewhere these are `tokens`: for its Chinese sets, characters.

    >>> paper_tokens("Zappa's 1st band?", "en")
    ['zappa', "'", 's', '1st', 'band', '?']
    """
    return _PAPER.findall(text.lower()) if lang == "en" else tokens(text, lang)


def tokenized(references: Sequence[str], lang: str, split: Split) -> list[list[str]]:
    """The tokens of each reference that has any.

    Raises:
        TypeError: `references` is one string, whose characters would count as references.
    """
    return [found for text in several(references) if (found := split(text, lang))]


_DENSE: Final = f"{scripts.HAN}{scripts.KANA}{scripts.HANGUL}"
_CLUSTERED: Final = f"{scripts.THAI}{scripts.LAO}"
_STACKED: Final = f"{scripts.KHMER}{scripts.MYANMAR}"


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_DENSE}{_CLUSTERED}{_STACKED}]")


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    marks = scripts.mark_class()
    letter = rf"[^\W_{_DENSE}{_CLUSTERED}{_STACKED}]"
    # The tables of these scripts hold their marks too: a token never begins with one.
    stack = f"(?![{marks}])[{_STACKED}]"
    return re.compile(
        f"[{_DENSE}][{marks}]*"
        f"|(?![{marks}])[{_CLUSTERED}][{marks}]*"
        # Virama and coeng bind the next consonant.
        rf"|{stack}(?:[\u17d2\u1039]{stack}|[{marks}])*"
        rf"|{letter}(?:{letter}|[{marks}])*"
        rf"|(?:[^\w\s{marks}]|_)[{marks}]*"
    )
