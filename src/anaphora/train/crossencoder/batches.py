"""Batches of windows as tensors. The windows of one question are a group."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import torch

from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.ingest.splitting import split
from anaphora.language import sentences
from anaphora.records import Document
from anaphora.train.crossencoder.network import Batch, stacked
from anaphora.train.crossencoder.questions import (
    PARTLY,
    RIGHT,
    Graded,
    Pool,
    Question,
    occurrences,
)

_LEFT = 0.4
"""Fraction of a passage that is left when it is shortened, at least."""
_CHUNK = 1_000
"""Questions that are tokenised at a time and sorted by length."""
_NEAR = 7
"""The hardest wrong passages of a question on a manual, of which all but one of a group are."""
_UNANSWERED = 2
"""Wrong passages of a question that no passage answers, at most."""
_PLACES = 8
_GRADED_RIGHT = 3
"""Passages of a question with graded hits that answer it, at least in part, at most."""
_GRADED_UNANSWERED = 3
"""Other ones of a question that none answers."""
_TEACHER_NEGATIVES = 2
"""Wrong passages of a question that a teacher has scored."""
_LONG = 24
"""Tokens above which an answer is a statement: its span is trained to lie somewhere in it."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class _Forms:
    """How often passages are not read whole and with their heading.

    Attributes:
        cropped: fraction of the groups whose passages are replaced by a part, split as for the
            index.
        untitled: fraction of the passages without their heading.
        shortened: fraction of the groups in which a passage without the sentences of its answer is
            a wrong one.
    """

    cropped: float
    untitled: float
    shortened: float


_ARTICLES = _Forms(cropped=0.6, untitled=0.3, shortened=0.3)
_MANUALS = _Forms(cropped=0.3, untitled=0.1, shortened=0.15)
"""An index has passages of manuals, and their negatives, nearly as they are read here."""


@dataclass(frozen=True)
class Row:
    """A window with its labels.

    Attributes:
        grade: from 0 to `RIGHT`, or -1 if not known.
        places: first and last tokens of the answer.
        statement: first and last token of a statement that contains the answer.
        extent: first and last token of all that answers.
        unread: the window answers the question at an unknown place.
        teacher_score: a teacher's relevance, NaN without one.
    """

    window: Window
    grade: int
    places: tuple[tuple[int, int], ...] = ()
    statement: tuple[int, int] | None = None
    extent: tuple[int, int] | None = None
    unread: bool = False
    teacher_score: float = math.nan


class Sampler:
    """Draws for a question a window that answers it and some that do not."""

    def __init__(self, pool: Pool, sequencer: Sequencer, negatives: int) -> None:
        self._pool = pool
        self._sequencer = sequencer
        self._negatives = negatives

    def group(self, question: Question, rng: random.Random) -> list[Row]:
        """Empty if the answer fits into no window; without a right one if no passage answers."""
        if question.grades:
            return self._graded(question, rng)
        forms = _ARTICLES if question.source == "articles" else _MANUALS
        cropped = rng.random() < forms.cropped

        def wrong(numbers: Sequence[int], cropped: bool = False) -> list[Row]:
            return [self._wrong(question.text, one, cropped, forms, rng) for one in numbers]

        if not question.passages:
            return wrong(_sample(question.negatives[:_NEAR], _UNANSWERED, rng))
        right = self._right(question, cropped, forms, rng)
        if not right:
            return []
        if len(question.teacher_scores) > 1:
            (_, score), *others = question.teacher_scores
            numbers, scores = zip(*_sample(others, _TEACHER_NEGATIVES, rng), strict=True)
            pairs = zip(wrong(numbers), scores, strict=True)
            scored = [replace(row, teacher_score=one) for row, one in pairs]
            return [replace(right[0], teacher_score=score), *right[1:], *scored]
        if forms is _MANUALS:
            rows = wrong(self._nearest(question.negatives, rng))
        else:
            count = rng.randint(1, self._negatives)
            rows = wrong(_sample(question.negatives, count, rng), cropped)
        if rows and rng.random() < forms.shortened:
            rows[0] = self._shortened(question, forms, rng) or rows[0]
        return [*right, *rows]

    def _graded(self, question: Question, rng: random.Random) -> list[Row]:
        right = [one for one in question.grades if one.grade >= PARTLY]
        wrong = [one for one in question.grades if one.grade < PARTLY]
        most = self._negatives if right else _GRADED_UNANSWERED
        drawn = [*_sample(right, _GRADED_RIGHT, rng), *_sample(wrong, most, rng)]
        return [self._graded_row(question.text, one) for one in drawn]

    def _graded_row(self, question: str, graded: Graded) -> Row:
        """Whether a window of a passage between the grades has an answer is not known; one of a
        passage that answers has it anywhere, if its place is not known."""
        passage = self._pool.passages[graded.passage]
        windows = self._sequencer.windows(question, passage.full_heading, passage.text)
        if graded.answer:
            held = [(tokens_within(one, *graded.answer), one) for one in windows]
            tokens, window = max(held, key=lambda one: len(one[0]))
            if tokens:  # else it is behind all windows
                extent = tokens[0], tokens[-1]
                return Row(window, graded.grade, statement=extent, extent=extent)
        window = windows[graded.window]
        answer = (window.first, len(window.ids) - 2) if graded.grade == RIGHT else None
        unread = 0 < graded.grade < RIGHT
        return Row(window, graded.grade, statement=answer, unread=unread)

    def _nearest(self, negatives: Sequence[int], rng: random.Random) -> list[int]:
        """All that a group may have: one that is not among the hardest, if there is one."""
        far = _sample(negatives[_NEAR:], min(1, self._negatives - 1), rng)
        return [*_sample(negatives[:_NEAR], self._negatives - len(far), rng), *far]

    def _right(
        self, question: Question, cropped: bool, forms: _Forms, rng: random.Random
    ) -> list[Row]:
        """A window that answers, and if there is one, a window of the same text that has no part of
        the answer."""
        part = cropped and bool(question.answers)
        number = rng.choice(question.passages)
        title, text = self._drawn(number, question.answers, part, forms, rng)
        windows = self._sequencer.windows(question.text, title, text)
        if not question.answers:
            # Without its heading a passage may have one window less.
            return [Row(windows[min(question.window, len(windows) - 1)], RIGHT, unread=True)]
        rows = [_labelled(window, text, question) for window in windows]
        answering = [row for row in rows if row.places or row.statement]
        if not answering:
            return []
        others = [
            replace(row, grade=-1)
            for row in rows
            if not (row.places or row.statement or overlaps(row.window, text, question.answers))
        ]
        return [rng.choice(answering), *_sample(others, 1, rng)]

    def _wrong(
        self, question: str, number: int, cropped: bool, forms: _Forms, rng: random.Random
    ) -> Row:
        title, text = self._drawn(number, (), cropped, forms, rng)
        return Row(rng.choice(self._sequencer.windows(question, title, text)), 0)

    def _shortened(self, question: Question, forms: _Forms, rng: random.Random) -> Row | None:
        """A window of an answering passage without the sentences that hold the answer."""
        passage = self._pool.passages[rng.choice(question.passages)]
        text = without_sentences(passage.text, question.answers, passage.lang)
        if not _LEFT * len(passage.text) <= len(text) < len(passage.text):
            return None
        heading = "" if rng.random() < forms.untitled else passage.full_heading
        return Row(rng.choice(self._sequencer.windows(question.text, heading, text)), 0)

    def _drawn(
        self,
        number: int,
        answers: Sequence[str],
        cropped: bool,
        forms: _Forms,
        rng: random.Random,
    ) -> tuple[str, str]:
        """The heading and the text of a passage, or a part of it that contains an answer."""
        passage = self._pool.passages[number]
        heading = "" if rng.random() < forms.untitled else passage.full_heading
        if not cropped:
            return heading, passage.text
        parts = [
            part.text
            for part in split(Document("", "", passage.text, passage.lang))
            if not answers or any(answer in part.text for answer in answers)
        ]
        return heading, rng.choice(parts) if parts else passage.text


def _sample(items: Sequence[Item], most: int, rng: random.Random) -> list[Item]:
    return rng.sample(list(items), min(most, len(items)))


def without_sentences(text: str, answers: Sequence[str], lang: str) -> str:
    """The text without the sentences that hold a part of an answer.

    >>> without_sentences("F5 reloads the page. F6 prints it. F7 saves it.", ["prints"], "en")
    'F5 reloads the page. F7 saves it.'
    """
    held = [place for answer in answers for place in occurrences(text, answer)]
    ranges = sentences(text, lang)
    following = [*(start for start, _ in ranges[1:]), len(text)]
    return "".join(
        text[start:after]
        for (start, end), after in zip(ranges, following, strict=True)
        if not any(first < end and start < last for first, last in held)
    )


def _labelled(window: Window, text: str, question: Question) -> Row:
    if question.is_statement:
        return Row(window, RIGHT, statement=token_range(window, text, question.answers[0]))
    places = token_places(window, text, question.answers)
    short = tuple(place for place in places if place[1] - place[0] < _LONG)
    return Row(window, RIGHT, short, statement=places[0] if places and not short else None)


def token_range(window: Window, text: str, statement: str) -> tuple[int, int] | None:
    """First and last token of a statement, if a window contains all of it."""
    start = text.find(statement)
    end = start + len(statement)
    within = tokens_within(window, start, end)
    if start < 0 or not within:
        return None
    first, last = within[0], within[-1]
    reached = window.ranges[first - window.first][0], window.ranges[last - window.first][1]
    return (first, last) if reached[0] <= start and reached[1] >= end else None


def tokens_within(window: Window, start: int, end: int) -> list[int]:
    """The tokens of a window that show any of the characters of its text from start to end."""
    ranges = enumerate(window.ranges, window.first)
    return [token for token, (a, b) in ranges if a < b and a < end and b > start]


def overlaps(window: Window, text: str, answers: Sequence[str]) -> bool:
    """Whether a window contains any part of an answer."""
    reached = [place for place in window.ranges if place[0] < place[1]]
    if not reached:
        return False
    first, last = reached[0][0], reached[-1][1]
    return any(
        start < last and end > first
        for answer in answers
        for start, end in occurrences(text, answer)
    )


def token_places(window: Window, text: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """First and last tokens of the complete occurrences of the answers in a window."""
    starts = {a: n for n, (a, b) in reversed(list(enumerate(window.ranges))) if b > a}
    ends = {b: n for n, (a, b) in enumerate(window.ranges) if b > a}
    found = {
        (window.first + starts[start], window.first + ends[end])
        for answer in answers
        for start, end in occurrences(text, answer)
        if start in starts and end in ends
    }
    return tuple(sorted(found)[:_PLACES])


def batches(
    questions: Sequence[Question], sampler: Sampler, tokens: int, rng: random.Random
) -> Iterator[Batch]:
    """All questions once, in random order, in batches of about `tokens` tokens."""
    order = rng.sample(list(questions), len(questions))
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
    text = torch.zeros(ids.shape, dtype=torch.bool)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for number, row in enumerate(rows):
        mask[number, : len(row.window.ids)] = True
        text[number, row.window.first : len(row.window.ids) - 1] = True
    places = [(number, *place) for number, row in enumerate(rows) for place in row.places]
    statements = [(number, *row.statement) for number, row in enumerate(rows) if row.statement]
    extents = [(number, *row.extent) for number, row in enumerate(rows) if row.extent]
    return Batch(
        ids,
        stacked([row.window.kinds for row in rows]),
        mask,
        text,
        torch.tensor([number for number, group in enumerate(groups) for _ in group]),
        torch.tensor([row.grade for row in rows]),
        torch.tensor(places, dtype=torch.long).view(-1, 3),
        torch.tensor(statements, dtype=torch.long).view(-1, 3),
        torch.tensor(extents, dtype=torch.long).view(-1, 3),
        torch.tensor([row.unread for row in rows]),
        torch.tensor([row.teacher_score for row in rows]),
    )
