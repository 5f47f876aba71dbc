"""MKQA: the same questions and short answers in up to 26 languages, without passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from anaphora.datasets.building import Ids, distinct, language, lone_question
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.sniffing import files_of, first_record

_WITHOUT_TEXT: Final = {"unanswerable": False, "long_answer": None}
"""Whether an answer of these types exists; all others are short texts."""


def _files(path: Path) -> list[Path]:
    """The file itself, or a folder's files of one language each."""
    return files_of(path, _belongs)


def _belongs(path: Path) -> bool:
    record = first_record(path)
    if record.keys() >= {"example_id", "queries", "answers"}:
        return True
    if not record.keys() >= {"id", "lang", "question", "answers"}:
        return False
    return str(record["id"]).endswith(f"_{record['lang']}")


def _examples(path: Path) -> Iterator[Example]:
    ids = Ids()
    for file in _files(path):
        for record in json_lines(file):
            if "queries" in record:
                yield from _all_languages(record, ids)
            else:
                yield _one_language(record, ids)


def _one_language(record: Record, ids: Ids) -> Example:
    id = ids.take(record.identity("id"), record, "id")
    answers = distinct(record.texts("answers"))
    return Example(
        lone_question(id, record.filled("question"), language(record.text("lang"))),
        answers=answers,
        answerable=True if answers else None,
    )


def _all_languages(record: Record, ids: Ids) -> Iterator[Example]:
    """One example a language, of the id that the files of one language give it."""
    id = record.identity("example_id")
    queries, answers = record.record("queries"), record.record("answers")
    for code in queries.values:
        given = answers.records(code)
        kind = given[0].text("type") if given else ""
        texts = distinct(text for answer in given for text in _texts(answer) if text.strip())
        if kind in _WITHOUT_TEXT:
            texts = ()
        yield Example(
            lone_question(
                ids.take(f"{id}_{code}", record, "example_id"),
                queries.filled(code),
                language(code),
            ),
            answers=texts,
            answerable=True if texts else _WITHOUT_TEXT.get(kind),
            tags={"question_type": kind} if kind else {},
        )


def _texts(answer: Record) -> tuple[str, ...]:
    aliases = answer.texts("aliases") if "aliases" in answer else ()
    return (answer.text("text", ""), *aliases)


FORMAT = Format(
    "mkqa",
    "MKQA: 10,000 questions and short answers in 26 languages",
    "CC BY-SA 3.0",
    "https://github.com/apple/ml-mkqa",
    lambda path: bool(_files(path)),
    _examples,
)
