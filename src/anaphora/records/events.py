"""What a pipeline reports while it answers a turn, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from anaphora.records.answer import Answer, Cut
from anaphora.records.citation import Citation
from anaphora.records.conversation import Rewrite, Understanding
from anaphora.records.passage import Hit
from anaphora.records.writing import Statement


@dataclass(frozen=True, slots=True)
class Understood:
    """The language and the intent of the turn were identified."""

    understanding: Understanding


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The question was made self-contained."""

    rewrite: Rewrite


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Passages were found."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Reranked:
    """The best of them were put into their final order; `cut` as in `Stage`."""

    hits: tuple[Hit, ...]
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence that a model wrote was checked. If it is shown, its `Text` follows."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Text:
    """The next part of the answer's text: all parts together are `Answer.text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """The citation that the text marks as [number]; the first one is 1."""

    number: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is complete; it carries its trace."""

    answer: Answer


Event: TypeAlias = Understood | Rewritten | Retrieved | Reranked | Checked | Text | Cited | Done
