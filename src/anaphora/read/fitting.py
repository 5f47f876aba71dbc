"""How many tokens a prompt has, before a model has counted them."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.models.chat import Message

_SPARE = 64
"""Tokens of the chat template and of what estimates miss."""


def most_tokens(messages: Sequence[Message]) -> int:
    """About the most tokens that messages have: one for three bytes of ASCII, else for two.

    >>> most_tokens([Message("user", "When did they disband?")])
    72
    """
    return _SPARE + sum(
        -(-ascii_bytes // 3) - (-other_bytes // 2)
        for ascii_bytes, other_bytes in map(_bytes, messages)
    )


def least_tokens(messages: Sequence[Message]) -> int:
    """About the least tokens: one for seven bytes of ASCII, else for ten. A server that counts
    fewer has not read the whole prompt."""
    return sum(
        ascii_bytes // 7 + other_bytes // 10 for ascii_bytes, other_bytes in map(_bytes, messages)
    )


def _bytes(message: Message) -> tuple[int, int]:
    text = message.content
    ascii_bytes = sum(map(str.isascii, text))
    return ascii_bytes, len(text.encode("utf-8", "replace")) - ascii_bytes
