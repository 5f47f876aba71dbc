"""Tokenizers of several kinds of encoders, which give character ranges.

The ids of tokens follow those of the four special ones, as in the backbone's tokenizer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from anaphora.language import scripts
from anaphora.models.tokenizer import UNKNOWN, Tokenizer
from anaphora.models.weights import Weights
from anaphora.rewrite.tokenization import Range, fold, word_ranges

SPECIAL = UNKNOWN + 1
"""The number of special ids, which precede those of words."""


class Characters:
    """The backbone's tokens, with one token for each character of Chinese or Japanese."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        pieces, _ = Weights().vocabulary()
        self._single = {piece: number for number, piece in enumerate(pieces) if len(piece) == 1}

    def encode_ranges(self, text: str, limit: int) -> tuple[list[int], list[Range]]:
        ids: list[int] = []
        ranges: list[Range] = []
        at = 0
        for start, end in (*word_ranges(text, limit), (len(text), len(text))):
            alone = start < end and scripts.is_cjk(text[start])
            if not alone and start < len(text):
                continue
            found, places = self._tokenizer.encode_ranges(text[at:start], limit)
            ids += found
            ranges += [(at + first, at + last) for first, last in places]
            if alone:
                ids.append(self._single.get(text[start], UNKNOWN))
                ranges.append((start, end))
            at = end
        return ids[:limit], ranges[:limit]


class Words:
    """One token for each word of the linker, from a vocabulary of folded words."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = tuple(known)
        self._numbers = {word: number for number, word in enumerate(known, SPECIAL)}

    @classmethod
    def of(cls, texts: Iterable[str], at_least: int = 2) -> Words:
        """The vocabulary of the words that occur `at_least` times, the most frequent first."""
        counts = Counter(fold(text[a:b]) for text in texts for a, b in word_ranges(text))
        return cls([word for word, count in counts.most_common() if count >= at_least])

    def encode_ranges(self, text: str, limit: int) -> tuple[list[int], list[Range]]:
        ranges = word_ranges(text, limit)
        return [self._numbers.get(fold(text[a:b]), UNKNOWN) for a, b in ranges], ranges


class Subwords:
    """The tokens of a Hugging Face tokenizer."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode_ranges(self, text: str, limit: int) -> tuple[list[int], list[Range]]:
        coded = self._tokenizer(
            text,
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=True,
            max_length=limit,
        )
        ranges = [(start, end) for start, end in coded["offset_mapping"]]
        return [number + SPECIAL for number in coded["input_ids"]], ranges
