"""What was said, and what a rewriter made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["user", "assistant"]
EditKind = Literal["insert", "replace", "delete"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `lang` is a code such as "vi", "unknown", or None when nobody looked yet."""

    role: Role
    text: str
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in the order they were said; the last one is the question.

    Raises:
        ValueError: there is no turn, or the last one is not the user's.

    >>> talk = Conversation((Turn("user", "Who were The Mothers?"), Turn("assistant", "A band."),
    ...                      Turn("user", "When did they disband?")))
    >>> talk.question.text
    'When did they disband?'
    >>> len(talk.history)
    2
    """

    turns: tuple[Turn, ...]
    title: str | None = None
    id: str = ""

    def __post_init__(self) -> None:
        if not self.turns:
            raise ValueError("a conversation needs at least one turn")
        if self.turns[-1].role != "user":
            raise ValueError("the last turn of a conversation must be the user's question")

    @property
    def question(self) -> Turn:
        return self.turns[-1]

    @property
    def history(self) -> tuple[Turn, ...]:
        return self.turns[:-1]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change a rewriter made to the question.

    `text` is what was inserted, put in place of `replaced`, or deleted; `source_turn` is the index
    of the turn it came from (None: from no turn, such as the title or the language's own function
    words); `position` is the character offset in the *original* question.
    """

    kind: EditKind
    text: str
    source_turn: int | None
    position: int
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question made to stand alone.

    `variants` are other phrasings that retrieval searches beside `text` and fuses.
    `confidence` is in 0..1. `search` is False where no document can answer: a greeting.
    """

    text: str
    lang: str
    edits: tuple[Edit, ...] = ()
    variants: tuple[str, ...] = ()
    confidence: float = 1.0
    search: bool = True
