"""A user's own JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.own_records import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Conversation, Turn

TALKS = {
    "ar": ("من بنى الجسر؟", "بناه سالم.", "ومتى؟"),
    "hi": ("पुल किसने बनाया?", "राम ने।", "और कब?"),
    "ja": ("橋は誰が造りましたか。", "健です。", "いつですか。"),
    "ko": ("누가 다리를 지었나요?", "민수입니다.", "언제요?"),
    "ru": ("Кто построил мост?", "Иван.", "А когда?"),
    "th": ("ใครสร้างสะพาน", "สมชาย", "เมื่อไร"),
    "tr": ("Köprüyü kim yaptı?", "Ayşe.", "Peki ne zaman?"),
    "vi": ("Ai xây cây cầu?", "Anh Nam.", "Khi nào?"),
    "zh": ("谁建了这座桥?", "老王。", "什么时候?"),
}


def turns(*texts: str) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "text": text} for place, text in enumerate(texts)]


def written(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    assert FORMAT.recognises(path)
    return path


@pytest.mark.parametrize("lang", TALKS)
def test_everything(tmp_path: Path, lang: str) -> None:
    said = TALKS[lang]
    record = {
        "id": "talk-1_2",
        "turns": turns(*said),
        "title": said[0],
        "rewrite": said[0] + said[2],
        "answers": ["1890", "1890 ", said[1]],
        "relevant": {"p1": 2, "p2": 0},
        "lang": lang,
        "tags": {"dialogue": "talk-1"},
    }
    (example,) = FORMAT.examples(written(tmp_path, record))
    asked = Turn("user", said[2], lang)
    history = (Turn("user", said[0]), Turn("assistant", said[1]))
    assert example.conversation == Conversation((*history, asked), said[0], "talk-1_2")
    assert example.depth == 2
    assert example.rewrites == (said[0] + said[2],)
    assert example.answers == ("1890", said[1])
    assert (example.relevant, example.answerable) == ({"p1": 2, "p2": 0}, True)
    assert example.tags == {"dialogue": "talk-1"}


@pytest.mark.parametrize(
    ("more", "answers", "relevant", "answerable"),
    [
        ({}, (), {}, None),
        ({"answer": "1890"}, ("1890",), {}, True),
        ({"answers": []}, (), {}, None),
        ({"relevant": ["p1", "p2"]}, (), {"p1": 1, "p2": 1}, True),
        ({"relevant": {"p1": 0}}, (), {"p1": 0}, None),
        ({"relevant": {"p1": 0}, "answerable": False}, (), {"p1": 0}, False),
        ({"answerable": True}, (), {}, True),
        ({"answerable": None, "title": None, "tags": None, "lang": None}, (), {}, None),
    ],
)
def test_what_is_known(
    tmp_path: Path,
    more: dict[str, Any],
    answers: tuple[str, ...],
    relevant: dict[str, int],
    answerable: bool | None,
) -> None:
    (example,) = FORMAT.examples(written(tmp_path, {"id": 1, "turns": turns("When?")} | more))
    assert example.id == "1"
    assert (example.answers, example.relevant) == (answers, relevant)
    assert example.answerable is answerable


@pytest.mark.parametrize("name", ["passages.jsonl", "corpus.jsonl"])
def test_passages_beside_it(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, {"id": "1", "turns": turns("When?")})
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(path)) == []
    (tmp_path / name).write_text('{"_id": "p1", "text": "The bridge."}\n', "utf-8")
    assert [one.doc_id for one in FORMAT.documents(path)] == ["p1"]
    assert not FORMAT.recognises(tmp_path / name)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "0"}, "\"id\" gives the id '0' for the second time"),
        ({"id": "a b"}, "\"id\" gives an id with white space in it, 'a b'"),
        ({"turns": None}, '"turns" must be a list of objects'),
        ({"turns": []}, '"turns" must end with the user\'s question'),
        ({"turns": turns("When?", "Then.")}, '"turns" must end with the user\'s question'),
        (
            {"turns": [{"role": "bot", "text": "x"}]},
            'turns 1: "role" must be "user" or "assistant"',
        ),
        ({"turns": [{"role": "user"}]}, 'turns 1: "text" is missing'),
        ({"turns": turns("When?", "x", " ")}, 'turns 3: "text" is empty'),
        (
            {"answer": "a", "answers": ["b"]},
            '"answer" occurs together with "answers"; only one of them may',
        ),
        ({"answers": "a"}, '"answers" must be a list of strings'),
        ({"answers": ["a", ""]}, '"answers" holds an empty text'),
        ({"rewrite": " "}, '"rewrite" is empty'),
        ({"relevant": {"p": "1"}}, '"relevant" must be a list of passage ids or whole numbers'),
        ({"relevant": {"p": True}}, '"relevant" must be a list of passage ids or whole numbers'),
        ({"relevant": "p"}, '"relevant" must be a list of passage ids or whole numbers'),
        ({"answerable": "no"}, '"answerable" must be true or false'),
        ({"answerable": False, "answer": "a"}, '"answerable" is false, but there is an answer'),
        ({"tags": {"depth": 2}}, '"tags" must be strings by name'),
        ({"anwser": "a"}, '"anwser" is none of id, turns, title, rewrite, rewrites, answer,'),
    ],
)
def test_errors(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    good = {"id": "0", "turns": turns("When?")}
    path = written(tmp_path, good, {"id": "1", "turns": turns("When?")} | changed)
    found = FORMAT.examples(path)
    assert next(found).id == "0"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, line 2")
    assert message in str(error.value)


def test_cut_short(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "1", "turns": turns("早?")}, {"id": "2", "turns": turns("晚?")})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(MalformedData, match="line 2: is not JSON, or cut short"):
        list(FORMAT.examples(path))
