"""Synonyms from a WordNet that is installed on the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from anaphora.errors import UsageError

_PLACES: Final = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/share/wordnet")
_KINDS: Final = ("noun", "verb", "adj", "adv")
_ENDINGS: Final = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
             ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""The inflections of regular words, as WordNet's own library detaches them (its manual, morphy)."""


class WordNet:
    """The words of a WordNet and their synsets.

    Args:
        folder: with the files `index.noun`, `noun.exc` and those of the other parts of speech.

    Raises:
        UsageError: a file cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._synsets: dict[tuple[str, str], frozenset[str]] = {}
        self._irregular: dict[tuple[str, str], list[str]] = {}
        try:
            for kind in _KINDS:
                for line in _lines(folder / f"index.{kind}"):
                    word, _, count, *rest = line.split()
                    self._synsets[kind, word] = frozenset(rest[-int(count) :])
                for line in _lines(folder / f"{kind}.exc"):
                    form, *bases = line.split()
                    self._irregular[kind, form] = bases
        except (OSError, ValueError) as error:
            raise UsageError(f"the WordNet in {folder} cannot be read: {error}") from error

    @classmethod
    def installed(cls) -> WordNet:
        """The one in the folder that the environment variable WNSEARCHDIR names, or where systems
        install it.

        Raises:
            UsageError: there is none, or it cannot be read.
        """
        named = os.environ.get("WNSEARCHDIR", "")
        for place in [named] if named else _PLACES:
            if (Path(place) / "index.noun").is_file():
                return _read(Path(place))
        raise UsageError(
            f"there is no WordNet in {named or 'the usual folders'}: install the package "
            "wordnet-base, or name its folder in WNSEARCHDIR"
        )

    def synsets(self, word: str) -> frozenset[tuple[str, str]]:
        """The synsets of a lower-case word and of its base forms, each with its part of speech."""
        return frozenset(
            (kind, synset)
            for kind in _KINDS
            for base in self._bases(kind, word)
            for synset in self._synsets.get((kind, base), ())
        )

    def _bases(self, kind: str, word: str) -> Iterator[str]:
        yield word
        yield from self._irregular.get((kind, word), ())
        for ending, other in _ENDINGS[kind]:
            if word.endswith(ending):
                yield word.removesuffix(ending) + other


@lru_cache(maxsize=2)
def _read(folder: Path) -> WordNet:
    return WordNet(folder)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file; those of the licence are indented."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith(" "):
                yield line
