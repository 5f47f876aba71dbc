"""The records that every data set gives, and what describes a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.records import Conversation, Document


@dataclass(frozen=True, slots=True)
class Example:
    """One turn of a data set with its annotations.

    Attributes:
        conversation: its id is the example's; its question has a `lang` where the data have it.
        rewrites: the question as people made it self-contained; the first is the reference.
        automatic: rewrites by machines that come with the data, by their names.
        answers: each of these texts is a right answer; none where the data contain none.
        relevant: grades by passage id (0: judged not relevant); none where nothing was judged.
        answerable: False where the documents hold no answer; None where the data do not say.
        tags: other properties by which turns are grouped: "dialogue", "question_type",
            "topic_switch" ("yes" or "no"), …
    """

    conversation: Conversation
    rewrites: tuple[str, ...] = ()
    automatic: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    relevant: Mapping[str, int] = field(default_factory=dict)
    answerable: bool | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.conversation.id

    @property
    def question(self) -> str:
        return self.conversation.question.text

    @property
    def depth(self) -> int:
        """The number of the user's turns so far: 1 for a question that opens a conversation."""
        return sum(turn.role == "user" for turn in self.conversation.turns)


@dataclass(frozen=True)
class Format:
    """A public format: its name, licence and home, and how it is read.

    `recognises` is cheap: it looks at names and first bytes. `examples` and `documents` stream and
    raise MalformedData naming file, place and field; a format whose sets come without passages has
    no `documents`, and a set that lacks them gives none.
    """

    name: str
    title: str
    licence: str
    home: str
    recognises: Callable[[Path], bool]
    examples: Callable[[Path], Iterator[Example]]
    documents: Callable[[Path], Iterator[Document]] | None = None
