"""The closed set of phrases that the linker may insert besides spans of the context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from anaphora.rewrite.linking.possessives import function_words
from anaphora.rewrite.pronoun_forms import all_adpositions


class PhraseSet:
    """Phrases by number (0 is none), and which of them each language has.

    After the phrases that the linker was trained to choose come the function words that the rules
    insert next to a name (`anaphora.rewrite.linking.language_rules`).

    Args:
        trained: the phrases in the order of the linker's scores.
        languages: the phrases of each language.
    """

    def __init__(self, trained: Sequence[str], languages: Mapping[str, Sequence[str]]) -> None:
        self.texts = ("", *trained, *sorted((all_adpositions() | function_words()) - set(trained)))
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self._none = np.zeros(1 + len(trained), bool)
        self._none[0] = True
        self._allowed: dict[str, npt.NDArray[np.bool_]] = {}
        for lang, phrases in languages.items():
            allowed = self._none.copy()
            allowed[[self.numbers[text] for text in phrases]] = True
            self._allowed[lang] = allowed

    def allowed(self, lang: str) -> npt.NDArray[np.bool_]:
        """Which trained phrases a question of a language may get [v]; none in an unknown one."""
        return self._allowed.get(lang, self._none)
