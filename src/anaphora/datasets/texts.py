"""What the loaders do to every text and code they read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphora.ingest.content import clean
from anaphora.records import Conversation, Turn


def tidy(text: str) -> str:
    """In NFC and without white space around it."""
    return clean(text).strip()


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once, tidy, in their order."""
    return tuple(dict.fromkeys(tidy(text) for text in texts))


def lone_question(id: str, text: str, lang: str | None) -> Conversation:
    """A question that nothing was said before."""
    return Conversation((Turn("user", tidy(text), lang),), id=id)


def language(code: str) -> str:
    """The language of a code that may name a region or a script too.

    >>> language("zh_CN"), language("pt-BR"), language("ar")
    ('zh', 'pt', 'ar')
    """
    return re.split(r"[_-]", code.strip().lower())[0]
