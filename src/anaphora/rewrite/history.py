"""The baselines: the question as asked, and the question followed by the conversation's history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anaphora.records import Conversation, Edit, Rewrite
from anaphora.rewrite.context_turns import plain_text
from anaphora.validation import check_ranges

Order = Literal["newest", "oldest"]


@dataclass(frozen=True, slots=True)
class NoRewriter:
    """Leaves the question as it is."""

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [Rewrite(one.question.text, one.lang) for one in conversations]


@dataclass(frozen=True, slots=True)
class HistoryRewriter:
    """Appends the turns before the question to it, as in Gowriraj et al. (2023), "Assessing
    ChatGPT-Based Query Rewriting and Language-Agnostic Transformers for Multilingual
    Document-Grounded QA", section 4.2. Answers are appended without their markup.

    Args:
        order: whether the newest or the oldest turn comes first.
        turns: how many of the latest turns are appended, 0 for all of them.
    """

    order: Order = "newest"
    turns: int = 0

    def __post_init__(self) -> None:
        check_ranges("rewrite", self, turns=(self.turns >= 0, "0 or more"))

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        question = conversation.question.text
        numbered = [
            (number, plain_text(turn))
            for number, turn in list(enumerate(conversation.history))[-self.turns :]
        ]
        if self.order == "newest":
            numbered.reverse()
        edits = tuple(Edit("insert", text, number, len(question)) for number, text in numbered)
        text = " ".join([question, *(text for _, text in numbered)])
        return Rewrite(text, conversation.lang, edits)
