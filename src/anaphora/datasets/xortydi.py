"""XOR-TyDi QA: questions in seven languages with short answers, without passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, distinct, language, lone_question
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import json_lines
from anaphora.datasets.sniffing import with_first_record


def _examples(path: Path) -> Iterator[Example]:
    ids = Ids()
    for record in json_lines(path):
        # The test questions are published without answers.
        answers = distinct(record.texts("answers")) if "answers" in record else ()
        id = ids.take(record.identity("id"), record, "id")
        yield Example(
            lone_question(id, record.filled("question"), language(record.text("lang"))),
            answers=answers,
            answerable=True if answers else None,
        )


FORMAT = Format(
    "xortydi",
    "XOR-TyDi QA: questions in ar, bn, fi, ja, ko, ru and te with short answers",
    "MIT",
    "https://nlp.cs.washington.edu/xorqa/",
    with_first_record("id", "question", "lang", "split"),
    _examples,
)
