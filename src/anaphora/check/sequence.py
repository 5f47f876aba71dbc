"""A claim as one input sequence of the checker.

The sequence is `<s> question statement </s> evidence </s>`. Evidence that does not fit is read in
several windows that overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from anaphora.models.tokenizer import BEGIN, END, Tokenizer

IntArray = npt.NDArray[np.int64]

LONGEST: Final = 320
"""Tokens of a window, special tokens included."""
STATEMENT: Final = 96
"""Tokens of a statement that are read: its first ones."""
_QUESTION: Final = 40
"""Tokens of a question that are read: its last ones."""
_OVERLAP: Final = 40
_WINDOWS: Final = 8
"""The most windows of one text that are read."""

NEW, HELD, ASKED, ELSEWHERE, REPEATED, MATCHED = range(6)
"""The role of a token: of the statement, and there not or also in the evidence; of the question; of
the evidence, and there in neither statement nor question, in the statement, or only in the
question."""
ROLES: Final = 6


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence of t tokens.

    Attributes:
        ids: token ids, int64 [t].
        roles: the roles of the tokens, int64 [t].
        first: index of the statement's first token.
        ranges: for each token of the statement, its characters in the statement.
    """

    ids: IntArray
    roles: IntArray
    first: int
    ranges: tuple[tuple[int, int], ...]


class Sequencer:
    """Makes the input sequences of claims."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def windows(self, statement: str, evidence: str, question: str = "") -> list[Window]:
        """The windows that evidence is read in, at least one; they overlap."""
        asked = self._tokenizer.encode(question[-8 * _QUESTION :], 8 * _QUESTION)[-_QUESTION:]
        stated, ranges = self._tokenizer.encode_ranges(statement, STATEMENT)
        head = [BEGIN, *asked, *stated, END]
        room = LONGEST - len(head) - 1
        step = room - _OVERLAP
        ids = self._tokenizer.encode(evidence, room + (_WINDOWS - 1) * step)
        return [
            _window(head, 1 + len(asked), tuple(ranges), ids[start : start + room])
            for start in range(0, max(1, len(ids) - _OVERLAP), step)
        ]


def _window(
    head: Sequence[int], first: int, ranges: tuple[tuple[int, int], ...], text: Sequence[int]
) -> Window:
    ids = np.array([*head, *text, END])
    size = len(head)
    roles = np.full(len(ids), ELSEWHERE)
    stated = slice(first, size - 1)
    roles[:first] = roles[size - 1] = ASKED
    roles[stated] = np.where(np.isin(ids[stated], text), HELD, NEW)
    roles[size:-1][np.isin(ids[size:-1], ids[:first])] = MATCHED
    roles[size:-1][np.isin(ids[size:-1], ids[stated])] = REPEATED
    return Window(ids, roles, first, ranges)
