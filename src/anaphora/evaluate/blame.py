"""Whose fault a wrong answer is, told from the three phrasings of each question.

After "A Wrong Answer or a Wrong Question?", section 3: a turn is tried with the question as it was
asked, as the system rewrote it, and as a person did. Where the person's rewrite fails too,
retrieval and reading are at fault; where only the system's fails, rewriting is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from anaphora.datasets.reading import Record, json_lines
from anaphora.errors import MalformedData, UsageError
from anaphora.evaluate.results import FORMS, Form

Key = tuple["bool | None", bool, "bool | None"]
"""Original, rewritten, human: right, wrong, or None where not tried."""

_ROUNDING: Final = 1e-9
"""How far apart two scores may be and still be the same one."""

_CONDITIONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "=": lambda score, value: abs(score - value) <= _ROUNDING,
    ">": lambda score, value: score > value + _ROUNDING,
    ">=": lambda score, value: score >= value - _ROUNDING,
}


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a score must be for its turn to count as right: "=1", ">0" or ">=0.5".

    Scores that differ by rounding alone are the same: 0.9999999999999999 meets "=1".

    >>> Threshold.parse("≥ 0.5").met(0.5), str(Threshold.parse("≥ 0.5"))
    (True, '>=0.5')
    """

    sign: str
    value: float

    @classmethod
    def parse(cls, text: str) -> Threshold:
        """The threshold that is written so.

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

    None stands for a phrasing that was not tried. `unchanged` says that the person left the
    question as it was: it needs no rewriting.
    """

    id: str
    original: float | None
    rewritten: float
    human: float | None
    unchanged: bool = False


def read_scores(path: Path) -> list[TurnScores]:
    """The turns of JSON lines `{"id", "original", "rewritten", "human", "unchanged"}`.

    "original" and "human" may be missing or null where that phrasing was not tried, and "unchanged"
    where "human" is.

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
    """The turns that were right and wrong alike; None stands for a phrasing that was not tried.

    `unchanged` of the `count` turns need no rewriting.
    """

    original: bool | None
    rewritten: bool
    human: bool | None
    count: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The table of the paper's Tables 1-2 at one threshold, and what follows from it.

    Attributes:
        rows: in the paper's order. Eight where all three phrasings were tried, four or two where
            fewer were.
        left_out: turns that lack a phrasing which others have; they are in no row.
    """

    rows: tuple[Row, ...]
    left_out: int = 0

    @property
    def turns(self) -> int:
        return sum(row.count for row in self.rows)

    @property
    def qa_error_rate(self) -> float | None:
        """The share of turns that fail with the person's rewrite too (rows 1-4)."""
        return self._share_of_turns(row for row in self.rows if row.human is False)

    @property
    def rewriting_error_rate(self) -> float | None:
        """The share of turns that fail though the person's rewrite succeeds (rows 5-6)."""
        return self._share_of_turns(row for row in self.rows if row.human and not row.rewritten)

    @property
    def answerable_without_rewriting(self) -> float | None:
        """Of the turns that the person's rewrite gets right, the share that the question as asked
        gets right (Tables 3-4, "All")."""
        return self._without_rewriting([(row, row.count) for row in self.rows])

    @property
    def answerable_without_rewriting_changed_only(self) -> float | None:
        """The same without the turns that need no rewriting (equation 1; Tables 3-4,
        "Human != Original")."""
        return self._without_rewriting([(row, row.count - row.unchanged) for row in self.rows])

    @property
    def limits(self) -> tuple[str, ...]:
        """What cannot be told, and what still can, a sentence each; none where all is there."""
        found = []
        if self.left_out:
            found.append(
                f"{self.left_out} of {self.left_out + self.turns} turns lack a score that others "
                "have and are left out of the table."
            )
        if all(row.human is None for row in self.rows):
            found.append(
                "No turn has a score for a human rewrite, so errors of rewriting and of question "
                "answering cannot be told apart" + self._effect_of_rewriting()
            )
        elif all(row.original is None for row in self.rows):
            found.append(
                "No turn has a score for the original question, so how many are answerable "
                "without rewriting cannot be told."
            )
        return tuple(found)

    def _effect_of_rewriting(self) -> str:
        counts = {(row.original, row.rewritten): row.count for row in self.rows}
        if (None, True) in counts:
            return f": {counts[None, False]} of {self.turns} turns fail."
        return (
            f": of {self.turns} turns {counts[False, False] + counts[True, False]} fail, "
            f"rewriting mended {counts[False, True]} and spoilt {counts[True, False]}."
        )

    def _share_of_turns(self, rows: Iterable[Row]) -> float | None:
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


def columns(turns: Iterable[TurnScores]) -> tuple[Form, ...]:
    """The phrasings that at least one turn was tried with."""
    tried = {form for turn in turns for form in FORMS if getattr(turn, form) is not None}
    return tuple(form for form in FORMS if form == "rewritten" or form in tried)


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


def _keys(forms: Sequence[Form]) -> Iterator[Key]:
    """Right and wrong of each phrasing, in the paper's order: `original` changes fastest."""
    either: tuple[bool | None, ...] = (False, True)
    humans = either if "human" in forms else (None,)
    originals = either if "original" in forms else (None,)
    for human, rewritten, original in product(humans, (False, True), originals):
        yield original, rewritten, human


def breakdown_form(found: Breakdown) -> dict[str, Any]:
    """What `anaphora blame --json` prints; "limits" is there only where something is missing."""
    form: dict[str, Any] = {
        "table": [asdict(row) for row in found.rows],
        "qa_error_rate": found.qa_error_rate,
        "rewriting_error_rate": found.rewriting_error_rate,
        "answerable_without_rewriting": found.answerable_without_rewriting,
        "answerable_without_rewriting_changed_only": (
            found.answerable_without_rewriting_changed_only
        ),
    }
    return form | ({"limits": list(found.limits)} if found.limits else {})
