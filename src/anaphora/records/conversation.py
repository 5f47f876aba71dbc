"""Conversations, and what understanding and rewriting make of their last turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from anaphora.records.citation import Citation

Role = Literal["user", "assistant"]
Intent = Literal["question", "greeting", "thanks", "farewell"]
EditKind = Literal["insert", "replace", "delete"]
Decision = Literal["rewrite", "leave", "new topic", "no retrieval"]
UNKNOWN = "unknown"
"""The language of a text whose language cannot be identified."""


_EARLIER = 3
"""Questions that a question is put behind."""
_LONGEST = 120
"""Characters of each; of a longer one the last ones."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance.

    Attributes:
        lang: a code such as "vi", or "unknown"; None if nobody identified it.
        citations: those of an answer; empty where they are not known.
    """

    role: Role
    text: str
    lang: str | None = None
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in their order; the last one is the question.

    Raises:
        ValueError: there is no turn, or the last one is not the user's.

    >>> earlier = Turn("user", "Who were The Mothers?"), Turn("assistant", "A band.")
    >>> conversation = Conversation((*earlier, Turn("user", "When did they disband?")))
    >>> conversation.question.text
    'When did they disband?'
    >>> len(conversation.history)
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
        """The language of the question, "unknown" where it was not identified."""
        return self.question.lang or UNKNOWN

    @property
    def history(self) -> tuple[Turn, ...]:
        return self.turns[:-1]

    @property
    def in_context(self) -> str:
        """The question behind the user's latest ones, in one text; the question alone if none came
        before.

        >>> earlier = Turn("user", "how do i share a file"), Turn("assistant", "Use the menu.")
        >>> Conversation((*earlier, Turn("user", "and a folder"))).in_context
        'how do i share a file | and a folder'
        """
        asked = [" ".join(turn.text.split()) for turn in self.history if turn.role == "user"]
        before = (one[-_LONGEST:].strip() for one in asked[-_EARLIER:])
        return " | ".join([*filter(None, before), self.question.text])


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was found out about the last turn of a conversation before any rewriting.

    Attributes:
        conversation: the same turns; those of the user carry their language.
        intent: "question" is answered from the documents.
        reply: the courtesy that answers any other intent.
    """

    conversation: Conversation
    intent: Intent = "question"
    reply: str = ""

    @property
    def lang(self) -> str:
        """The language of the question, "unknown" where it cannot be identified."""
        return self.conversation.lang


@dataclass(frozen=True, slots=True)
class Edit:
    """One change that a rewriter made to the question.

    Attributes:
        text: what was inserted, what replaced `replaced`, or what was deleted.
        source_turn: index of the turn that the text came from; None where it came from no turn, as
            from the title or the language's function words.
        position: character offset in the original question.
    """

    kind: EditKind
    text: str
    source_turn: int | None
    position: int
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question made self-contained.

    Attributes:
        lang: the language that the answer should have: the question's, or the one that the user
            asked for ("in French, please").
        variants: other phrasings that retrieval searches in addition to `text` and fuses.
        confidence: in 0..1. From a rewriter that decides, the probability that `text` is at least
            as close to what a person would have written as the alternative: the question as asked
            for a rewrite, and for a question that was left the rewrite that was rejected.
        decision: "rewrite"; "leave", because the question is self-contained or no rewrite is
            probable enough; "new topic", because the history does not matter to it. None from
            rewriters that do not decide.
        reason: of the decision, in one line.
        alternatives: other rewrites of the question, without alternatives of their own. The
            pipeline takes one of them instead where the passages that it finds answer it better.
    """

    text: str
    lang: str
    edits: tuple[Edit, ...] = ()
    variants: tuple[str, ...] = ()
    confidence: float = 1.0
    decision: Decision | None = None
    reason: str = ""
    alternatives: tuple[Rewrite, ...] = ()

    @property
    def search(self) -> bool:
        """False where no document can answer."""
        return self.decision != "no retrieval"


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a person decides about one turn in place of the stages.

    Attributes:
        as_asked: the question is searched as it was asked.
        pinned: passages, by id, that come before all others.
        excluded: documents, by id, whose passages are not used.
    """

    as_asked: bool = False
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
