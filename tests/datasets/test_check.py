"""What a data set holds and whether it is whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.check import check, check_text, check_to_dict, listing, listing_text
from anaphora.datasets.registry import formats
from anaphora.errors import UsageError

QUESTIONS = {
    "ar": "متى بُني الجسر القديم؟", "hi": "पुराना पुल कब बनाया गया था?",
    "ja": "古い橋はいつ造られましたか。", "ko": "오래된 다리는 언제 지어졌나요?",
    "ru": "Когда построили старый мост?", "th": "สะพานเก่าสร้างเมื่อไร",
    "tr": "Eski köprü ne zaman yapıldı?", "vi": "Cây cầu cũ được xây khi nào?",
    "zh": "这座旧桥是什么时候建的?",
}  # fmt: skip


def written(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def record(id: str, *texts: str, **more: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    turns = [{"role": roles[place % 2], "text": text} for place, text in enumerate(texts)]
    return {"id": id, "turns": turns, **more}


def test_whole(tmp_path: Path) -> None:
    talk = {"dialogue": "t"}
    path = written(
        tmp_path / "mine.jsonl",
        *(record(lang, text) for lang, text in QUESTIONS.items()),
        record("t1", "Who built it?", tags=talk, answer="Ann", relevant={"p": 1, "q": 0}),
        record("t2", "Who built it?", "Ann.", "When?", tags=talk, rewrite="When was it built?"),
        record("t3", "Why?", lang="fi", answerable=False, relevant={"q": 0}),
    )
    written(
        tmp_path / "passages.jsonl", {"_id": "p", "text": "By Ann."}, {"_id": "q", "text": "Yes."}
    )
    found = check(path)
    assert found.whole
    assert found.counts == {
        "dialogues": len(QUESTIONS) + 2,
        "turns": len(QUESTIONS) + 3,
        "human rewrites": 1,
        "automatic rewrites": 0,
        "with answers": 1,
        "with judged passages": 2,
        "unanswerable": 1,
        "passages": 2,
    }
    assert found.languages == {"en": 2, "fi": 1, **dict.fromkeys(QUESTIONS, 1)}
    assert found.depths == (1, 2)

    form = check_to_dict(found)
    assert form == json.loads(json.dumps(form))
    assert (form["path"], form["name"], form["whole"]) == (str(path), "records", True)
    assert form["counts"]["human_rewrites"] == 1
    assert form["depths"] == [1, 2]
    text = check_text(found)
    assert text.splitlines()[0] == str(path)
    assert text.splitlines()[-1] == "whole"
    assert "  depth                 1 to 2" in text
    assert "automatic" not in text


def test_judged_passages_that_are_not_there(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.jsonl",
        record("t1", "Who?", relevant={"p": 1, "x": 1}),
        record("t2", "Who?", relevant={"x": 0, "y": 0}),
    )
    assert check(path).whole
    written(tmp_path / "passages.jsonl", {"_id": "p", "text": "By Ann."})
    found = check(path)
    assert found.problems == (
        "judged passages that are not among the passages: 2, such as 'x' of turn 't1'",
    )
    assert check_text(found).splitlines()[-2:] == ["NOT WHOLE", *found.problems]
    assert check_to_dict(found)["problems"] == list(found.problems)


def test_empty_texts(tmp_path: Path) -> None:
    qas = [
        {"id": "q1", "question": " ", "answers": [{"text": "a"}]},
        {"id": "q2", "question": "?", "answers": [{"text": "a"}, {"text": " "}]},
    ]
    data = {"data": [{"title": "A", "paragraphs": [{"context": "T", "qas": qas}]}]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), "utf-8")
    assert check(path).problems == (
        "turns with an empty question: 1, such as 'q1'",
        "turns with an empty answer: 1, such as 'q2'",
    )


def test_no_turn(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"data": [{"paragraphs": [{"context": "T", "qas": []}]}]}', "utf-8")
    found = check(path)
    assert found.problems == ("there is no turn in it",)
    assert found.depths is None
    assert check_to_dict(found)["depths"] is None
    assert "depth" not in check_text(found)


def test_cut_short(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", record("1", "早?"), record("2", "晚?"))
    path.write_bytes(path.read_bytes()[:-5])
    found = check(path)
    assert found.problems == (f"{path}, line 2: is not JSON, or cut short",)
    assert found.counts["turns"] == 1


def test_damaged_passages(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", record("1", "Who?", relevant=["p", "q"]))
    passages = tmp_path / "passages.jsonl"
    passages.write_bytes(b'{"_id": "p", "text": "a"}\n{"_id": "q", "text": "\xe9"}\n')
    assert check(path).problems == (f"{passages}, line 2: is not UTF-8",)


def test_same_damage_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"data": [{"paragraphs": [{"context": "T", "qas": [', "utf-8")
    assert len(check(path).problems) == 1


def test_not_a_data_set(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no known format recognises"):
        check(tmp_path)


def test_listing() -> None:
    listed = listing()
    assert [one["name"] for one in listed] == sorted(one.name for one in formats())
    assert {one["name"]: one["documents"] for one in listed}["mkqa"] is False
    assert {one["name"]: one["documents"] for one in listed}["xquad"] is True
    text = listing_text()
    for one in listed:
        assert all(one[name] in text for name in ("name", "title", "licence", "home"))
