"""Words of earlier turns that a rewriter may add to a question."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.language import analyzer, counts_characters, tokenize
from anaphora.records import Conversation, Turn

_FINAL_MARKS = " \t\n?？!！.。…"


def content_words(text: str, lang: str) -> list[str]:
    """The words that are not stop words of the language, each once, in order.

    >>> content_words("What is the capital of Peru?", "en")
    ['capital', 'Peru']
    """
    term = analyzer(lang).term
    return list(dict.fromkeys(word for word in tokenize(text) if term(word)))


def topic_phrases(text: str, lang: str) -> list[str]:
    """The content words, or in a language written without spaces and in Korean the text as a whole:
    parts of it would not be readable.

    >>> topic_phrases("谁建造了故宫？", "zh")
    ['谁建造了故宫']
    """
    if counts_characters(lang) or lang == "ko":
        whole = text.strip(_FINAL_MARKS)
        return [whole] if whole else []
    return content_words(text, lang)


def earlier_user_turns(conversation: Conversation) -> Iterator[tuple[int, Turn]]:
    """The user's turns before the question with their indices, the newest first."""
    for number in reversed(range(len(conversation.history))):
        if conversation.turns[number].role == "user":
            yield number, conversation.turns[number]
