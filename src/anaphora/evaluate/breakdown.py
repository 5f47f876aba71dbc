"""The error breakdown: errors of rewriting against errors of question answering.

After Vakulenko et al., "A Wrong Answer or a Wrong Question? An Intricate Relationship between
Question Reformulation and Answer Selection in Conversational Question Answering" (2020), section 3:
each turn is measured with the question as it was asked, as the system rewrote it, and as a person
rewrote it. Where the human rewrite fails too, question answering is at fault; where only the
system's rewrite fails, rewriting is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from anaphora.datasets.json_stream import Record, json_lines
from anaphora.errors import MalformedData, UsageError
from anaphora.evaluate.results import PHRASINGS, Phrasing

Key = tuple["bool | None", bool, "bool | None"]
"""Original, rewritten, human: right, wrong, or None where it was not measured."""

_ROUNDING: Final = 1e-9
"""Scores that differ by no more than this are equal."""

_CONDITIONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "=": lambda score, value: abs(score - value) <= _ROUNDING,
    ">": lambda score, value: score > value + _ROUNDING,
    ">=": lambda score, value: score >= value - _ROUNDING,
}


@dataclass(frozen=True, slots=True)
class Threshold:
    """The condition that the score of a right turn meets: "=1", ">0" or ">=0.5".

    Scores that differ only by rounding are equal: 0.9999999999999999 meets "=1".

    >>> Threshold.parse("≥ 0.5").met(0.5), str(Threshold.parse("≥ 0.5"))
    (True, '>=0.5')
    """

    sign: str
    value: float

    @classmethod
    def parse(cls, text: str) -> Threshold:
        """The threshold from its text.

        Raises:
            UsageError: it is not a sign and a number in 0..1, or no score can meet it.
        """
        written = "".join(text.split()).replace("≥", ">=").replace("==", "=")
        number = written.lstrip("=>")
        sign = written.removesuffix(number) if number else written
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if sign not in _CONDITIONS or not 0 <= value <= 1 or (sign == ">" and value == 1):
            raise UsageError(
                f'the threshold "{text}" is not one of "=1", ">0", ">=0.5" '
                "or the like with another number from 0 to 1"
            )
        return cls(sign, value)

    def met(self, score: float) -> bool:
        return _CONDITIONS[self.sign](score, self.value)

    def __str__(self) -> str:
        return f"{self.sign}{self.value:.12g}"


@dataclass(frozen=True, slots=True)
class TurnScores:
    """One turn's score, in 0..1, under each phrasing of its question.

    None stands for a phrasing that was not measured. `unchanged` means that the human rewrite
    equals the question: it needs no rewriting.
    """

    id: str
    original: float | None
    rewritten: float
    human: float | None
    unchanged: bool = False


def read_scores(path: Path) -> list[TurnScores]:
    """The turns of JSON lines `{"id", "original", "rewritten", "human", "unchanged"}`.

    "original" and "human" may be missing or null where that phrasing was not measured, and
    "unchanged" where "human" is.

    Raises:
        AnaphoraError: the file cannot be opened.
        MalformedData: a line is not such an object, an id comes twice, or there is no turn.
    """
    seen: dict[str, str] = {}
    turns = []
    for record in json_lines(path):
        turn = _turn(record)
        if turn.id in seen:
            raise record.wrong("id", f'is "{turn.id}", which {seen[turn.id]} has already')
        seen[turn.id] = record.place
        turns.append(turn)
    if not turns:
        raise MalformedData(f"{path} holds no turns: write one JSON object a line")
    return turns


def _turn(record: Record) -> TurnScores:
    id = record.identity("id")
    human = _score(record, "human") if "human" in record else None
    unchanged = record.values.get("unchanged")
    if unchanged is None and human is None:
        unchanged = False
    if not isinstance(unchanged, bool):
        raise record.wrong("unchanged", "must be true or false: did the person change nothing?")
    return TurnScores(
        id,
        original=_score(record, "original") if "original" in record else None,
        rewritten=_score(record, "rewritten"),
        human=human,
        unchanged=unchanged,
    )


def _score(record: Record, name: str) -> float:
    value = record.values.get(name)
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not -_ROUNDING <= value <= 1 + _ROUNDING
    ):
        raise record.wrong(name, "must be a number from 0 to 1")
    return min(max(float(value), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Row:
    """The turns that agree in which phrasings are right; None: that phrasing was not measured.

    `unchanged` of the `count` turns need no rewriting.
    """

    original: bool | None
    rewritten: bool
    human: bool | None
    count: int
    unchanged: int

    @property
    def pattern(self) -> str:
        """Original, rewritten, human: "1" right, "0" wrong, "-" not measured."""
        right = (self.original, self.rewritten, self.human)
        return "".join("-" if one is None else str(int(one)) for one in right)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One column of Tables 1-2 of Vakulenko et al. (2020), and the rates that follow from it.

    Attributes:
        rows: in the order of the paper. Eight where all three phrasings were measured, four or two
            where fewer were.
        left_out: turns that lack a phrasing which others have; they are in no row.
    """

    rows: tuple[Row, ...]
    left_out: int = 0

    @property
    def turns(self) -> int:
        return sum(row.count for row in self.rows)

    @property
    def unchanged(self) -> int:
        """The turns that need no rewriting."""
        return sum(row.unchanged for row in self.rows)

    @property
    def qa_error_rate(self) -> float | None:
        """The fraction of turns that fail with the human rewrite too (rows 1-4)."""
        return self._fraction(row for row in self.rows if row.human is False)

    @property
    def rewriting_error_rate(self) -> float | None:
        """The fraction of turns that fail although the human rewrite succeeds (rows 5-6)."""
        return self._fraction(row for row in self.rows if row.human and not row.rewritten)

    @property
    def answerable_without_rewriting(self) -> float | None:
        """Of the turns that are right with the human rewrite, the fraction that is right with the
        original question (Tables 3-4, "All")."""
        return self._without_rewriting([(row, row.count) for row in self.rows])

    @property
    def answerable_without_rewriting_changed_only(self) -> float | None:
        """The same without the turns that need no rewriting (equation 1; Tables 3-4,
        "Human != Original")."""
        return self._without_rewriting([(row, row.count - row.unchanged) for row in self.rows])

    @property
    def limits(self) -> tuple[str, ...]:
        """What cannot be determined, a sentence each; none where every phrasing was measured."""
        found = []
        if self.left_out:
            found.append(
                f"{self.left_out} of {self.left_out + self.turns} turns lack a score that others "
                "have and are left out of the table."
            )
        if all(row.human is None for row in self.rows):
            found.append(
                "No turn has a score for a human rewrite, so errors of rewriting and of question "
                "answering cannot be distinguished" + self._effect_of_rewriting()
            )
        elif all(row.original is None for row in self.rows):
            found.append(
                "No turn has a score for the original question, so how many are answerable "
                "without rewriting is unknown."
            )
        return tuple(found)

    def _effect_of_rewriting(self) -> str:
        counts = {(row.original, row.rewritten): row.count for row in self.rows}
        if (None, True) in counts:
            return f": {counts[None, False]} of {self.turns} turns fail."
        return (
            f": of {self.turns} turns {counts[False, False] + counts[True, False]} fail, "
            f"rewriting repaired {counts[False, True]} and broke {counts[True, False]}."
        )

    def _fraction(self, rows: Iterable[Row]) -> float | None:
        if all(row.human is None for row in self.rows) or not self.turns:
            return None
        return sum(row.count for row in rows) / self.turns

    def _without_rewriting(self, counts: Sequence[tuple[Row, int]]) -> float | None:
        if all(row.original is None for row in self.rows):
            return None
        answerable = sum(count for row, count in counts if row.human)
        if not answerable:
            return None
        return sum(count for row, count in counts if row.human and row.original) / answerable


def columns(turns: Iterable[TurnScores]) -> tuple[Phrasing, ...]:
    """The phrasings that at least one turn was measured with."""
    measured = {form for turn in turns for form in PHRASINGS if getattr(turn, form) is not None}
    return tuple(form for form in PHRASINGS if form == "rewritten" or form in measured)


def breakdown(turns: Sequence[TurnScores], threshold: Threshold) -> Breakdown:
    """Bins every turn by whether each phrasing of its question was right.

    >>> turns = [TurnScores("1", 0, 0.4, 1), TurnScores("2", 1, 1, 1, unchanged=True)]
    >>> breakdown(turns, Threshold.parse("=1")).rewriting_error_rate
    0.5
    """
    forms = columns(turns)
    counts: Counter[Key] = Counter()
    unchanged: Counter[Key] = Counter()
    met = threshold.met
    for turn in turns:
        original, human = turn.original, turn.human
        key = (
            None if original is None else met(original),
            met(turn.rewritten),
            None if human is None else met(human),
        )
        counts[key] += 1
        unchanged[key] += turn.unchanged
    rows = tuple(Row(*key, counts[key], unchanged[key]) for key in _keys(forms))
    return Breakdown(rows, left_out=len(turns) - sum(row.count for row in rows))


def _keys(forms: Sequence[Phrasing]) -> Iterator[Key]:
    """Right and wrong of each phrasing, in the order of the paper: `original` changes fastest."""
    either: tuple[bool | None, ...] = (False, True)
    humans = either if "human" in forms else (None,)
    originals = either if "original" in forms else (None,)
    for human, rewritten, original in product(humans, (False, True), originals):
        yield original, rewritten, human


def breakdown_to_dict(found: Breakdown) -> dict[str, Any]:
    """What `anaphora blame --json` prints; "limits" only where something is missing."""
    values: dict[str, Any] = {
        "table": [asdict(row) for row in found.rows],
        "qa_error_rate": found.qa_error_rate,
        "rewriting_error_rate": found.rewriting_error_rate,
        "answerable_without_rewriting": found.answerable_without_rewriting,
        "answerable_without_rewriting_changed_only": (
            found.answerable_without_rewriting_changed_only
        ),
    }
    return values | ({"limits": list(found.limits)} if found.limits else {})
