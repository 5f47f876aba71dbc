"""The words of earlier turns that a rewriter may use."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.language import analyzer, counts_characters, identify_question, tokenize
from anaphora.records import Conversation, Turn

_ENDS = " \t\n?？!！.。…"


def content_words(text: str, lang: str) -> list[str]:
    """The words that are not stop words of the language, each once, in order.

    >>> content_words("What is the capital of Peru?", "en")
    ['capital', 'Peru']
    """
    own = analyzer(lang).term
    return list(dict.fromkeys(word for word in tokenize(text) if own(word)))


def carried_words(text: str, lang: str) -> list[str]:
    """What of a text may be put into another one, to be read as well as searched.

    Words, or where a text is searched by pieces of its writing, the text as a whole.

    >>> carried_words("谁建造了故宫？", "zh")
    ['谁建造了故宫']
    """
    if counts_characters(lang) or lang == "ko":
        whole = text.strip(_ENDS)
        return [whole] if whole else []
    return content_words(text, lang)


def user_turns(talk: Conversation) -> Iterator[tuple[int, Turn, str]]:
    """The user's earlier turns, the newest first, with their numbers and languages."""
    for number in reversed(range(len(talk.history))):
        turn = talk.turns[number]
        if turn.role == "user":
            yield number, turn, identify_question(Conversation(talk.turns[: number + 1]))
