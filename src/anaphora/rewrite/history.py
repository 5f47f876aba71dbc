"""Rewriters that only repeat what was said before: the baselines every other one must beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anaphora.language import identify_question
from anaphora.records import Conversation, Edit, Rewrite
from anaphora.validation import check_ranges

Order = Literal["newest", "oldest"]


@dataclass(frozen=True, slots=True)
class NoRewriter:
    """The question as it was asked."""

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [Rewrite(talk.question.text, identify_question(talk)) for talk in conversations]


@dataclass(frozen=True, slots=True)
class HistoryRewriter:
    """The question followed by the turns before it, as multilingual-document-grounded-qa §4.2 has
    them: the newest first, or the oldest first.

    `turns` is how many of the latest ones are taken, 0 for all of them.
    """

    order: Order = "newest"
    turns: int = 0

    def __post_init__(self) -> None:
        check_ranges("rewrite", self, turns=(self.turns >= 0, "0 or more"))

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._one(talk) for talk in conversations]

    def _one(self, talk: Conversation) -> Rewrite:
        question = talk.question.text
        numbered = list(enumerate(talk.history))[-self.turns :]
        if self.order == "newest":
            numbered.reverse()
        edits = tuple(Edit("insert", turn.text, number, len(question)) for number, turn in numbered)
        text = " ".join([question, *(turn.text for _, turn in numbered)])
        return Rewrite(text, identify_question(talk), edits)
