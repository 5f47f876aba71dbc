"""BEIR folders."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.beir import FORMAT, read_corpus
from anaphora.errors import MalformedData
from anaphora.records import Document

CORPUS = [
    {"_id": "d1", "title": "灯台", "text": "灯台は1903年に建てられた。", "lang": "ja"},
    {"_id": "d 2", "title": "Đèn", "text": ""},
    {"_id": 3, "text": "Cafe\u0301 am Hafen"},
]
QUERIES = [
    {"_id": "q1", "text": "灯台はいつ?"},
    {"_id": "q2", "text": "متى؟", "lang": "ar"},
    {"_id": "q3", "text": "never judged"},
]


def lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines(
        tmp_path / "corpus.jsonl",
        [one | {"_id": str(one["_id"]).replace(" ", "")} for one in CORPUS],
    )
    lines(tmp_path / "queries.jsonl", QUERIES)
    judge(tmp_path, "train", "q2\td1\t1")
    judge(tmp_path, "dev", "q1\td2\t1")
    judge(tmp_path, "test", "q2\td2\t0", "q1\td1\t2", "q1\t3\t0")
    return tmp_path


def judge(folder: Path, split: str, *judgements: str) -> Path:
    path = folder / "qrels" / f"{split}.tsv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(("query-id\tcorpus-id\tscore", *judgements)) + "\n", "utf-8")
    return path


def test_folder(folder: Path) -> None:
    assert FORMAT.recognises(folder)
    first, second = FORMAT.examples(folder)
    assert (first.id, first.question) == ("q1", "灯台はいつ?")
    assert (first.relevant, first.answerable) == ({"d1": 2, "3": 0}, True)
    assert first.conversation.question.lang is None
    assert (second.id, second.conversation.question.lang) == ("q2", "ar")
    assert (second.relevant, second.answerable) == ({"d2": 0}, None)
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(folder)) == [
        Document("d1", "灯台", "灯台は1903年に建てられた。", "ja", whole=True),
        Document("d2", "Đèn", "Đèn", whole=True),
        Document("3", "", "Café am Hafen", whole=True),
    ]


def test_split(folder: Path) -> None:
    train = folder / "qrels" / "train.tsv"
    assert FORMAT.recognises(train)
    assert [one.id for one in FORMAT.examples(train)] == ["q2"]
    assert FORMAT.documents is not None
    assert len(list(FORMAT.documents(train))) == 3
    (folder / "qrels" / "test.tsv").unlink()
    assert [dict(one.relevant) for one in FORMAT.examples(folder)] == [{"d2": 1}]
    judge(folder, "all", "q3\td1\t1")
    (folder / "qrels" / "dev.tsv").unlink()
    assert [one.id for one in FORMAT.examples(folder)] == ["q2"]
    train.unlink()
    assert [one.id for one in FORMAT.examples(folder)] == ["q3"]


def test_no_corpus(folder: Path) -> None:
    (folder / "corpus.jsonl").unlink()
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(folder)) == []


def test_judged_queries_that_are_not_there(folder: Path) -> None:
    path = judge(folder, "test", "q1\td1\t1", "q8\td1\t1", "q9\td1\t1")
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(folder))
    assert str(error.value) == (
        f'{path}: 2 of its queries are not in {folder / "queries.jsonl"}, such as "q8"'
    )


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"text": "x"}, '"_id" is missing'),
        ({"_id": "a b", "text": "x"}, "\"_id\" gives an id with white space in it, 'a b'"),
        ({"_id": "d1", "text": "x"}, "\"_id\" gives the id 'd1' for the second time"),
        ({"_id": "x", "title": "x"}, '"text" is missing'),
        ({"_id": "x", "text": 1}, '"text" must be a string'),
        ({"_id": "x", "text": " "}, '"text" is empty'),
    ],
)
def test_corpus_errors(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    path = tmp_path / "corpus.jsonl"
    lines(path, [CORPUS[0], record])
    found = read_corpus(path)
    assert next(found).doc_id == "d1"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value) == f"{path}, line 2: {message}"


def test_mixed_encodings(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(
        '{"_id":"a","text":"夜"}\n'.encode() + '{"_id":"b","text":"夜"}\n'.encode("big5")
    )
    with pytest.raises(MalformedData, match="line 2: is not UTF-8"):
        list(read_corpus(path))


def test_line_separators_are_text(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id":"a","text":"one\u2028two"}\n', "utf-8")
    assert [one.text for one in read_corpus(path)] == ["one\ntwo"]


def test_not_beir(tmp_path: Path) -> None:
    lines(tmp_path / "queries.jsonl", QUERIES)
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(tmp_path / "queries.jsonl")
    assert not FORMAT.recognises(tmp_path / "none")
