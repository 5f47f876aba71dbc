"""QED."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.qed import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Document


def record(id: int, answers: list[list[str]], **more: Any) -> dict[str, Any]:
    return {
        "example_id": id,
        "title_text": "Lighthouse",
        "question_text": "who built the lighthouse",
        "paragraph_text": "Ann Bo and Carl Du built it .",
        "original_nq_answers": [[{"string": one} for one in spans] for spans in answers],
        "annotation": {"explanation_type": "single_sentence"},
        **more,
    }


def written(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "qed-dev.jsonlines"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    assert FORMAT.recognises(path)
    return path


def test_records(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        record(-7, [["Ann Bo", "Carl Du"], ["Ann Bo"], ["Ann Bo"]]),
        record(8, [["1903"]], annotation={"explanation_type": "none"}),
        record(9, [["1903"]], paragraph_text="It was built in 1903 ."),
    )
    first, wrong, last = FORMAT.examples(path)
    assert (first.id, first.question) == ("-7", "who built the lighthouse")
    assert first.conversation.question.lang == "en"
    assert first.answers == ("Ann Bo, Carl Du", "Ann Bo")
    assert (first.relevant, first.answerable) == ({"-7": 1}, True)
    assert (wrong.answers, wrong.relevant, wrong.answerable) == ((), {"-7": 0}, False)
    assert last.relevant == {"9": 1}
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(path)) == [
        Document("-7", "Lighthouse", "Ann Bo and Carl Du built it .", "en", whole=True),
        Document("9", "Lighthouse", "It was built in 1903 .", "en", whole=True),
    ]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"question_text": " "}, 'line 2: "question_text" is empty'),
        ({"paragraph_text": None}, 'line 2: "paragraph_text" must be a string'),
        ({"original_nq_answers": [{}]}, '"original_nq_answers" must be a list of lists of spans'),
        ({"original_nq_answers": [[{}]]}, '"original_nq_answers" must be of spans with a "string"'),
        ({"example_id": 1}, "\"example_id\" gives the id '1' for the second time"),
    ],
)
def test_errors(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    path = written(tmp_path, record(1, [["a"]]), record(2, [["a"]]) | changed)
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(path))
    assert str(error.value).startswith(f"{path}, line 2: ")
    assert message in str(error.value)


def test_cut_short(tmp_path: Path) -> None:
    path = written(tmp_path, record(1, [["a"]]), record(2, [["a"]]))
    path.write_bytes(path.read_bytes()[:-20])
    found = FORMAT.examples(path)
    assert next(found).id == "1"
    with pytest.raises(MalformedData, match="line 2: is not JSON, or cut short"):
        next(found)
