"""Whether an answer is in the language it was asked for in.

Chirkova et al., "Retrieval-augmented generation in multilingual settings" (2024), section 3: the
correct-language rate is the mean over the answers whose language can be identified.
"""

from __future__ import annotations

from typing import Final

from anaphora.language import dominant_script, identify
from anaphora.records import UNKNOWN

_SHORT: Final = 20
"""Characters: the paper judges longer answers only."""

_SHARED: Final = frozenset({"Latin", "Cyrillic", "Arabic", "Devanagari"})
"""Scripts of many languages, in which a short answer, often a name, may be any of them."""


def correct_language(prediction: str, lang: str) -> float | None:
    """1 if the text is in the language, 0 if it is in another, None where that is uncertain.

    Uncertain are texts that `identify` does not know, short ones in a script of many languages, and
    short ones in Chinese characters where Japanese is asked for.

    >>> correct_language("La respuesta está en la página dos.", "es")
    1.0
    >>> print(correct_language("Frank Zappa", "es"))
    None
    """
    found = identify(prediction)
    if UNKNOWN in (lang, found):
        return None
    script = dominant_script(prediction)
    if len(prediction.strip()) <= _SHORT and (
        script in _SHARED or (script == "Han" and lang == "ja")
    ):
        return None
    return float(found == lang)
