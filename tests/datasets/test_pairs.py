"""JSON lines of questions with passages that answer them and passages that do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import towns

from anaphora.datasets.pairs import FORMAT
from anaphora.errors import MalformedData


def test_passages_are_judged_by_their_texts(tmp_path: Path) -> None:
    triples = towns.pairs(1, 16)
    path = towns.write(tmp_path / "towns.jsonl", triples)
    texts = {one.doc_id: one.text for one in FORMAT.documents(path)}
    assert set(texts.values()) == {passage for _, passage, _ in triples}
    for example, (question, passage, lang) in zip(FORMAT.examples(path), triples, strict=True):
        assert (example.question, example.conversation.question.lang) == (question, lang)
        assert [texts[id] for id, grade in example.relevant.items() if grade] == [passage]
        assert sorted(example.relevant.values()) == [0, 1]


def test_a_text_on_both_sides_is_a_positive_and_negatives_are_optional(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records = [
        {"query": "在哪里？", "positives": [" 这里 "], "negatives": ["这里"]},
        {"query": "ที่ไหน", "positives": ["ที่นี่", "ตรงนี้"]},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    one, other = FORMAT.examples(path)
    assert list(one.relevant.values()) == [1]
    assert list(other.relevant.values()) == [1, 1]
    assert [document.text for document in FORMAT.documents(path)] == ["这里", "ที่นี่", "ตรงนี้"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"query": " ", "positives": ["x"]}, '"query" is empty'),
        ({"query": "x", "positives": []}, '"positives" is empty'),
        ({"query": "x", "positives": [" "]}, '"positives" has an empty text'),
        ({"query": "x", "positives": "x"}, '"positives" must be a list of strings'),
        ({"query": "x", "positives": ["x"], "negatives": [1]}, '"negatives" must be a list of'),
    ],
)
def test_errors(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record) + "\n", "utf-8")
    with pytest.raises(MalformedData, match="line 1: " + message):
        list(FORMAT.examples(path))
