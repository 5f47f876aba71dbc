"""Conversations as the understanding stage hands them to rewriters: with languages."""

from __future__ import annotations

from dataclasses import replace

from anaphora.records import Conversation, Role, Turn
from anaphora.understand import LanguageAndIntent


def conversation(*texts: str, title: str | None = None, lang: str | None = None) -> Conversation:
    """Turns in alternation, the last one the user's.

    Args:
        lang: of the last turn; identified where it is not given.
    """
    last = len(texts) - 1
    roles: list[Role] = ["user" if (last - at) % 2 == 0 else "assistant" for at in range(last + 1)]
    turns = [Turn(role, text) for role, text in zip(roles, texts, strict=True)]
    turns[-1] = replace(turns[-1], lang=lang)
    return understood(Conversation(tuple(turns), title))


def understood(conversation: Conversation) -> Conversation:
    """The conversation with the languages of the user's turns."""
    (found,) = LanguageAndIntent().understand([conversation])
    return found.conversation
