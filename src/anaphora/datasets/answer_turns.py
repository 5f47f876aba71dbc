"""Questions on collections of documents, with the facts that a useful answer shows.

The format is described in docs/json.md, "Input: answers".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.datasets.json_stream import Record, json_lines
from anaphora.normal_form import normal_form
from anaphora.records import UNKNOWN, Turn

_REQUIRED = ("id", "collection", "question", "nuggets")
_OPTIONAL = ("kind", "split", "history", "lang", "sources", "answerable", "stage")
_PATTERN = "re:"
_CITATION_MARK = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class AnswerTurn:
    """A question, and what a useful answer to it shows.

    Attributes:
        collection: the name of the documents that are asked.
        nuggets: the key facts, each as its alternative wordings; none for an unanswerable question.
            An alternative that begins with "re:" is a regular expression.
        sources: the documents that hold the answer, as paths inside the collection.
        kind: such as "how-to"; empty where it is not given.
        split: such as "tune" or "report"; empty where it is not given.
    """

    id: str
    collection: str
    question: str
    nuggets: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    kind: str = ""
    split: str = ""
    lang: str = UNKNOWN

    @property
    def answerable(self) -> bool:
        return bool(self.nuggets)


def normalized(text: str) -> str:
    """The text as nuggets are compared: without citation marks, NFKC, case-folded, white space
    folded.

    >>> normalized("Ｄatei  →\\nSpeichern [1][2]."), normalized("自動[1]筛选")
    ('datei → speichern.', '自動筛选')
    """
    text = normal_form("NFKC", _CITATION_MARK.sub("", text)).casefold()
    return " ".join(normal_form("NFKC", text).split())


def pattern(alternative: str) -> str:
    """The regular expression that finds an alternative of a nugget in normalized text.

    >>> pattern("Strg+S"), pattern("re:[0-9]+ days?")
    ('strg\\\\+s', '[0-9]+ days?')
    """
    if alternative.startswith(_PATTERN):
        return alternative.removeprefix(_PATTERN)
    return re.escape(normalized(alternative))


def load_answer_turns(paths: Sequence[Path]) -> list[AnswerTurn]:
    """The turns of files, in their order.

    Raises:
        UsageError: a file cannot be read.
        MalformedData: a field is missing or wrong, or two turns share an id.
    """
    turns: list[AnswerTurn] = []
    places: dict[str, str] = {}
    for path in paths:
        for record in json_lines(path):
            turn = _turn(record)
            if turn.id in places:
                raise record.wrong("id", f"{turn.id!r} is already that of {places[turn.id]}")
            places[turn.id] = f"{path}, {record.place}"
            turns.append(turn)
    return turns


def _turn(record: Record) -> AnswerTurn:
    unknown = next((name for name in record.values if name not in (*_REQUIRED, *_OPTIONAL)), None)
    if unknown is not None:
        raise record.wrong(unknown, "is not a field of this format")
    nuggets = _nuggets(record)
    sources = record.texts("sources") if "sources" in record else ()
    answerable = record.values.get("answerable")
    if answerable is None:
        answerable = bool(nuggets)
    if not isinstance(answerable, bool):
        raise record.wrong("answerable", "must be true or false")
    if answerable != bool(nuggets):
        state = "is true, but there are no nuggets" if answerable else "is false, but has nuggets"
        raise record.wrong("answerable", state)
    if sources and not answerable:
        raise record.wrong("sources", "must be empty where the question is not answerable")
    if not all(source.strip("/ ") for source in sources):
        raise record.wrong("sources", "holds an empty path")
    record.text("stage", "")  # what a person thought; it is checked and not used
    return AnswerTurn(
        id=record.identity("id"),
        collection=record.filled("collection"),
        question=record.filled("question"),
        nuggets=nuggets,
        sources=sources,
        history=tuple(map(_earlier, record.records("history") if "history" in record else ())),
        kind=record.text("kind", ""),
        split=record.text("split", ""),
        lang=record.text("lang", UNKNOWN),
    )


def _nuggets(record: Record) -> tuple[tuple[str, ...], ...]:
    value = record.values.get("nuggets")
    if value is None:
        raise record.wrong("nuggets", "is missing")
    if not isinstance(value, list):
        raise record.wrong("nuggets", "must be a list of lists of strings")
    for number, nugget in enumerate(value, 1):
        if not isinstance(nugget, list) or not all(isinstance(text, str) for text in nugget):
            raise record.wrong("nuggets", f"must be a list of lists of strings; {number} is not")
        if not nugget or not all(map(normalized, nugget)):
            raise record.wrong("nuggets", f"has an empty alternative or none in {number}")
        for text in nugget:
            try:
                re.compile(pattern(text))
            except re.error as error:
                reason = f"has a pattern in {number} that is not valid: {error}"
                raise record.wrong("nuggets", reason) from error
    return tuple(map(tuple, value))


def _earlier(record: Record) -> Turn:
    role = record.text("role")
    if role not in ("user", "assistant"):
        raise record.wrong("role", "must be user or assistant")
    return Turn("user" if role == "user" else "assistant", record.filled("text"))
