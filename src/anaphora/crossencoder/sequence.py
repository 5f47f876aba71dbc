"""How a question and a passage stand before the judge as one sequence of tokens.

`<s> question </s> title : text </s>`; a text longer than fits is several windows that overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anaphora.models.tokenizer import BEGIN, END, Tokenizer

IntArray = npt.NDArray[np.int64]

LONGEST = 192
"""Tokens of a window, special tokens included."""
_QUESTION = 64
"""Tokens of a question that are read: the last ones, where it asks."""
_TITLE = 32
_OVERLAP = 40
WINDOWS = 16
"""Windows of one passage that are read."""

ASKED, TITLED, TOLD, ECHOED = range(4)
"""What a token is: the question's, the title's, the text's; or one of the latter two that the
question holds too."""
KINDS = 4


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence of t tokens.

    `ids` and `kinds` are int64 [t]. The tokens of the text are those from `first` on, but for the
    last of all; `ranges` says which characters of the text each of them is.
    """

    ids: IntArray
    kinds: IntArray
    first: int
    ranges: tuple[tuple[int, int], ...]


class Sequencer:
    """Lays pairs out; what it makes of a text is not kept."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._separator = tokenizer.encode(":", 4)

    def windows(self, question: str, title: str, text: str) -> list[Window]:
        """The windows that a passage is read in, at least one; their texts overlap."""
        asked = self._question(question)
        titled = self._tokenizer.encode(title, _TITLE) if title.strip() else []
        head = [BEGIN, *asked, END, *titled, *(self._separator if titled else ())]
        room = LONGEST - len(head) - 1
        step = max(1, room - _OVERLAP)
        ids_of_text, ranges = self._tokenizer.encode_ranges(text, room + (WINDOWS - 1) * step)
        echoes = frozenset(asked)
        found = []
        for start in range(0, max(1, len(ids_of_text) - _OVERLAP), step):
            part = ids_of_text[start : start + room]
            ids = np.array([*head, *part, END])
            kinds = np.full(len(ids), TOLD)
            kinds[: 2 + len(asked)] = ASKED
            kinds[2 + len(asked) : len(head)] = TITLED
            _echo(ids, kinds, echoes)
            found.append(Window(ids, kinds, len(head), tuple(ranges[start : start + room])))
        return found

    def _question(self, question: str) -> list[int]:
        # So many characters are no more tokens than that: the limit cuts nothing off the end.
        return self._tokenizer.encode(question[-8 * _QUESTION :], 8 * _QUESTION)[-_QUESTION:]


def _echo(ids: IntArray, kinds: IntArray, echoes: frozenset[int]) -> None:
    after = kinds != ASKED
    after[-1] = False
    kinds[after & np.isin(ids, list(echoes))] = ECHOED
