"""The linker's input: a conversation as one sequence of tokens, with its words as nodes of a graph.

    <s> title </s> turn </s> … </s> turn </s> question </s>

The newest turns come last, before the question. <s> is the null node: a gap that links to it gets
no insertion. When there is more than fits, the title, the question and the newest turns are kept,
and of long turns their beginnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anaphora.models.tokenizer import BEGIN, END
from anaphora.records import Conversation
from anaphora.rewrite.tokenization import Range, word_ranges

MAX_TOKENS = 128
_TITLE_TOKENS = 24
_QUESTION_TOKENS = MAX_TOKENS // 2
_USER_TOKENS = 32
_NEWEST_TOKENS = 48
_OLDER_TOKENS = 16
_MIN_TURN_TOKENS = 6

TITLE, USER, ASSISTANT, QUESTION = range(4)
ROLES = 4
DISTANCES = 8
PLACES = 4
"""A word has its own tokens, or it is the first, a middle or the last word of one token."""
_OWN, _FIRST, _MIDDLE, _LAST = range(PLACES)

IntArray = npt.NDArray[np.int64]


class OffsetTokenizer(Protocol):
    """A tokenizer that returns the character range of each token."""

    def encode_ranges(self, text: str, limit: int) -> tuple[list[int], list[Range]]:
        """At most `limit` ids of `text`, and the start and end of each."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A text of the sequence; `turn` is its index in the conversation, None for the title."""

    text: str
    turn: int | None
    role: int
    distance: int


@dataclass(frozen=True, slots=True)
class Word:
    """Characters start..end of an utterance, and its tokens first..last (both ends exclusive)."""

    utterance: int
    start: int
    end: int
    first: int
    last: int
    place: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A conversation as the linker reads it.

    Attributes:
        ids: token ids [t].
        roles: of the utterance of each token [t].
        distances: from each token's utterance to the question in turns [t], at most DISTANCES - 1.
        utterances: the texts, the question last.
        words: the words of the context, then those of the question.
        context: how many of the words belong to the context.
        whole: False where the question was truncated.
    """

    ids: IntArray
    roles: IntArray
    distances: IntArray
    utterances: tuple[Utterance, ...]
    words: tuple[Word, ...]
    context: int
    whole: bool

    def text(self, first: int, last: int) -> str:
        """The text from one word to another of the same utterance."""
        word = self.words[first]
        return self.utterances[word.utterance].text[word.start : self.words[last].end]


def lay_out(
    conversation: Conversation, tokenizer: OffsetTokenizer, limit: int = MAX_TOKENS
) -> Layout:
    """The sequence of at most `limit` tokens for the question of a conversation."""
    question = Utterance(conversation.question.text, len(conversation.turns) - 1, QUESTION, 0)
    ids, ranges = tokenizer.encode_ranges(question.text, _QUESTION_TOKENS + 1)
    whole = len(ids) <= _QUESTION_TOKENS
    parts = [(question, ids[:_QUESTION_TOKENS], ranges[:_QUESTION_TOKENS])]
    room = limit - 2 - len(parts[0][1])
    head = None
    if conversation.title:
        ids, ranges = tokenizer.encode_ranges(conversation.title, _TITLE_TOKENS)
        head = (Utterance(conversation.title, None, TITLE, DISTANCES - 1), ids, ranges)
        room -= len(ids) + 1
    for utterance, most in _newest_first(conversation):
        size = min(most, room - 1)
        if size < _MIN_TURN_TOKENS:
            break
        ids, ranges = tokenizer.encode_ranges(utterance.text, size)
        if ids:
            parts.append((utterance, ids, ranges))
            room -= len(ids) + 1
    if head and head[1]:
        parts.append(head)
    parts.reverse()
    return _joined(parts, whole)


def _newest_first(conversation: Conversation) -> Iterator[tuple[Utterance, int]]:
    """The utterances before the question, and how many tokens of each are read at most."""
    newest = True
    for back, number in enumerate(reversed(range(len(conversation.history))), 1):
        turn = conversation.turns[number]
        distance = min(back, DISTANCES - 2)
        if turn.role == "user":
            yield Utterance(turn.text, number, USER, distance), _USER_TOKENS
        else:
            most = _NEWEST_TOKENS if newest else _OLDER_TOKENS
            yield Utterance(turn.text, number, ASSISTANT, distance), most
            newest = False


def _joined(parts: list[tuple[Utterance, list[int], list[Range]]], whole: bool) -> Layout:
    ids, roles, distances = [BEGIN], [QUESTION], [0]
    words: list[Word] = []
    context = 0
    for number, (utterance, numbers, ranges) in enumerate(parts):
        if number == len(parts) - 1:
            context = len(words)
        words += _words(utterance.text, number, ranges, len(ids))
        ids += [*numbers, END]
        roles += [utterance.role] * (len(numbers) + 1)
        distances += [utterance.distance] * (len(numbers) + 1)
    return Layout(
        np.array(ids),
        np.array(roles),
        np.array(distances),
        tuple(utterance for utterance, _, _ in parts),
        tuple(words),
        context,
        whole,
    )


def _words(text: str, utterance: int, tokens: list[Range], offset: int) -> Iterator[Word]:
    """The words of a text that its tokens, given by their ranges, cover completely."""
    if not tokens:
        return
    covered = tokens[-1][1]
    at = 0
    found: list[tuple[int, int, int, int]] = []
    for start, end in word_ranges(text[: covered + 1]):
        if end > covered:
            break
        while at < len(tokens) and tokens[at][1] <= start:
            at += 1
        last = at
        while last < len(tokens) and tokens[last][0] < end:
            last += 1
        if last > at:
            found.append((start, end, at, last))
    if not found:
        return
    own = [(first, last) for _, _, first, last in found]
    before = [False, *(a == b and a[1] - a[0] == 1 for a, b in pairwise(own))]
    after = [*before[1:], False]
    for (start, end, first, last), shared, shares in zip(found, before, after, strict=True):
        place = (_MIDDLE if shares else _LAST) if shared else (_FIRST if shares else _OWN)
        yield Word(utterance, start, end, offset + first, offset + last, place)
