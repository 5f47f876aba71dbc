from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import Skipped
from anaphora.ingest.records import read_records
from anaphora.records import Document


def write(folder: Path, *lines: object, name: str = "a.jsonl") -> Path:
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        for line in lines:
            text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
            file.write(text + "\n")
    return path


def documents(path: Path) -> list[Document]:
    return [record for record in read_records(path, "a") if isinstance(record, Document)]


def test_a_record_is_a_whole_document(tmp_path: Path) -> None:
    record = {
        "_id": "d1", "title": "Pump", "text": "It stops.", "lang": "en",
        "metadata": {"year": 2021, "tags": ["a", "é"], "by": "Li"},
    }  # fmt: skip
    [document] = documents(write(tmp_path, record))
    assert document == Document(
        "d1", "Pump", "It stops.", "en", (),
        {"year": "2021", "tags": '["a", "é"]', "by": "Li"}, True,
    )  # fmt: skip


def test_fields_may_be_missing(tmp_path: Path) -> None:
    untitled = {"_id": 7, "text": "There is only a text here."}
    path = write(tmp_path, untitled, {"_id": "t", "title": "T", "text": ""})
    first, second = documents(path)
    assert (first.doc_id, first.title, first.lang, first.metadata) == ("7", "", "en", {})
    assert second.text == "T"


def test_a_title_repeated_in_the_text_is_taken_away(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"_id": "1", "title": "Paris", "text": "Paris\nThe capital."},
        {"_id": "2", "title": "Paris", "text": "Paris is the capital."},
    )
    assert [document.text for document in documents(path)] == [
        "The capital.",
        "Paris is the capital.",
    ]


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    path = write(tmp_path, {"_id": "1", "text": "a\u2028b\x85c"}, {"_id": "2", "text": "d"})
    assert [document.text for document in documents(path)] == ["a\nb\nc", "d"]


def test_bad_lines_are_reported_and_the_others_read(tmp_path: Path) -> None:
    path = write(
        tmp_path, {"_id": "1", "text": "a"}, "{broken", [1], {"text": "no id"}, {"_id": "2"}, "",
        {"_id": "3", "text": " "}, "[" * 50_000, '{"_id": "4", "text": "\\ud800b"}',
    )  # fmt: skip
    records = list(read_records(path, "docs/a.jsonl"))
    assert [record.doc_id for record in records if isinstance(record, Document)] == ["1", "4"]
    skipped = {record.name: record.reason for record in records if isinstance(record, Skipped)}
    assert skipped["docs/a.jsonl, line 2"].startswith("is not JSON (")
    assert skipped["docs/a.jsonl, line 3"] == "is not a JSON object"
    assert skipped["docs/a.jsonl, line 4"] == 'has no "_id"'
    assert skipped["docs/a.jsonl, line 5"] == 'has no "text"'
    assert skipped["docs/a.jsonl, line 7"] == "holds no text"
    assert skipped["docs/a.jsonl, line 8"].startswith("is not JSON")
    assert len(skipped) == 6


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"_id": "1", "text": "水"}\n{"_id": "2", "text": "火"}\n', encoding=encoding)
    assert [document.text for document in documents(path)] == ["水", "火"]


def test_json_that_is_not_lines_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "{", '  "name": "x"', "}", name="package.json")
    with pytest.raises(UnreadableFile, match="not one record a line"):
        documents(path)
    with pytest.raises(UnreadableFile, match="no text"):
        documents(write(tmp_path, name="empty.jsonl"))
