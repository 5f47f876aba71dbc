"""CLAP NQ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.clapnq import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Document


def record(id: str | int, text: str, *answers: str | None) -> dict[str, Any]:
    return {
        "id": id,
        "input": "how does the lock work",
        "passages": [{"title": "Lock", "text": text, "sentences": [text]}],
        "output": [{"answer": answer, "meta": None} for answer in answers],
    }


def written(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def test_folder_and_file(tmp_path: Path) -> None:
    answerable = written(
        tmp_path / "clapnq_dev_answerable.jsonl",
        record("1", "It opens with a key .", "With a key.", "By its key.", "With a key."),
        record("2", "It opens with a key .", "With a key."),
    )
    unanswerable = written(
        tmp_path / "clapnq_dev_unanswerable.jsonl",
        record(3, "It is made of brass .", ""),
        record("4", "It is heavy .", None),
    )
    (tmp_path / "README.md").write_text("…", "utf-8")
    assert all(map(FORMAT.recognises, (tmp_path, answerable, unanswerable)))

    first, second, third, fourth = FORMAT.examples(tmp_path)
    assert first.answers == ("With a key.", "By its key.")
    assert (first.relevant, first.answerable) == ({"1-1": 1}, True)
    assert second.relevant == {"1-1": 1}
    assert (third.id, third.answers, third.relevant) == ("3", (), {"3-1": 0})
    assert (fourth.answers, fourth.answerable) == ((), False)
    assert [one.id for one in FORMAT.examples(unanswerable)] == ["3", "4"]
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(tmp_path)) == [
        Document("1-1", "Lock", "It opens with a key .", "en", whole=True),
        Document("3-1", "Lock", "It is made of brass .", "en", whole=True),
        Document("4-1", "Lock", "It is heavy .", "en", whole=True),
    ]


def test_errors_name_the_file_of_the_folder(tmp_path: Path) -> None:
    path = written(
        tmp_path / "clapnq_train_answerable.jsonl",
        record("1", "Text.", "Answer."),
        record("2", "Text.", "Answer.") | {"passages": [{"title": "Lock"}]},
    )
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(tmp_path))
    assert str(error.value) == f'{path}, line 2, passages 1: "text" is missing'


def test_same_question_in_two_files(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        written(tmp_path / name, record("1", "Text.", "Answer."))
    with pytest.raises(MalformedData, match=r"b\.jsonl, line 1: \"id\" gives the id '1' for the"):
        list(FORMAT.examples(tmp_path))
