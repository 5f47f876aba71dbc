"""Sets in the format of SQuAD."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.example import Example, Format
from anaphora.datasets.squad import FORMATS
from anaphora.errors import MalformedData
from anaphora.records import Document

BY_LANG = {
    "zh": ("运河", "这条运河长四十公里。", "运河有多长？", "四十公里"),
    "ja": ("灯台", "この灯台は1903年に建てられた。", "灯台はいつ建てられましたか。", "1903年"),
    "th": ("ตลาด", "ตลาดเปิดทุกวันเสาร์", "ตลาดเปิดวันไหน", "วันเสาร์"),
    "ar": ("الجسر", "بُني الجسر في عام 1890.", "متى بُني الجسر؟", "عام 1890"),
    "vi": ("Cầu", "Cây cầu dài hai trăm mét.", "Cây cầu dài bao nhiêu?", "hai trăm mét"),
    "ru": ("Музей", "Музей открыт с девяти часов.", "Когда открыт музей?", "с девяти часов"),
    "tr": ("Köprü", "Köprü İzmir'de yapıldı.", "Köprü nerede yapıldı?", "İzmir'de"),
    "hi": ("पुल", "यह पुल नदी के ऊपर है।", "पुल कहाँ है?", "नदी के ऊपर"),
    "ko": ("등대", "등대는 섬에 있다.", "등대는 어디에 있나요?", "섬에"),
}


def qa(id: str, question: str, *answers: str, **more: Any) -> dict[str, Any]:
    spans = [{"text": answer, "answer_start": 0} for answer in answers]
    return {"id": id, "question": question, "answers": spans, **more}


def article(title: str, *paragraphs: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {
        "title": title,
        "paragraphs": [{"context": text, "qas": qas} for text, qas in paragraphs],
    }


def written(path: Path, *articles: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"version": "1.1", "data": articles}, ensure_ascii=False), "utf-8")
    return path


def format_of(path: Path) -> Format:
    (found,) = [one for one in FORMATS if one.recognises(path)]
    return found


def examples(path: Path) -> list[Example]:
    return list(format_of(path).examples(path))


def documents(path: Path) -> list[Document]:
    read = format_of(path).documents
    assert read is not None
    return list(read(path))


@pytest.mark.parametrize("lang", BY_LANG)
def test_records(tmp_path: Path, lang: str) -> None:
    title, text, question, answer = BY_LANG[lang]
    path = written(
        tmp_path / f"xquad.{lang}.json", article(title, (text, [qa("q1", question, answer)]))
    )

    (example,) = examples(path)
    assert (example.id, example.question, example.depth) == ("q1", question, 1)
    assert example.conversation.question.lang == lang
    assert example.answers == (answer,)
    assert example.relevant == {"1-1": 1}
    assert example.answerable is True

    (document,) = documents(path)
    assert document == Document("1-1", title, text, lang, whole=True)


def test_each_different_answer_once(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.json",
        article("a", ("Tall.", [qa("q", "How?", "Tall", " Tall", "tall", "Cafe\u0301", "Café")])),
    )
    assert examples(path)[0].answers == ("Tall", "tall", "Café")


def test_without_an_answer(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.json",
        article(
            "a",
            (
                "Text.",
                [
                    qa("no", "Why?", "plausible", is_impossible=True),
                    qa("yes", "What?", "Text", is_impossible=False),
                    {"id": "hidden", "question": "Who?"},
                ],
            ),
        ),
    )
    no, yes, hidden = examples(path)
    assert (no.answerable, no.answers, no.relevant) == (False, (), {"1-1": 0})
    assert (yes.answerable, yes.answers, yes.relevant) == (True, ("Text",), {"1-1": 1})
    assert (hidden.answerable, hidden.answers, hidden.relevant) == (None, (), {})


def test_same_paragraph_is_one_document(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.json",
        article("One", ("Same.", [qa("a", "?", "S")]), ("Other.", [qa("b", "?", "O")])),
        article("Two", (" Same.", [qa("c", "?", "S")])),
    )
    assert [(one.doc_id, one.title) for one in documents(path)] == [("1-1", "One"), ("1-2", "One")]
    assert [dict(one.relevant) for one in examples(path)] == [{"1-1": 1}, {"1-2": 1}, {"1-1": 1}]


def test_titles_are_readable(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.json", article("Beyonc%C3%A9_Knowles", ("Text.", [])))
    assert documents(path)[0].title == "Beyoncé Knowles"


@pytest.mark.parametrize(
    ("name", "question", "context"),
    [
        ("dev-context-ar-question-zh.json", "zh", "ar"),
        ("test-context-vi-question-vi.json", "vi", "vi"),
        ("cmrc2018_dev.json", "zh", "zh"),
        ("DRCD_training.json", "zh", "zh"),
        ("arcd-test.json", "ar", "ar"),
        ("pqa_train.json", "fa", "fa"),
        ("poquad-dev.json", "pl", "pl"),
        ("COVID-QA.json", "en", "en"),
        ("dev-v2.0.json", "en", "en"),
        ("questions_zh_tw.json", "zh", "zh"),
        ("squad-it-test.json", "it", "it"),
        ("questions.json", None, "unknown"),
        ("id.is.no.json", None, "unknown"),
    ],
)
def test_language_from_the_name(
    tmp_path: Path, name: str, question: str | None, context: str
) -> None:
    path = written(tmp_path / name, article("A", ("Text.", [qa("q", "What?", "Text")])))
    assert examples(path)[0].conversation.question.lang == question
    assert documents(path)[0].lang == context


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("xquad.de.json", article("A", ("T", [])), "xquad"),
        (
            "train-v1.1.json",
            article("A", ("T", [qa("56be4db0acb8001400a502ec", "?", "T")])),
            "squad",
        ),
        ("train-v1.1.json", article("梅雨", ("梅雨", [qa("a10336p0q0", "?", "梅")])), "jsquad"),
        (
            "data.json",
            article(
                "A",
                ("T", [{"question": "?", "answers": [{"text": "T", "generative_answer": "T"}]}]),
            ),
            "poquad",
        ),
        ("anything.json", article("A", ("T", [])), "squad"),
    ],
)
def test_which_set(tmp_path: Path, name: str, data: dict[str, Any], found: str) -> None:
    assert format_of(written(tmp_path / name, data)).name == found


def test_title_before_jsquads_paragraphs_is_not_text(tmp_path: Path) -> None:
    path = written(
        tmp_path / "valid-v1.3.json",
        article(
            "梅雨", ("梅雨 [SEP] 梅雨は雨の季節である。", [qa("a1p0q0", "梅雨とは?", "雨の季節")])
        ),
    )
    assert documents(path)[0].text == "梅雨は雨の季節である。"


def test_question_without_an_id(tmp_path: Path) -> None:
    path = tmp_path / "poquad-dev.json"
    questions = [{"question": "Kiedy?", "answers": []}, {"question": "Gdzie?", "answers": []}]
    written(path, article("A", ("T", questions)))
    assert [one.id for one in examples(path)] == ["1-1-1", "1-1-2"]


def test_cmrc_as_first_published(tmp_path: Path) -> None:
    path = tmp_path / "cmrc2018_trial.json"
    record = {
        "context_id": "TRIAL_1",
        "context_text": "运河长四十公里。",
        "title": "运河",
        "qas": [
            {
                "query_id": "TRIAL_1_QUERY_0",
                "query_text": "多长？",
                "answers": ["四十公里", "四十公里"],
            }
        ],
    }
    path.write_text(json.dumps([record]), "utf-8")
    (example,) = examples(path)
    assert (example.id, example.question, example.answers) == (
        "TRIAL_1_QUERY_0",
        "多长？",
        ("四十公里",),
    )
    assert example.relevant == {"1-1": 1}
    assert documents(path) == [Document("1-1", "运河", "运河长四十公里。", "zh", whole=True)]


def test_reads_no_further_than_asked(tmp_path: Path) -> None:
    whole = written(
        tmp_path / "whole.json",
        *(article(f"A{n}", (f"Text {n}. " * 2000, [qa(f"q{n}", "?", "T")])) for n in range(50)),
    )
    cut = tmp_path / "cut.json"
    cut.write_text(whole.read_text("utf-8")[:-100_000], "utf-8")
    found: Iterator[Example] = format_of(cut).examples(cut)
    assert next(found).id == "q0"
    with pytest.raises(MalformedData, match=r"cut\.json, character \d+: is not JSON, or cut short"):
        list(found)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"id": "q", "answers": []}, 'item 1, paragraphs 1, qas 1: "question" is missing'),
        ({"id": "q", "question": 7}, 'item 1, paragraphs 1, qas 1: "question" must be a string'),
        ({"id": [], "question": "?"}, '"id" must be a string or a whole number'),
        ({"id": "q", "question": "?", "answers": "T"}, '"answers" must be a list of objects'),
        (
            {"id": "q", "question": "?", "answers": [{"text": "T"}, {"start": 0}]},
            'item 1, paragraphs 1, qas 1, answers 2: "text" is missing',
        ),
        (
            {"id": "q", "question": "?", "is_impossible": "no"},
            '"is_impossible" must be true or false',
        ),
    ],
)
def test_errors_name_place_and_field(
    tmp_path: Path, question: dict[str, Any], message: str
) -> None:
    path = written(tmp_path / "mine.json", article("A", ("T", [question])))
    with pytest.raises(MalformedData) as error:
        examples(path)
    assert str(error.value).startswith(f"{path}, ")
    assert message in str(error.value)


def test_other_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    good = json.dumps(
        {"data": [article("A", ("T", [])), article("Ж", ("Т", []))]}, ensure_ascii=False
    )
    path.write_bytes(good.encode("cp1251"))
    with pytest.raises(MalformedData, match=r"mine\.json, byte \d+: is not UTF-8"):
        examples(path)


def test_not_of_this_format(tmp_path: Path) -> None:
    quac = article("A", ("T", [qa("q", "?", "T", followup="y")]))
    other = tmp_path / "other.json"
    other.write_text('{"data": [{"story": "…", "questions": []}]}', "utf-8")
    lines = tmp_path / "mine.jsonl"
    lines.write_text('{"paragraphs": []}\n', "utf-8")
    for path in (
        written(tmp_path / "quac.json", quac),
        other,
        lines,
        tmp_path,
        tmp_path / "none.json",
    ):
        assert not [one.name for one in FORMATS if one.recognises(path)]
