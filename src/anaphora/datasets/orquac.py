"""OR-QuAC: QuAC's conversations with CANARD's rewrites, answered from all of Wikipedia."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, Utterance, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines, json_members, malformed
from anaphora.datasets.sniffing import with_first_record
from anaphora.records import Document

_NONE = "CANNOTANSWER"


def examples(path: Path) -> Iterator[Example]:
    """One of the files of `preprocessed`; the judgements are `qrels.txt` in its folder or the one
    above, an object of passages with their grades for each question's id."""
    qrels = _qrels(path)
    ids = Ids()
    for record in json_lines(path):
        identity = ids.take(record.identity("qid"), record, "qid")
        answer = record.record("answer").text("text").strip()
        known = bool(answer) and answer != _NONE
        yield Example(
            conversation(identity, _history(record), record.filled("question")),
            rewrites=(record.filled("rewrite"),),
            answers=(answer,) if known else (),
            relevant=qrels.get(identity, {}),
            answerable=known,
            tags={"dialogue": identity.rpartition("_q#")[0] or identity},
        )


def documents(path: Path) -> Iterator[Document]:
    """The passages, where `all_blocks.txt` is in the folder of the path or the one above."""
    if found := _beside(path, "all_blocks.txt"):
        for record in json_lines(found):
            title = record.text("title", "")
            yield passage(record.identity("id"), record.text("text"), record, title)


def _history(record: Record) -> Iterator[Utterance]:
    for turn in record.records("history"):
        yield "user", turn.text("question")
        yield "assistant", turn.record("answer").text("text")


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    found = _beside(path, "qrels.txt")
    qrels: dict[str, dict[str, int]] = {}
    for question, grades in json_members(found) if found else ():
        if not isinstance(grades, dict) or not all(type(g) is int for g in grades.values()):
            raise malformed(found or path, question, "must be an object of whole numbers")
        qrels[question] = grades
    return qrels


def _beside(path: Path, name: str) -> Path | None:
    folder = path.absolute().parent
    return next(filter(Path.is_file, (folder / name, folder.parent / name)), None)


FORMAT = Format(
    name="orquac",
    title="OR-QuAC: open-retrieval conversational question answering",
    licence="CC BY-SA 4.0",
    home="https://github.com/prdwb/orconvqa-release",
    recognises=with_first_record("qid", "question", "rewrite", "history", "evidences"),
    examples=examples,
    documents=documents,
)
