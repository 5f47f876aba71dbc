"""What an LLM is asked: the context of a talk within a budget, and the messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from anaphora.models.chat import Message
from anaphora.records import Conversation, Role
from anaphora.rewrite.edits import Said
from anaphora.rewrite.history import Order
from anaphora.rewrite.prompts.few_shot import worked
from anaphora.rewrite.prompts.zero_shot import Wording, wording

Shots = Literal[0, 3]

_TITLE = 200
_USER_TURN = 500
_ANSWER = 2000
_FEWEST = 20
"""Characters: at most of each, and what there must be room for to begin another turn."""


def context(talk: Conversation, budget: int) -> list[Said]:
    """The turns before the question that fit into `budget` characters, the newest first, and
    before them the title. Long texts are cut at their end; turns without words are left out.
    """
    found: list[Said] = []
    title = _cut(talk.title or "", min(_TITLE, budget))
    if title:
        found.append(Said(title, None))
        budget -= len(title)
    for number in reversed(range(len(talk.history))):
        turn = talk.turns[number]
        most = _USER_TURN if turn.role == "user" else _ANSWER
        text = _cut(turn.text, min(most, budget))
        if text:
            found.append(Said(text, number))
            budget -= len(text)
        if budget < _FEWEST:
            break
    return found


def messages(
    talk: Conversation, said: Sequence[Said], lang: str, order: Order, shots: Shots
) -> list[Message]:
    """What to send to have the last question of `talk` rewritten in its language.

    Args:
        said: the context, as `context` gives it.
        order: which turn of it comes first.
        shots: how many worked examples go before it, as turns of the chat.
    """
    words = wording(lang)
    chat: list[Message] = []
    for one in worked(lang)[:shots]:
        before = _lines(words, [("user", one.asked), ("assistant", one.answered)], order)
        chat.append(Message("user", _asked(words, before, one.question)))
        chat.append(Message("assistant", one.rewrite))
    turns = [(talk.turns[one.turn].role, one.text) for one in said[::-1] if one.turn is not None]
    titles = [f"{words.title}: {one.text}" for one in said if one.turn is None]
    lines = titles + _lines(words, turns, order)
    question = " ".join(talk.question.text.split())
    return [*chat, Message("user", _asked(words, lines, question))]


def _lines(words: Wording, turns: Sequence[tuple[Role, str]], order: Order) -> list[str]:
    """A line for each turn, given the oldest first."""
    names = {"user": words.user, "assistant": words.assistant}
    lines = [f"{names[role]}: {text}" for role, text in turns]
    return lines if order == "oldest" else lines[::-1]


def _asked(words: Wording, lines: Sequence[str], question: str) -> str:
    return "\n".join(
        [
            words.instruction,
            "",
            f"{words.context}:",
            *lines,
            "",
            f"{words.question}: {question}",
            f"{words.rewritten}:",
        ]
    )


def _cut(text: str, size: int) -> str:
    """The beginning of a text in one line, at most `size` characters, up to the end of a word."""
    line = " ".join(text[: 4 * size].split())
    if len(line) <= size and len(text) <= 4 * size:
        return line
    head, space, _ = line[:size].rpartition(" ")
    return f"{head if space and len(head) > size // 2 else line[: size - 1]}…" if size else ""
