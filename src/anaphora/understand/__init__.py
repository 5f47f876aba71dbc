"""Understanding a turn before rewriting: its language and its intent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.language import identify_question, small_talk, small_talk_reply
from anaphora.records import Conversation, Intent, Understanding

_INTENTS: dict[str, Intent] = {"greeting": "greeting", "thanks": "thanks", "farewell": "farewell"}


class LanguageAndIntent:
    """Identifies the language of each of the user's turns, and the intent of the last one."""

    def understand(self, conversations: Sequence[Conversation]) -> list[Understanding]:
        return [self._one(conversation) for conversation in conversations]

    def _one(self, conversation: Conversation) -> Understanding:
        turns = tuple(
            replace(turn, lang=identify_question(Conversation(conversation.turns[: at + 1])))
            if turn.role == "user"
            else turn
            for at, turn in enumerate(conversation.turns)
        )
        identified = replace(conversation, turns=turns)
        kind = small_talk(identified.question.text)
        if kind is None or kind == "chat":
            return Understanding(identified)
        return Understanding(
            identified, _INTENTS.get(kind, "thanks"), small_talk_reply(kind, identified.lang)
        )
