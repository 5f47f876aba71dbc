import json

import pytest

from anaphora.datasets.dialogue_rag import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn

TALK = {
    "lang": "zh",
    "dialogue": [
        {"user": "这座塔有多高？", "assistant": "三十米。"},
        {"user": "谁建的？", "assistant": "一位商人。"},
    ],
}
PAGE = {"doc id": 7, "doc content": "\n这座塔高三十米。\n"}


@pytest.mark.parametrize(
    "text",
    [json.dumps([TALK]), json.dumps(TALK) + "\n", json.dumps(TALK, indent=2)],
    ids=["array", "lines", "one"],
)
def test_every_exchange_is_an_example(write, text):
    path = write("test.json", text)
    first, second = FORMAT.examples(path)
    assert FORMAT.recognises(path)
    assert (first.id, second.id) == ("1_1", "1_2")
    assert second.conversation.turns == (
        Turn("user", "这座塔有多高？", "zh"),
        Turn("assistant", "三十米。", "zh"),
        Turn("user", "谁建的？", "zh"),
    )
    assert (second.answers, second.relevant) == (("一位商人。",), {})
    assert second.tags == {"dialogue": "1"}


def test_documents_lie_beside(write, write_lines):
    path = write_lines("test.json", [{**TALK, "doc id": 7}])
    write("documents.json", [PAGE, {"doc_id": "8", "doc_content": "塔"}])
    first, _ = FORMAT.examples(path)
    assert first.relevant == {"7": 1}
    found = [(d.doc_id, d.text, d.whole) for d in FORMAT.documents(path)]
    assert found == [("7", "这座塔高三十米。", True), ("8", "塔", True)]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"lang": "en"}, 'line 2: "dialogue" is missing'),
        ({**TALK, "lang": None}, 'line 2: "lang" must be a string'),
        ({**TALK, "dialogue": [{"user": " "}]}, 'line 2, dialogue 1: "user" is empty'),
        ({**TALK, "dialogue": [{"user": "?"}]}, 'line 2, dialogue 1: "assistant" is missing'),
        ('{"lang": ', "line 2: is not JSON, or cut short"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write_lines, bad, said):
    path = write_lines("test.jsonl", [TALK, bad])
    found = FORMAT.examples(path)
    assert [next(found).id for _ in range(2)] == ["1_1", "1_2"]
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, {said}")


def test_bad_documents(write):
    path = write("test.json", [TALK])
    write("documents.json", [PAGE, PAGE])
    with pytest.raises(MalformedData, match="item 2: \"doc id\" gives the id '7'"):
        list(FORMAT.documents(path))
    write("documents.json", [{**PAGE, "doc content": ""}])
    with pytest.raises(MalformedData, match='item 1: "doc content" is empty'):
        list(FORMAT.documents(path))


def test_other_files_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write("documents.json", [PAGE]))
