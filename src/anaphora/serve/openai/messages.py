"""A conversation from the messages of a request."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from anaphora.records import Turn
from anaphora.serve.openai.forms import Message, Part
from anaphora.serve.problems import Problem

_TEXTS = ("text", "input_text", "output_text", "refusal")


def conversation(messages: Sequence[Message]) -> tuple[str, list[Turn]]:
    """The question and the turns before it.

    Messages of the system and of tools are passed over: answers come from the documents alone.
    Messages without text are passed over too, such as those that call tools.

    Raises:
        Problem: 400, a message holds something else than text, or the last turn is not a question
            of the user.
    """
    turns: list[Turn] = []
    for number, message in enumerate(messages):
        text = _text(message.content, f"messages[{number}].content")
        if text.strip() and message.role in ("user", "assistant"):
            turns.append(Turn("user" if message.role == "user" else "assistant", text))
    if not turns or turns[-1].role != "user":
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            "the last message with text must be the user's question",
            param="messages",
        )
    return turns[-1].text, turns[:-1]


def _text(content: str | Sequence[Part] | None, place: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    for number, part in enumerate(content):
        if part.type not in _TEXTS:
            raise Problem(
                HTTPStatus.BAD_REQUEST,
                f"a part of a message is of type {part.type!r}, but only text can be read; send "
                "the question as text, and add documents with 'anaphora index'",
                param=f"{place}[{number}]",
            )
    return "\n".join(part.text for part in content if part.text)
