"""BEIR: a folder of a corpus, queries and judgements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from anaphora.datasets.building import (
    Ids,
    check_all_used,
    judged_question,
    language,
    lone_question,
    tidy,
)
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.qrels import read_qrels
from anaphora.datasets.sniffing import files
from anaphora.records import UNKNOWN, Document

CORPUS: Final = "corpus.jsonl"
_QUERIES: Final = "queries.jsonl"
_QRELS: Final = "qrels"
_SPLITS: Final = ("test", "dev", "train")


def _recognises(path: Path) -> bool:
    judged = _judgements(path)
    return judged is not None and (judged.parent.parent / _QUERIES).is_file()


def _judgements(path: Path) -> Path | None:
    """The file of judgements: the path itself, or of a folder's the first of the splits test, dev
    and train, or else the first by name."""
    if path.suffix == ".tsv" and path.parent.name == _QRELS:
        return path if path.is_file() else None
    found = [one for one in files(path / _QRELS) if one.suffix == ".tsv"]
    splits = (one for name in _SPLITS for one in found if one.stem == name)
    return next(splits, found[0] if found else None)


def _examples(path: Path) -> Iterator[Example]:
    """The queries that have judgements, in their file's order; the path is the folder or, to
    choose a split, one of the files of judgements in it."""
    judged = _judgements(path)
    if judged is None:
        return
    qrels = read_qrels(judged)
    ids = Ids()
    queries = judged.parent.parent / _QUERIES
    for record in json_lines(queries):
        id = ids.take(record.identity("_id"), record, "_id")
        relevant = qrels.pop(id, None)
        if relevant is not None:
            lang = language(record.text("lang")) if "lang" in record else None
            yield judged_question(lone_question(id, record.filled("text"), lang), relevant)
    check_all_used(qrels, judged, queries, "queries")


def _documents(path: Path) -> Iterator[Document]:
    judged = _judgements(path)
    corpus = judged.parent.parent / CORPUS if judged else None
    if corpus is not None and corpus.is_file():
        yield from read_corpus(corpus)


def read_corpus(path: Path) -> Iterator[Document]:
    """Each line `{"_id", "title"?, "text", "lang"?}` as one passage; the title stands for a text
    that is missing.

    Raises:
        AnaphoraError: the file cannot be opened.
        MalformedData: a line is not such a record, is empty, or repeats an id.
    """
    ids = Ids()
    for record in json_lines(path):
        id = ids.take(record.identity("_id"), record, "_id")
        yield corpus_document(id, record)


def corpus_document(id: str, record: Record) -> Document:
    title = " ".join(tidy(record.text("title", "")).split())
    text = tidy(record.text("text")) or title
    if not text:
        raise record.wrong("text", "is empty")
    lang = language(record.text("lang")) if "lang" in record else UNKNOWN
    return Document(id, title, text, lang, whole=True)


FORMAT = Format(
    "beir",
    "BEIR: a folder of corpus.jsonl, queries.jsonl and qrels/*.tsv",
    "each set's own",
    "https://github.com/beir-cellar/beir",
    _recognises,
    _examples,
    _documents,
)
