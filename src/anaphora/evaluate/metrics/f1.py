"""Word overlap of answers: the F1 of SQuAD, by language as in MLQA.

Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension of Text" (2016); Lewis et
al., "MLQA: Evaluating Cross-lingual Extractive Question Answering" (2020).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from anaphora.evaluate.metrics.scores import best, overlap
from anaphora.evaluate.metrics.tokens import folded, split, tokenized, tokens

_ARTICLES: Final = {
    lang: frozenset(words.split())
    for lang, words in {
        "de": "ein eine einen einem eines einer der die das den dem des",
        "en": "a an the",
        "es": "un una unos unas el la los las",
        "fr": "un une des le la les",
        "it": "un uno una il lo la i gli le",
        "pt": "um uma uns umas o a os as",
        # Not articles, but what MLQA's evaluation leaves out.
        "vi": "của là cái chiếc những",
    }.items()
}
_ARABIC_ARTICLE: Final = "ال"

_APART: Final = frozenset({"ca", "fr", "it", "tr"})
"""Where an apostrophe parts words ("l'homme") or a name from its endings ("Ankara'da")."""

_EAST_ASIAN: Final = re.compile(
    "[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]"
)


def answer_words(text: str, lang: str) -> list[str]:
    """The words of an answer in the form that is compared: no punctuation, symbols or articles.

    Punctuation inside a word goes without leaving a gap ("1,000" is "1000"), as in SQuAD; that of
    Chinese and Japanese stands for a space. The Arabic article goes from the beginning of words.
    An answer of articles alone keeps them, one of punctuation or emoji alone keeps these.

    >>> answer_words("The 1,000 U.S. cities", "en"), answer_words("A", "en")
    (['1000', 'us', 'cities'], ['a'])
    >>> answer_words("l’état de Genève", "fr"), answer_words("《红楼梦》", "zh")
    (['état', 'de', 'genève'], ['红', '楼', '梦'])
    """
    plain = folded(_EAST_ASIAN.sub(" ", text), lang)
    if lang in _APART:
        plain = re.sub(r"['’]", " ", re.sub(r"\bl['’]", " ", plain))
    found = split("".join(char for char in plain if unicodedata.category(char)[0] not in "PS"))
    if lang == "ar":
        found = [_without_article(word) for word in found]
    articles = _ARTICLES.get(lang, frozenset())
    return [word for word in found if word not in articles] or found or tokens(text, lang)


def f1(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """F1 of the words of prediction and reference, the best of the references.

    None where no reference says anything.

    >>> f1("the Mothers of Invention", ["Mothers"], "en")
    0.5
    """
    mine = answer_words(prediction, lang)
    golds = tokenized(references, lang, answer_words)
    return best(lambda gold: overlap(mine, gold).f1, golds)


def _without_article(word: str) -> str:
    stem = word.removeprefix(_ARABIC_ARTICLE)
    return stem if len(stem) > 1 else word
