"""A user's own data: JSON lines of turns, with passages in the same folder if there are any.

The records are described in docs/json.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from anaphora.datasets.beir import CORPUS, read_corpus
from anaphora.datasets.building import Ids, distinct, language, tidy
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.sniffing import first_record
from anaphora.records import Conversation, Document, Turn

_PASSAGES: Final = ("passages.jsonl", CORPUS)
_FIELDS: Final = (
    "id",
    "turns",
    "title",
    "rewrite",
    "rewrites",
    "answer",
    "answers",
    "relevant",
    "answerable",
    "lang",
    "tags",
)


def _recognises(path: Path) -> bool:
    record = first_record(path)
    turns = record.get("turns")
    return (
        "id" in record
        and isinstance(turns, list)
        and all(isinstance(turn, dict) and "role" in turn for turn in turns)
    )


def _examples(path: Path) -> Iterator[Example]:
    ids = Ids()
    for record in json_lines(path):
        unknown = [name for name in record.values if name not in _FIELDS]
        if unknown:
            raise record.wrong(unknown[0], f"is none of {', '.join(_FIELDS)}")
        yield _example(record, ids.take(record.identity("id"), record, "id"))


def _example(record: Record, id: str) -> Example:
    answers = _one_or_more(record, "answer", "answers")
    relevant = _relevant(record)
    answerable = record.values.get("answerable")
    if not isinstance(answerable, bool | None):
        raise record.wrong("answerable", "must be true or false")
    if answers and answerable is False:
        raise record.wrong("answerable", "is false, but there is an answer")
    if answerable is None and (answers or any(grade > 0 for grade in relevant.values())):
        answerable = True
    return Example(
        _conversation(record, id),
        rewrites=_one_or_more(record, "rewrite", "rewrites"),
        answers=answers,
        relevant=relevant,
        answerable=answerable,
        tags=_tags(record),
    )


def _conversation(record: Record, id: str) -> Conversation:
    turns = [_turn(turn) for turn in record.records("turns")]
    if not turns or turns[-1].role != "user":
        raise record.wrong("turns", "must end with the user's question")
    lang = language(record.filled("lang")) if "lang" in record else None
    turns[-1] = replace(turns[-1], lang=lang)
    title = tidy(record.text("title", "")) or None
    return Conversation(tuple(turns), title, id)


def _turn(record: Record) -> Turn:
    role = record.text("role")
    if role not in ("user", "assistant"):
        raise record.wrong("role", 'must be "user" or "assistant"')
    return Turn("user" if role == "user" else "assistant", tidy(record.filled("text")))


def _one_or_more(record: Record, one: str, more: str) -> tuple[str, ...]:
    """The text under the one name or the texts under the other."""
    if one in record and more in record:
        raise record.wrong(one, f'occurs together with "{more}"; only one of them may')
    if one in record:
        return (tidy(record.filled(one)),)
    texts = distinct(record.texts(more)) if more in record else ()
    if not all(texts):
        raise record.wrong(more, "holds an empty text")
    return texts


def _relevant(record: Record) -> dict[str, int]:
    """Grades by passage id, or a list of ids that each have the grade 1."""
    given = record.values.get("relevant")
    if given is None:
        return {}
    if isinstance(given, list) and all(isinstance(id, str) for id in given):
        return dict.fromkeys(given, 1)
    if isinstance(given, dict) and all(
        isinstance(grade, int) and not isinstance(grade, bool) for grade in given.values()
    ):
        return given
    raise record.wrong("relevant", "must be a list of passage ids or whole numbers by passage id")


def _tags(record: Record) -> Mapping[str, str]:
    tags = record.values.get("tags")
    if tags is None:
        return {}
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise record.wrong("tags", "must be strings by name")
    return tags


def _documents(path: Path) -> Iterator[Document]:
    """The passages in passages.jsonl or corpus.jsonl in the folder of the file."""
    found = next((path.parent / name for name in _PASSAGES if (path.parent / name).is_file()), None)
    return read_corpus(found) if found else iter(())


FORMAT = Format(
    "records",
    "JSON lines of your own: a conversation a line, with passages in the same folder or without",
    "yours",
    "docs/json.md",
    _recognises,
    _examples,
    _documents,
)
