"""CLAP NQ: English questions with long answers, and as many that their passage does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, distinct, each_once, lone_question, tidy
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.sniffing import files_of, with_first_record
from anaphora.records import Document

_belongs = with_first_record("id", "input", "passages", "output")


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a folder: one file has the answerable questions, the other the
    unanswerable ones."""
    return files_of(path, _belongs)


def _examples(path: Path) -> Iterator[Example]:
    ids = Ids()
    for record, passages in _records(path):
        outputs = record.records("output")
        answers = distinct(output.text("answer", "") for output in outputs)
        answers = tuple(answer for answer in answers if answer)
        answerable = bool(answers)
        yield Example(
            lone_question(
                ids.take(record.identity("id"), record, "id"), record.filled("input"), "en"
            ),
            answers=answers,
            relevant={passage.doc_id: int(answerable) for passage in passages},
            answerable=answerable,
        )


def _documents(path: Path) -> Iterator[Document]:
    return each_once(passage for _, passages in _records(path) for passage in passages)


def _records(path: Path) -> Iterator[tuple[Record, list[Document]]]:
    """Each question and its passages; a passage's id is the first question's that shows it, and
    its number there."""
    ids: dict[tuple[str, str], str] = {}
    for file in _files(path):
        for record in json_lines(file):
            question = record.identity("id")
            passages = []
            for number, passage in enumerate(record.records("passages"), 1):
                title, text = tidy(passage.text("title", "")), tidy(passage.filled("text"))
                id = ids.setdefault((title, text), f"{question}-{number}")
                passages.append(Document(id, title, text, "en", whole=True))
            yield record, passages


FORMAT = Format(
    "clapnq",
    "CLAP NQ: English questions of Natural Questions with long answers; half have none",
    "Apache-2.0",
    "https://github.com/primeqa/clapnq",
    lambda path: bool(_files(path)),
    _examples,
    _documents,
)
