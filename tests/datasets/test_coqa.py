import json

import pytest

from anaphora.datasets.coqa import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def story(name="s1", **changes):
    return {
        "source": "wikipedia",
        "id": name,
        "filename": "a.txt",
        "story": "ดอกบัวบานในตอนเช้า",
        "questions": [
            {"input_text": "อะไรบาน", "turn_id": 1},
            {"input_text": "เมื่อไร", "turn_id": 2},
            {"input_text": "ทำไม", "turn_id": 3},
        ],
        "answers": [
            {"input_text": "ดอกบัว", "span_text": "ดอกบัวบาน", "turn_id": 1},
            {"input_text": "ตอนเช้า", "span_text": "ในตอนเช้า", "turn_id": 2},
            {"input_text": "unknown", "span_text": "unknown", "turn_id": 3},
        ],
        "additional_answers": {
            "0": [
                {"input_text": "บัว"},
                {"input_text": "ตอนเช้า"},
                {"input_text": "Unknown"},
            ]
        },
        "name": "a.txt",
        **changes,
    }


def dataset(*stories):
    return {"version": "1.0", "data": list(stories)}


def test_questions_about_a_story(write):
    path = write("coqa-dev.json", dataset(story()))
    first, second, third = FORMAT.examples(path)
    assert FORMAT.recognises(path)
    assert [e.id for e in (first, second, third)] == ["s1_1", "s1_2", "s1_3"]
    assert [e.answers for e in (first, second, third)] == [("ดอกบัว", "บัว"), ("ตอนเช้า",), ()]
    assert [e.answerable for e in (first, second, third)] == [True, True, False]
    assert [e.relevant for e in (first, second, third)] == [{"s1": 1}, {"s1": 1}, {}]
    assert second.conversation.turns == (
        Turn("user", "อะไรบาน"),
        Turn("assistant", "ดอกบัว"),
        Turn("user", "เมื่อไร"),
    )
    assert second.tags == {"dialogue": "s1", "source": "wikipedia"}
    [document] = FORMAT.documents(path)
    assert (document.doc_id, document.text, document.whole) == ("s1", "ดอกบัวบานในตอนเช้า", True)


def test_one_who_found_an_answer_is_enough(write):
    others = {"0": [{"input_text": "บัว"}, {"input_text": ""}, {"input_text": "เพราะแดด"}]}
    *_, third = FORMAT.examples(write("a.json", dataset(story(additional_answers=others))))
    assert (third.answers, third.answerable) == (("เพราะแดด",), True)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (story("s2", questions=[]), 'item 2: "answers" must be as many as "questions"'),
        (story("s2", answers=3), 'item 2: "answers" must be a list of objects'),
        (story(), "item 2, questions 1: \"turn_id\" gives the id 's1_1' for the second time"),
        (story("s2", additional_answers={"0": []}), '"answers" must be as many as'),
        ({"id": "s2"}, 'item 2: "questions" is missing'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    path = write("coqa-dev.json", dataset(story(), bad))
    found = FORMAT.examples(path)
    assert [next(found).id for _ in range(3)] == ["s1_1", "s1_2", "s1_3"]
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_documents_and_files_cut_short(write):
    with pytest.raises(MalformedData, match="gives the id 's1' for the second time"):
        list(FORMAT.documents(write("a.json", dataset(story(), story()))))
    with pytest.raises(MalformedData, match='item 1: "story" is empty'):
        list(FORMAT.documents(write("a.json", dataset(story(story=" ")))))
    with pytest.raises(MalformedData, match='"data" is missing'):
        list(FORMAT.examples(write("a.json", {"version": "1.0"})))
    path = write("a.json", json.dumps(dataset(story(), story("s2")))[:-40])
    with pytest.raises(MalformedData, match=r"a\.json, character \d+: .*cut short"):
        list(FORMAT.examples(path))


def test_other_files_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write("a.json", {"data": [{"questions": []}]}))
