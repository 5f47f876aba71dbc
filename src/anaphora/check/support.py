"""The checker: the network, the alignment of a statement with its evidence, what the cross-encoder
finds for the question, and the rule for numbers, dates and names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, TypeAlias

from anaphora.check.alignment import Alignment, aligned, in_its_language
from anaphora.check.answers import answering, is_answer
from anaphora.check.facts import joined, unsupported_facts
from anaphora.check.model import Reading, SupportModel
from anaphora.check.sequence import STATEMENT, Window
from anaphora.check.trigrams import shared, trigrams
from anaphora.crossencoder.model import shared_crossencoder
from anaphora.language import identify, is_fragment, sentences, tokenize
from anaphora.records import Claim, Support

REGRESSIONS: Final = ("statements", "across", "answers")
"""The logistic regressions of a card, by which a claim is judged."""
_TOGETHER: Final = 600
"""Characters of the best sentences of several texts that are read together."""
_CLOSEST: Final = (2, 4)
"""Numbers of sentences that a statement is read with once more."""
_PER_ODDS: Final = 0.05
"""What the network's log-odds for a text add to the score of its sentences."""
_FACTS: Final = 0.1
"""What the probability is multiplied by if a number, date or name is missing."""


@dataclass(frozen=True)
class _Part:
    """A claim whose statement fits into a window, and where it begins in the whole statement."""

    claim: Claim
    start: int


@dataclass(frozen=True)
class _Verdict:
    """The best reading of a part, the positions of the evidence that it read, and the mean of this
    reading and those with the closest sentences."""

    reading: Reading
    citations: tuple[int, ...]
    mean: Reading


_Verdicts: TypeAlias = list[tuple[_Part, _Verdict]]
"""The verdict on each part of a statement."""


@dataclass(frozen=True)
class Signals:
    """What is known of a claim; the card has a logistic regression for statements, one for those
    with all of the evidence in another language, and one for answers.

    Attributes:
        network: the least log-odds of support of its parts, of their best readings.
        mean: the same, of the means of the best reading and those with the closest sentences.
        token: the greatest log-odds of a token that nothing supports it, of the same means.
        across: whether all of the evidence is in another language.
        answers: whether it is an answer that states nothing without its question.
        span: of an answer, the score of the span that gives it; None without such a span.
    """

    network: float
    mean: float
    token: float
    alignment: Alignment
    across: bool = False
    answers: bool = False
    span: float | None = None

    @property
    def regression(self) -> str:
        """The name of the regression in the card."""
        return "answers" if self.answers else "across" if self.across else "statements"

    def values(self) -> tuple[float, ...]:
        """The features of the regression."""
        if self.answers:
            return self.network, self.span or 0.0, float(self.span is None)
        if self.across:
            return self.network, self.token
        one = self.alignment
        return self.mean, self.token, one.displaced, one.denied, one.affirmed


class SupportChecker:
    """Says whether evidence supports a statement, and which characters of it nothing supports.

    Each text of the evidence is read with the statement, and then the best sentences of all of them
    together: a statement may join the facts of two texts. The best of these readings counts. Then
    a statement is read with the two and with the four sentences in its language that share most
    with it, and the mean counts: what a long text makes uncertain is often clear without the rest.
    A statement that is longer than a window is read in parts, of which the worst counts. One that
    is a sentence of the evidence, word for word, is supported by it without the network, unless it
    is so short that it may answer another question. The network's log-odds are corrected by how the
    statement is aligned with the evidence, and those of an answer by what the cross-encoder finds.
    """

    def __init__(self, model: SupportModel) -> None:
        self._model = model
        self._tokenizer = model.tokenizer
        self._threshold = float(model.card["threshold"])
        self._regressions: dict[str, Sequence[float]] = {
            name: model.card[name] for name in REGRESSIONS
        }

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        """The support of each claim, in their order; it does not depend on the other claims."""
        found: list[Support | None] = [_quoted(claim) for claim in claims]
        doubtful = [claim for claim, known in zip(claims, found, strict=True) if known is None]
        read = zip(doubtful, self._read(doubtful), strict=True)
        return [self._support(*next(read)) if known is None else known for known in found]

    def log_odds(self, claims: Sequence[Claim]) -> list[float]:
        """The log-odds of support of each claim, without the rule; minus infinity for one without
        statement or evidence."""
        return [self._odds(signals) for signals, _ in self._read(claims)]

    def signals(self, claims: Sequence[Claim]) -> list[Signals]:
        """What is known of each claim."""
        return [signals for signals, _ in self._read(claims)]

    def _read(self, claims: Sequence[Claim]) -> list[tuple[Signals, _Verdicts]]:
        parts = [list(self._parts(claim)) for claim in claims]
        answers = [bool(found) and is_answer(one) for one, found in zip(claims, parts, strict=True)]
        own = [
            [] if answer or not found else in_its_language(one)
            for one, found, answer in zip(claims, parts, answers, strict=True)
        ]
        closest = [
            _closest(part.claim, texts)
            for found, texts in zip(parts, own, strict=True)
            for part in found
        ]
        verdicts = iter(self._verdicts([part.claim for found in parts for part in found], closest))
        asked = [one for one, known in zip(claims, answers, strict=True) if known]
        spans = iter(answering(shared_crossencoder(), asked) if asked else ())
        read = []
        for claim, found, texts, answer in zip(claims, parts, own, answers, strict=True):
            both = [(part, next(verdicts)) for part in found]
            signals = Signals(
                min((one.reading.support for _, one in both), default=-math.inf),
                min((one.mean.support for _, one in both), default=-math.inf),
                max((odds for _, one in both for odds in one.mean.unsupported), default=0.0),
                aligned(claim) if texts else Alignment(),
                not texts,
                answer,
                next(spans) if answer else None,
            )
            read.append((signals, both))
        return read

    def _odds(self, signals: Signals) -> float:
        offset, *weights = self._regressions[signals.regression]
        found = (a * b for a, b in zip(weights, signals.values(), strict=True) if a)
        return offset + sum(found)

    def _parts(self, claim: Claim) -> Iterator[_Part]:
        """The statement in parts that fit; none without a statement or without evidence."""
        texts = [text for text in claim.evidence if text.strip()]
        if not claim.statement.strip() or not texts:
            return
        for start, end in self._cuts(claim.statement):
            piece = claim.statement[start:end]
            yield _Part(Claim(piece, claim.evidence, claim.question), start)

    def _cuts(self, statement: str) -> Iterator[tuple[int, int]]:
        if len(self._tokenizer.encode(statement, STATEMENT + 1)) <= STATEMENT:
            yield 0, len(statement)
            return
        for start, end in sentences(statement, identify(statement)):
            _, ranges = self._tokenizer.encode_ranges(statement[start:end], end - start + 1)
            for at in range(0, len(ranges), STATEMENT):
                some = ranges[at : at + STATEMENT]
                if some[0][0] < some[-1][1]:
                    yield start + some[0][0], start + some[-1][1]

    def _verdicts(
        self, claims: Sequence[Claim], closest: Sequence[Sequence[str]]
    ) -> list[_Verdict]:
        """The verdict on each claim.

        Args:
            closest: for each claim, the texts that it is read with once more.
        """
        windows: list[Window] = []
        places: list[tuple[int, int]] = []
        for number, claim in enumerate(claims):
            for position, text in enumerate(claim.evidence):
                if text.strip():
                    found = self._model.windows(claim.statement, text, claim.question)
                    windows += found
                    places += [(number, position)] * len(found)
        best: list[dict[int, Reading]] = [{} for _ in claims]
        windows_of = [0] * len(claims)
        for (number, position), reading in zip(places, self._model.read(windows), strict=True):
            windows_of[number] += 1
            known = best[number].get(position)
            if known is None or reading.support > known.support:
                best[number][position] = reading
        several = [number for number, count in enumerate(windows_of) if count > 1]
        chosen = {number: _together(claims[number], best[number]) for number in several}
        more = [(number, text) for number, (text, _) in chosen.items()]
        more += [(number, text) for number, texts in enumerate(closest) for text in texts]
        read = self._model.read(
            [
                self._model.windows(claims[number].statement, text, claims[number].question)[0]
                for number, text in more
            ]
        )
        joint = dict(zip(chosen, read, strict=False))
        close: list[list[Reading]] = [[] for _ in claims]
        for (number, _), reading in zip(more[len(chosen) :], read[len(chosen) :], strict=True):
            close[number].append(reading)
        return [
            self._verdict(
                best[number], joint.get(number), chosen.get(number, ("", ()))[1], close[number]
            )
            for number in range(len(claims))
        ]

    def _verdict(
        self,
        alone: dict[int, Reading],
        joint: Reading | None,
        positions: tuple[int, ...],
        close: Sequence[Reading],
    ) -> _Verdict:
        supporting = tuple(
            position
            for position, reading in sorted(alone.items())
            if reading.support >= self._threshold
        )
        first = max(alone, key=lambda position: alone[position].support)
        if joint is None or joint.support <= alone[first].support:
            return _Verdict(alone[first], supporting or (first,), _mean(alone[first], *close))
        return _Verdict(joint, supporting or positions, _mean(joint, *close))

    def _support(self, claim: Claim, read: tuple[Signals, _Verdicts]) -> Support:
        signals, parts = read
        everything = ((0, len(claim.statement)),) if claim.statement else ()
        if not parts:
            return Support(False, 0.0, (), everything)
        facts = unsupported_facts(claim)
        odds = self._odds(signals)
        if not facts and odds >= 0:
            cited = {position for _, verdict in parts for position in verdict.citations}
            return Support(True, _sigmoid(odds), tuple(sorted(cited)))
        ranges = [*facts]
        if odds < 0:
            ranges += signals.alignment.places
            for part, verdict in parts:
                ranges += _unsupported(verdict.mean, part.start)
        probability = _sigmoid(odds) * (_FACTS if facts else 1)
        return Support(False, probability, (), joined(ranges, claim.statement) or everything)


def _quoted(claim: Claim) -> Support | None:
    """The support of a statement that is a sentence of the evidence; None if it is not.

    >>> _quoted(Claim("The ferry leaves at noon", ("It is old.", "The ferry leaves at noon.")))
    Support(supported=True, probability=1.0, citations=(1,), unsupported=())
    """
    if is_fragment(claim.statement, identify(claim.statement)):
        return None
    tokens = tokenize(claim.statement)
    positions = tuple(
        position
        for position, text in enumerate(claim.evidence)
        if any(
            tokens == tokenize(text[start:end]) for start, end in sentences(text, identify(text))
        )
    )
    return Support(True, 1.0, positions) if positions else None


def _closest(claim: Claim, texts: Sequence[str]) -> list[str]:
    """The two and the four sentences of some texts that share most with a claim, in their order;
    fewer where the texts have no more sentences.

    >>> _closest(Claim("It is red.", ()), ["It was red. He came.", "She is tall."])
    ['It was red. She is tall.']
    """
    every = [text[start:end] for text in texts for start, end in sentences(text, identify(text))]
    asked = trigrams(f"{claim.statement} {claim.question}")
    best = sorted(range(len(every)), key=lambda at: -shared(asked, every[at]))
    return [
        " ".join(every[at] for at in sorted(best[:count]))
        for count in _CLOSEST
        if count < len(every)
    ]


def _mean(first: Reading, *others: Reading) -> Reading:
    """The mean of readings of one statement."""
    every = (first, *others)
    tokens = zip(*(one.unsupported for one in every), strict=True)
    return Reading(fmean(one.support for one in every), tuple(map(fmean, tokens)), first.ranges)


def _unsupported(reading: Reading, offset: int) -> Iterator[tuple[int, int]]:
    """The characters of the tokens that nothing supports."""
    for (start, end), odds in zip(reading.ranges, reading.unsupported, strict=True):
        if odds > 0 and start < end:
            yield offset + start, offset + end


def _together(claim: Claim, alone: dict[int, Reading]) -> tuple[str, tuple[int, ...]]:
    """The sentences of all evidence that share most with the claim, in their order, and the
    positions of their texts."""
    asked = trigrams(f"{claim.statement} {claim.question}")
    scored = []
    for position, reading in alone.items():
        text = claim.evidence[position]
        for start, end in sentences(text, identify(text)):
            score = shared(asked, text[start:end]) + _PER_ODDS * reading.support
            scored.append((score, position, start, end))
    chosen: list[tuple[int, int, int]] = []
    room = _TOGETHER
    for _, position, start, end in sorted(scored, key=lambda one: (-one[0], *one[1:])):
        if not chosen or end - start <= room:
            chosen.append((position, start, end))
            room -= end - start
    chosen.sort()
    text = " ".join(claim.evidence[position][start:end] for position, start, end in chosen)
    return text, tuple(sorted({position for position, _, _ in chosen}))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
