"""The first stage: the language of each of the user's turns, and the intent of the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.language import identify_question, message
from anaphora.language.intent import INTENTS, classify_courtesy
from anaphora.records import Conversation, Understanding

__all__ = ["LanguageAndIntent"]


class LanguageAndIntent:
    """Identifies the languages of a conversation and the intent of its last turn.

    Each of the user's turns gets the language that `identify_question` returns for the conversation
    up to that turn. A language that a turn already carries is kept, unless it is "unknown". Turns
    of the assistant are returned as they are.

    >>> from anaphora.records import Turn
    >>> (found,) = LanguageAndIntent().understand([Conversation((Turn("user", "¡Gracias!"),))])
    >>> found.lang, found.intent
    ('es', 'thanks')
    """

    def understand(self, conversations: Sequence[Conversation]) -> list[Understanding]:
        return [self._one(conversation) for conversation in conversations]

    def _one(self, conversation: Conversation) -> Understanding:
        turns = tuple(
            # The history is the original one: an inherited language does not count as evidence.
            replace(turn, lang=identify_question(Conversation(conversation.turns[: at + 1])))
            if turn.role == "user"
            else turn
            for at, turn in enumerate(conversation.turns)
        )
        identified = replace(conversation, turns=turns)
        courtesy = classify_courtesy(identified.question.text)
        if courtesy is None:
            return Understanding(identified)
        return Understanding(identified, INTENTS[courtesy], message(courtesy, identified.lang))
