"""Groups of windows, one group a question, put together as tensors."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.ingest.splitting import split
from anaphora.records import Document
from anaphora.train.judge.network import Batch, stacked
from anaphora.train.judge.questions import Asked, Pool

_CROPPED = 0.6
"""Share of the groups whose passages are read as parts of them, cut as Anaphora's index is."""
_UNTITLED = 0.3
_CHUNK = 1_000
"""Questions that are laid out at a time, and sorted by length."""
_PLACES = 8
_TAUGHT = 2
"""Wrong passages of a question that a teacher has scored."""
_LONG = 24
"""Tokens beyond which an answer is a statement: that it is somewhere in it is learnt, and not where
it begins and ends."""


@dataclass(frozen=True)
class Row:
    """A window with what is right for it; `places` are first and last tokens of the answer,
    `inside` those of a statement that holds it, and `taught` is a teacher's score."""

    window: Window
    relevant: int
    places: tuple[tuple[int, int], ...] = ()
    inside: tuple[int, int] | None = None
    unread: bool = False
    taught: float = math.nan


class Sampler:
    """Draws, for a question, a window that answers it and some that do not."""

    def __init__(self, pool: Pool, sequencer: Sequencer, negatives: int) -> None:
        self._pool = pool
        self._sequencer = sequencer
        self._negatives = negatives

    def group(self, asked: Asked, rng: random.Random) -> list[Row]:
        """Empty where the answer fits no window; without a right one where no passage answers."""
        cropped = rng.random() < _CROPPED
        if not asked.passages:
            return [self._wrong(asked.question, rng.choice(asked.negatives), False, rng)]
        here = self._right(asked, cropped, rng)
        if not here:
            return []
        if len(asked.taught) > 1:
            (_, score), *others = asked.taught
            drawn = rng.sample(others, min(_TAUGHT, len(others)))
            wrong = [
                replace(self._wrong(asked.question, number, False, rng), taught=one)
                for number, one in drawn
            ]
            return [replace(here[0], taught=score), *here[1:], *wrong]
        count = rng.randint(1, self._negatives)
        numbers = rng.sample(asked.negatives, min(count, len(asked.negatives)))
        return [*here, *(self._wrong(asked.question, number, cropped, rng) for number in numbers)]

    def _right(self, asked: Asked, cropped: bool, rng: random.Random) -> list[Row]:
        """A window that answers, and one of the same text that holds nothing of the answer if there
        is any."""
        part = cropped and bool(asked.answers)
        title, text = self._drawn(rng.choice(asked.passages), asked.answers, part, rng)
        windows = self._sequencer.windows(asked.question, title, text)
        if not asked.answers:
            return [Row(windows[0], 1, unread=True)]
        rows = [_placed(window, text, asked) for window in windows]
        held = [row for row in rows if row.places or row.inside]
        if not held:
            return []
        others = [
            replace(row, relevant=-1)
            for row in rows
            if not (row.places or row.inside or touched(row.window, text, asked.answers))
        ]
        return [rng.choice(held), *rng.sample(others, min(1, len(others)))]

    def _wrong(self, question: str, number: int, cropped: bool, rng: random.Random) -> Row:
        title, text = self._drawn(number, (), cropped, rng)
        return Row(rng.choice(self._sequencer.windows(question, title, text)), 0)

    def _drawn(
        self, number: int, answers: Sequence[str], cropped: bool, rng: random.Random
    ) -> tuple[str, str]:
        """A passage's heading and text, or a part of it that holds an answer."""
        passage = self._pool.passages[number]
        heading = "" if rng.random() < _UNTITLED else passage.heading
        if not cropped:
            return heading, passage.text
        parts = [
            part.text
            for part in split(Document("", "", passage.text, passage.lang))
            if not answers or any(answer in part.text for answer in answers)
        ]
        return heading, rng.choice(parts) if parts else passage.text


def _placed(window: Window, text: str, asked: Asked) -> Row:
    if asked.stated:
        return Row(window, 1, inside=token_range(window, text, asked.answers[0]))
    places = token_places(window, text, asked.answers)
    short = tuple(place for place in places if place[1] - place[0] < _LONG)
    return Row(window, 1, short, inside=places[0] if places and not short else None)


def token_range(window: Window, text: str, statement: str) -> tuple[int, int] | None:
    """First and last token of a statement, if a window holds the whole of it."""
    start = text.find(statement)
    end = start + len(statement)
    within = [n for n, (a, b) in enumerate(window.ranges) if a < b and a < end and b > start]
    if start < 0 or not within:
        return None
    whole = window.ranges[within[0]][0] <= start and window.ranges[within[-1]][1] >= end
    return (window.first + within[0], window.first + within[-1]) if whole else None


def touched(window: Window, text: str, answers: Sequence[str]) -> bool:
    """Whether a window holds any part of an answer."""
    reached = [place for place in window.ranges if place[0] < place[1]]
    if not reached:
        return False
    first, last = reached[0][0], reached[-1][1]
    return any(
        start < last and end > first
        for answer in answers
        for start, end in _occurrences(text, answer)
    )


def token_places(window: Window, text: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """First and last token of every place where an answer stands whole in a window."""
    starts = {a: n for n, (a, b) in reversed(list(enumerate(window.ranges))) if b > a}
    ends = {b: n for n, (a, b) in enumerate(window.ranges) if b > a}
    found = {
        (window.first + starts[start], window.first + ends[end])
        for answer in answers
        for start, end in _occurrences(text, answer)
        if start in starts and end in ends
    }
    return tuple(sorted(found)[:_PLACES])


def _occurrences(text: str, answer: str) -> Iterator[tuple[int, int]]:
    at = text.find(answer)
    while at >= 0:
        yield at, at + len(answer)
        at = text.find(answer, at + 1)


def batches(
    asked: Sequence[Asked], sampler: Sampler, tokens: int, rng: random.Random
) -> Iterator[Batch]:
    """Every question once, in random order, in batches of about so many tokens."""
    order = rng.sample(list(asked), len(asked))
    for start in range(0, len(order), _CHUNK):
        groups = [sampler.group(one, rng) for one in order[start : start + _CHUNK]]
        yield from _batched([group for group in groups if group], tokens, rng)


def _batched(groups: list[list[Row]], tokens: int, rng: random.Random) -> Iterator[Batch]:
    def longest(group: list[Row]) -> int:
        return max(len(row.window.ids) for row in group)

    groups.sort(key=lambda group: longest(group) + rng.uniform(-8, 8))
    cut: list[list[list[Row]]] = [[]]
    rows = most = 0
    for group in groups:
        most = max(most, longest(group))
        if cut[-1] and (rows + len(group)) * most > tokens:
            cut.append([])
            rows, most = 0, longest(group)
        cut[-1].append(group)
        rows += len(group)
    rng.shuffle(cut)
    for part in cut:
        if part:
            yield assemble(part)


def assemble(groups: Sequence[Sequence[Row]]) -> Batch:
    rows = [row for group in groups for row in group]
    ids = stacked([row.window.ids for row in rows])
    told = torch.zeros(ids.shape, dtype=torch.bool)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for number, row in enumerate(rows):
        mask[number, : len(row.window.ids)] = True
        told[number, row.window.first : len(row.window.ids) - 1] = True
    places = [(number, *place) for number, row in enumerate(rows) for place in row.places]
    inside = [(number, *row.inside) for number, row in enumerate(rows) if row.inside]
    return Batch(
        ids,
        stacked([row.window.kinds for row in rows]),
        mask,
        told,
        torch.tensor([number for number, group in enumerate(groups) for _ in group]),
        torch.tensor([row.relevant for row in rows]),
        torch.tensor(places, dtype=torch.long).view(-1, 3),
        torch.tensor(inside, dtype=torch.long).view(-1, 3),
        torch.tensor([row.unread for row in rows]),
        torch.tensor([row.taught for row in rows]),
    )
