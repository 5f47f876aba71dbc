"""The sentences that Anaphora writes itself, in the language of the question."""

from __future__ import annotations

from typing import Literal

from anaphora.language.tables import table

Message = Literal[
    "not_in_documents",
    "unsure",
    "also",
    "did_you_mean",
    "unmentioned",
    "nearest",
    "other_sections",
    "original",
    "translated",
    "greeting",
    "thanks",
    "farewell",
    "assent",
]
"""An abstention; what introduces a doubtful answer, further extracts, another reading of the
question ({} stands for it), words that no document has (also {}), the nearest sections, those that
were found too, an answer in another language and a translated one; or the reply to a courtesy."""


def message(name: Message, lang: str) -> str:
    """The message in a language; in English for a language without one.

    >>> message("greeting", "de")
    'Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.'
    >>> message("greeting", "unknown")
    'Hello! Ask me something about your documents.'
    """
    text: str = (table(lang, "messages") or table("en", "messages"))[name]
    return text


def not_in_documents(lang: str) -> str:
    """States that the documents contain no answer.

    >>> not_in_documents("en")
    'I found no answer to that in the documents.'
    """
    return message("not_in_documents", lang)
