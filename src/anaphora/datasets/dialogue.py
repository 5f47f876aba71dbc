"""What the loaders of dialogues share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from anaphora.datasets.heads import head
from anaphora.datasets.reading import Record
from anaphora.ingest.content import clean
from anaphora.records import UNKNOWN, Conversation, Document, Role, Turn

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')

Utterance = tuple[Role, str]


def field_names(path: Path) -> frozenset[str]:
    """The names of the JSON fields that the beginning of a file shows."""
    return frozenset(name for name, colon in _STRING.findall(head(path)) if colon)


def alternating(texts: Sequence[str], first: Role = "user") -> list[Utterance]:
    """Two speakers by turns.

    >>> alternating(["Who?", "A band."])
    [('user', 'Who?'), ('assistant', 'A band.')]
    """
    roles: tuple[Role, Role] = ("user", "assistant") if first == "user" else ("assistant", "user")
    return [(roles[place % 2], text) for place, text in enumerate(texts)]


def conversation(
    identity: str,
    history: Iterable[Utterance],
    question: str,
    title: str | None = None,
    lang: str | None = None,
) -> Conversation:
    """Utterances of nothing but white space are left out of the history."""
    turns = [Turn(role, text.strip(), lang) for role, text in history if text.strip()]
    return Conversation((*turns, Turn("user", question, lang)), title, identity)


def passage(
    identity: str, text: str, record: Record, title: str = "", lang: str = UNKNOWN
) -> Document:
    """One passage of a set as a document that is never split.

    Raises:
        MalformedData: it has no text.
    """
    text, title = clean(text).strip(), " ".join(clean(title).split())
    if not text:
        raise record.wrong("text", "is empty")
    return Document(identity, title, text, lang, whole=True)


def solid(name: str) -> str:
    """An id without white space, as run files need it.

    >>> solid("Top 5 Mistakes#3")
    'Top_5_Mistakes#3'
    """
    return "_".join(name.split())


class Ids:
    """The ids that a set has given so far: no two examples may share one."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def take(self, identity: str, record: Record, field: str) -> str:
        """The id, if it is new.

        Raises:
            MalformedData: it was given before, or holds white space.
        """
        if identity.split() != [identity]:
            raise record.wrong(field, f"gives an id with white space in it, {identity!r}")
        if identity in self._given:
            raise record.wrong(field, f"gives the id {identity!r} for the second time")
        self._given.add(identity)
        return identity


class Switches:
    """Whether a turn stands on another document than the turn before it in its dialogue."""

    def __init__(self) -> None:
        self._dialogue = ""
        self._before: frozenset[str] = frozenset()

    def tag(self, dialogue: str, gold: Iterable[str]) -> Mapping[str, str]:
        """The tag "topic_switch"; none for a first turn, and where either turn has no gold."""
        before = self._before if dialogue == self._dialogue else frozenset()
        now = frozenset(gold)
        self._dialogue, self._before = dialogue, now
        if not before or not now:
            return {}
        return {"topic_switch": "no" if before & now else "yes"}
