"""XOR-TyDi QA."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.xortydi import FORMAT
from anaphora.errors import MalformedData

QUESTIONS = {
    "ar": "أين يقع الميناء؟", "bn": "বন্দর কোথায়?", "fi": "Missä satama on?",
    "ja": "港はどこですか。", "ko": "항구는 어디에 있나요?", "ru": "Где порт?",
    "te": "ఓడరేవు ఎక్కడ ఉంది?",
}  # fmt: skip


def written(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "xor_dev_full.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    assert FORMAT.recognises(path)
    return path


def record(id: Any = "1", lang: str = "ja", **more: Any) -> dict[str, Any]:
    return {"id": id, "question": QUESTIONS[lang], "lang": lang, "split": "dev", **more}


def test_records(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *(record(id, lang, answers=["x", "x ", "y"]) for id, lang in enumerate(QUESTIONS)),
    )
    for lang, example in zip(QUESTIONS, FORMAT.examples(path), strict=True):
        assert (example.question, example.conversation.question.lang) == (QUESTIONS[lang], lang)
        assert (example.answers, example.answerable) == (("x", "y"), True)


def test_questions_only(tmp_path: Path) -> None:
    (example,) = FORMAT.examples(written(tmp_path, record()))
    assert (example.answers, example.answerable) == ((), None)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (record(answers="x"), '"answers" must be a list of strings'),
        (record(id=None), '"id" must be a string or a whole number'),
        (record(question=None), '"question" must be a string'),
        (record(id="a b"), "\"id\" gives an id with white space in it, 'a b'"),
    ],
)
def test_errors(tmp_path: Path, wrong: dict[str, Any], message: str) -> None:
    path = written(tmp_path, record("0"), wrong)
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(path))
    assert str(error.value) == f"{path}, line 2: {message}"
