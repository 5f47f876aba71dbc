"""Question and passage as one input sequence of the cross-encoder.

The sequence is `<s> question </s> title : text </s>`. A text that does not fit is read in several
windows that overlap.
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
"""Tokens of a question that are read: its last ones."""
_TITLE = 32
_OVERLAP = 40
WINDOWS = 16
"""The most windows of one passage that are read."""

QUESTION, TITLE, TEXT, SHARED = range(4)
"""The type of a token: of the question, the title or the text; or of the latter two and also in the
question."""
KINDS = 4


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence of t tokens.

    Attributes:
        ids: token ids, int64 [t].
        kinds: token types, int64 [t].
        first: index of the first token of the text; its tokens end before the last one of all.
        ranges: for each token of the text, its characters in the text.
    """

    ids: IntArray
    kinds: IntArray
    first: int
    ranges: tuple[tuple[int, int], ...]


class Sequencer:
    """Makes the input sequences of pairs."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._separator = tokenizer.encode(":", 4)

    def windows(self, question: str, title: str, text: str) -> list[Window]:
        """The windows that a passage is read in, at least one; their texts overlap."""
        question_ids = self._question(question)
        title_ids = self._tokenizer.encode(title, _TITLE) if title.strip() else []
        separator = self._separator if title_ids else ()
        head = [BEGIN, *question_ids, END, *title_ids, *separator]
        room = LONGEST - len(head) - 1
        step = max(1, room - _OVERLAP)
        text_ids, ranges = self._tokenizer.encode_ranges(text, room + (WINDOWS - 1) * step)
        in_question = frozenset(question_ids)
        found = []
        for start in range(0, max(1, len(text_ids) - _OVERLAP), step):
            part = text_ids[start : start + room]
            ids = np.array([*head, *part, END])
            kinds = np.full(len(ids), TEXT)
            kinds[: 2 + len(question_ids)] = QUESTION
            kinds[2 + len(question_ids) : len(head)] = TITLE
            _mark_shared(ids, kinds, in_question)
            found.append(Window(ids, kinds, len(head), tuple(ranges[start : start + room])))
        return found

    def _question(self, question: str) -> list[int]:
        # A token has at least one character, so that this limit cuts nothing off the end.
        return self._tokenizer.encode(question[-8 * _QUESTION :], 8 * _QUESTION)[-_QUESTION:]


def _mark_shared(ids: IntArray, kinds: IntArray, in_question: frozenset[int]) -> None:
    after = kinds != QUESTION
    after[-1] = False
    kinds[after & np.isin(ids, list(in_question))] = SHARED
