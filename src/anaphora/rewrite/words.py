"""The words of earlier turns that a rewriter may use."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.conversation import Conversation, Turn
from anaphora.language import analyzer, identify_question, tokenize


def content_words(text: str, lang: str) -> list[str]:
    """The words that are not stop words of the language, each once, in order.

    >>> content_words("What is the capital of Peru?", "en")
    ['capital', 'Peru']
    """
    own = analyzer(lang).term
    return list(dict.fromkeys(word for word in tokenize(text) if own(word)))


def user_turns(talk: Conversation) -> Iterator[tuple[int, Turn, str]]:
    """The user's earlier turns, the newest first, with their numbers and languages."""
    for number in reversed(range(len(talk.history))):
        turn = talk.turns[number]
        if turn.role == "user":
            yield number, turn, identify_question(Conversation(talk.turns[: number + 1]))
