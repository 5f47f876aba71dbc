"""What was said, and what a rewriter made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["user", "assistant"]
Intent = Literal["question", "greeting", "thanks", "farewell"]
EditKind = Literal["insert", "replace", "delete"]
Decision = Literal["rewrite", "leave", "new topic", "no retrieval"]
UNKNOWN = "unknown"
"""The language of a text whose language cannot be identified."""


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
    def lang(self) -> str:
        """The language of the question, "unknown" where nobody identified it."""
        return self.question.lang or UNKNOWN

    @property
    def history(self) -> tuple[Turn, ...]:
        return self.turns[:-1]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was found out about the last turn of a conversation before any rewriting.

    Attributes:
        conversation: the same turns; those of the user carry their language.
        intent: "question" is answered from the documents, any other with a courtesy.
    """

    conversation: Conversation
    intent: Intent = "question"

    @property
    def lang(self) -> str:
        """The language of the question, "unknown" where it cannot be identified."""
        return self.conversation.lang


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

    `decision` is what was found to be right for the question: to rewrite it; to leave it, as it
    stands alone or a rewrite of it is too unsure; to leave it and all that was said before, as it
    begins a new topic; or to search nothing, as it is a greeting. `reason` says why in a line. They
    are None and empty from methods that rewrite without deciding.

    `confidence` is in 0..1. From a method that decides it is how probable it is that `text` is as
    near to what a person would have written as the other way of asking: the question as asked for
    a rewrite, and for a question that was left the rewrite that it could have had.
    """

    text: str
    lang: str
    edits: tuple[Edit, ...] = ()
    variants: tuple[str, ...] = ()
    confidence: float = 1.0
    decision: Decision | None = None
    reason: str = ""

    @property
    def search(self) -> bool:
        """False where no document can answer."""
        return self.decision != "no retrieval"
