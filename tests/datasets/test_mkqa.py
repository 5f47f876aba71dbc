"""MKQA, as published and in files of one language."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.mkqa import FORMAT
from anaphora.errors import MalformedData

QUESTIONS = {
    "ar": "متى بُني الجسر؟", "hi": "पुल कब बना?", "ja": "橋はいつできた?",
    "ko": "다리는 언제 지어졌나요?", "ru": "Когда построили мост?", "th": "สะพานสร้างเมื่อไร",
    "tr": "Köprü ne zaman yapıldı?", "vi": "Cây cầu được xây khi nào?", "zh_cn": "桥什么时候建的?",
    "zh_tw": "橋什麼時候建的?",
}  # fmt: skip


def record(id: int, answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "example_id": id,
        "query": "when was the bridge built",
        "queries": QUESTIONS,
        "answers": dict.fromkeys(QUESTIONS, answers),
    }


def packed(path: Path, *records: dict[str, Any]) -> Path:
    path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in records).encode()))
    assert FORMAT.recognises(path)
    return path


def test_as_published(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "mkqa.jsonl.gz",
        record(
            7, [{"type": "date", "text": "1890 ", "aliases": ["in 1890", "1890"], "entity": None}]
        ),
        record(-8, [{"type": "unanswerable", "text": None, "entity": None}]),
        record(9, [{"type": "long_answer", "text": "", "entity": None}]),
    )
    found = list(FORMAT.examples(path))
    assert len(found) == 3 * len(QUESTIONS)
    by_id = {one.id: one for one in found}
    for code, question in QUESTIONS.items():
        example = by_id[f"7_{code}"]
        assert example.question == question
        assert example.conversation.question.lang == code[:2]
        assert (example.answers, example.answerable) == (("1890", "in 1890"), True)
        assert (example.relevant, example.tags) == ({}, {"question_type": "date"})
    assert (by_id["-8_ja"].answers, by_id["-8_ja"].answerable) == ((), False)
    assert (by_id["9_ja"].answers, by_id["9_ja"].answerable) == ((), None)


def test_folder_of_languages(tmp_path: Path) -> None:
    for code, question in QUESTIONS.items():
        one = {"id": f"7_{code}", "lang": code, "question": question, "answers": ["1890 ", "1890"]}
        path = tmp_path / f"mkqa-{code}.jsonl"
        path.write_text(json.dumps(one) + "\n", "utf-8")
        assert FORMAT.recognises(path)
    assert FORMAT.recognises(tmp_path)
    found = list(FORMAT.examples(tmp_path))
    assert {one.id: one.question for one in found} == {
        f"7_{code}": question for code, question in QUESTIONS.items()
    }
    assert {one.conversation.question.lang for one in found} == {code[:2] for code in QUESTIONS}
    assert {one.answers for one in found} == {("1890",)}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"queries": []}, '"queries" must be an object'),
        ({"queries": {"ja": 3}}, 'queries: "ja" must be a string'),
        ({"answers": {}}, 'answers: "ar" is missing'),
        ({"answers": {"ar": [{"text": "1"}]}}, 'answers, ar 1: "type" is missing'),
    ],
)
def test_errors(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    path = packed(tmp_path / "mkqa.jsonl.gz", record(1, []), record(2, []) | changed)
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(path))
    assert str(error.value).startswith(f"{path}, line 2")
    assert message in str(error.value)


def test_packed_file_cut_short(tmp_path: Path) -> None:
    path = packed(tmp_path / "mkqa.jsonl.gz", record(1, []), record(2, []))
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(MalformedData, match=r"mkqa\.jsonl\.gz, after line \d+: is cut short"):
        list(FORMAT.examples(path))
