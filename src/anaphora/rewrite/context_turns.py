"""The earlier turns as far as a rewriter may take words from them.

A user takes up what they asked, and of an answer what it says first. Markup is never taken up:
citation marks, code and addresses.
"""

from __future__ import annotations

import re
from dataclasses import replace

from anaphora.language import sentences
from anaphora.records import Conversation, Turn

_MAX_CHARACTERS = 240
"""Of the first sentence of an answer; more is a quotation."""
_FENCED = re.compile(r"(?ms)^\s*(```|~~~).*?(?:^\s*\1[^\n]*$|\Z)")
_INDENTED = re.compile(r"(?m)^(?: {4}|\t|[$#>] ).*$")
_ADDRESS = re.compile(r"(?<![0-9A-Za-z])(?:https?://|www\.)[!-~]*[/0-9A-Za-z]")
_MARK = re.compile(r"\s*\[\d{1,3}\]")
_LETTER = re.compile(r"\w")


def without_markup(text: str) -> str:
    """An answer's text without citation marks, lines of code and addresses, its white space folded.

    >>> without_markup("Run it so [1][2]:\\n```\\nmake all\\n```\\nSee https://example.org/a.")
    'Run it so: See .'
    """
    for pattern in (_FENCED, _INDENTED, _ADDRESS, _MARK):
        text = pattern.sub("", text)
    return " ".join(text.split())


def plain_text(turn: Turn) -> str:
    """The text of a turn; of an answer without its markup."""
    return turn.text if turn.role == "user" else without_markup(turn.text)


def stressed(conversation: Conversation) -> Conversation:
    """The conversation with of each answer only what it says first: its first sentence, without
    markup. The user's turns are unchanged."""
    lang = conversation.lang
    history = (
        turn if turn.role == "user" else replace(turn, text=_first_sentence(turn, lang))
        for turn in conversation.history
    )
    return replace(conversation, turns=(*history, conversation.question))


def _first_sentence(turn: Turn, lang: str) -> str:
    text = without_markup(turn.text[: 20 * _MAX_CHARACTERS])
    first = next(
        (
            text[start:end]
            for start, end in sentences(text, turn.lang or lang)
            if _LETTER.search(text, start, end)
        ),
        "",
    )
    return first[:_MAX_CHARACTERS]
