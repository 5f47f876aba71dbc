"""Building examples and documents from the records of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.datasets.json_stream import Record
from anaphora.errors import MalformedData
from anaphora.ingest.content import clean
from anaphora.records import UNKNOWN, Conversation, Document, Role, Turn

Utterance = tuple[Role, str]


def alternating(texts: Sequence[str], first: Role = "user") -> list[Utterance]:
    """Two speakers who alternate.

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
    """A conversation. Utterances of only white space are left out of the history."""
    turns = [Turn(role, text.strip(), lang) for role, text in history if text.strip()]
    return Conversation((*turns, Turn("user", question, lang)), title, identity)


def tidy(text: str) -> str:
    """The text in NFC, without white space around it."""
    return clean(text).strip()


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once, tidied, in their order."""
    return tuple(dict.fromkeys(tidy(text) for text in texts))


def lone_question(id: str, text: str, lang: str | None) -> Conversation:
    """A conversation of one question."""
    return Conversation((Turn("user", tidy(text), lang),), id=id)


def language(code: str) -> str:
    """The language of a code that may also name a region or a script.

    >>> language("zh_CN"), language("pt-BR"), language("ar")
    ('zh', 'pt', 'ar')
    """
    return re.split(r"[_-]", code.strip().lower())[0]


def passage(
    identity: str, text: str, record: Record, title: str = "", lang: str = UNKNOWN
) -> Document:
    """One passage of a set as a document that is never split.

    Raises:
        MalformedData: it has no text.
    """
    text, title = tidy(text), " ".join(clean(title).split())
    if not text:
        raise record.wrong("text", "is empty")
    return Document(identity, title, text, lang, whole=True)


def solid(name: str) -> str:
    """An id without white space, as run files need it.

    >>> solid("Top 5 Mistakes#3")
    'Top_5_Mistakes#3'
    """
    return "_".join(name.split())


def judged_question(question: Conversation, relevant: Mapping[str, int]) -> Example:
    """A question with its judged passages."""
    answerable = True if any(grade > 0 for grade in relevant.values()) else None
    return Example(question, relevant=relevant, answerable=answerable)


def check_all_used(qrels: Mapping[str, object], path: Path, topics: Path, what: str) -> None:
    """Checks that no judgements are left for questions that the data set lacks.

    Raises:
        MalformedData: some are.
    """
    if qrels:
        first = next(iter(qrels))
        raise MalformedData(
            f'{path}: {len(qrels)} of its {what} are not in {topics}, such as "{first}"'
        )


def each_once(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, without those whose id was there before."""
    seen: set[str] = set()
    for document in documents:
        if document.doc_id not in seen:
            seen.add(document.doc_id)
            yield document


class Ids:
    """The ids that a data set used so far: no two examples may share one."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, identity: str, record: Record, field: str) -> str:
        """The id, if it is new.

        Raises:
            MalformedData: it was used before, or has white space in it.
        """
        if identity.split() != [identity]:
            raise record.wrong(field, f"gives an id with white space in it, {identity!r}")
        if identity in self._used:
            raise record.wrong(field, f"gives the id {identity!r} for the second time")
        self._used.add(identity)
        return identity


class Switches:
    """Whether a turn has other gold documents than the turn before it in its dialogue."""

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
