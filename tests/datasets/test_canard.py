import json

import pytest

from anaphora.datasets.canard import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def item(number=2, question="它什么时候解散的？", **changes):
    return {
        "History": ["发明之母", "历史", "发明之母是谁？", "一支乐队。\u2028来自洛杉矶。"],
        "QuAC_dialog_id": "C_1",
        "Question": question,
        "Question_no": number,
        "Rewrite": "发明之母什么时候解散的？",
        **changes,
    }


def test_the_history_begins_behind_the_two_titles(write):
    path = write("dev.json", [item()])
    [example] = FORMAT.examples(path)
    assert example.id == "C_1#2"
    assert example.conversation.title == "发明之母"
    assert example.conversation.turns == (
        Turn("user", "发明之母是谁？"),
        Turn("assistant", "一支乐队。\u2028来自洛杉矶。"),
        Turn("user", "它什么时候解散的？"),
    )
    assert example.rewrites == ("发明之母什么时候解散的？",)
    assert example.tags == {"dialogue": "C_1", "section": "历史"}
    assert example.depth == 2
    assert FORMAT.recognises(path)


def test_a_turn_is_answered_by_the_history_of_the_next(write):
    history = ["发明之母", "历史", "发明之母是谁？", "一支乐队。"]
    later = [*history, "它什么时候解散的？", "I don't know."]
    items = [
        item(1, "发明之母是谁？", History=history[:2]),
        item(2, History=history),
        item(3, "为什么？", History=later),
        item(1, "哪里？", History=later, QuAC_dialog_id="C_2"),
    ]
    path = write("dev.json", items)
    first, second, last, other = FORMAT.examples(path)
    assert (first.answers, first.relevant, first.answerable) == (
        ("一支乐队。",),
        {"C_1#1": 1},
        True,
    )
    assert (second.answers, second.relevant, second.answerable) == ((), {}, False)
    assert all(one.answers == () and one.answerable is None for one in (last, other))
    [document] = FORMAT.documents(path)
    assert (document.doc_id, document.title, document.text) == (
        "C_1#1",
        "发明之母, 历史",
        "一支乐队。",
    )


def test_an_empty_answer_in_the_history_is_left_out(write):
    path = write("dev.json", [item(History=["ت", "ق", "من هم؟", "  "], question="ومتى؟")])
    [example] = FORMAT.examples(path)
    assert [turn.text for turn in example.conversation.turns] == ["من هم؟", "ومتى؟"]


def test_keywords_stand_for_answers_in_the_variant(write_lines):
    record = {
        "QuAC_dialog_id": "C_9",
        "Question_no": 2,
        "Question": "когда он ушёл",
        "Rewrite": "когда ушёл Иванов",
        "PrevQuestions": ["за кого играл Иванов"],
        "PrevAnswerKeywords": ["клуб | Иванов"],
    }
    path = write_lines("train.jsonl", [record])
    [example] = FORMAT.examples(path)
    assert FORMAT.recognises(path)
    assert example.conversation.title is None
    assert example.conversation.history == (
        Turn("user", "за кого играл Иванов"),
        Turn("assistant", "клуб | Иванов"),
    )
    assert example.tags == {"dialogue": "C_9", "history": "keywords"}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"Rewrite": None}, 'item 3: "Rewrite" must be a string'),
        ({"Question": " "}, 'item 3: "Question" is empty'),
        ({"Question_no": "3"}, 'item 3: "Question_no" must be a whole number'),
        ({"Question_no": 2}, "gives the id 'C_1#2' for the second time"),
        ({"History": ["одно"]}, 'item 3: "History" must begin with the titles'),
        ({"History": ["a", 1]}, 'item 3: "History" must be a list of strings'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    worse = item(3, **bad) if "Question_no" not in bad else item(**bad)
    # An example is given when the next one was read, which may hold its answer.
    path = write("dev.json", [item(1), item(), worse])
    found = FORMAT.examples(path)
    assert next(found).id == "C_1#1"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_a_missing_field_and_a_file_cut_short(write):
    whole = item()
    del whole["Question"]
    with pytest.raises(MalformedData, match='item 1: "Question" is missing'):
        list(FORMAT.examples(write("dev.json", [whole])))
    text = json.dumps([item(1), item(), item(3)], ensure_ascii=False)
    found = FORMAT.examples(write("cut.json", text[:-20]))
    assert next(found).id == "C_1#1"
    with pytest.raises(MalformedData, match=r"cut\.json, character \d+: is not JSON, or cut short"):
        next(found)


def test_other_files_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(tmp_path / "none.json")
    assert not FORMAT.recognises(write("a.json", [{"Question": '"History": "QuAC_dialog_id"'}]))
