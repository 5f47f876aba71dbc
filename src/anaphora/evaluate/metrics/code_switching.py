"""The fraction of an answer that is in another script than its language's.

Chirkova et al., "Retrieval-augmented generation in multilingual settings" (2024), name it as the
failure that the correct-language rate misses: names and terms left in English.
"""

from __future__ import annotations

from typing import Final

from anaphora.evaluate.metrics.tokens import words
from anaphora.language import scripts
from anaphora.records import UNKNOWN

_SCRIPTS: Final = {
    lang: frozenset(names)
    for names, langs in {
        ("Han",): "zh",
        ("Han", "Kana"): "ja",
        ("Hangul", "Han"): "ko",
        ("Cyrillic",): "ru uk be bg mk kk ky mn tg",
        ("Cyrillic", "Latin"): "sr",
        ("Arabic",): "ar fa ur ku ps ug sd",
        ("Devanagari",): "hi mr ne sa",
        ("Bengali",): "bn as",
        ("Greek",): "el", ("Hebrew",): "he", ("Gurmukhi",): "pa", ("Gujarati",): "gu",
        ("Oriya",): "or", ("Tamil",): "ta", ("Telugu",): "te", ("Kannada",): "kn",
        ("Malayalam",): "ml", ("Sinhala",): "si", ("Thai",): "th", ("Lao",): "lo",
        ("Tibetan",): "bo", ("Myanmar",): "my", ("Georgian",): "ka", ("Armenian",): "hy",
        ("Ethiopic",): "am ti", ("Khmer",): "km",
    }.items()
    for lang in langs.split()
}  # fmt: skip
_LATIN: Final = frozenset({"Latin"})


def code_switching(prediction: str, lang: str) -> float | None:
    """The fraction of words or characters in a script that the language is not written in.

    Lower is better, unlike every other metric here. Numbers, punctuation and emoji are in no
    script; None where nothing is, or where the language is unknown.

    >>> code_switching("Столица Франции - Paris", "ru")
    0.3333333333333333
    """
    own = _SCRIPTS.get(lang, _LATIN)
    found = [script for word in words(prediction, lang) if (script := scripts.script_of(word[0]))]
    if lang == UNKNOWN or not found:
        return None
    return sum(script not in own for script in found) / len(found)
