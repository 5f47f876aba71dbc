import json

import pytest

from anaphora.datasets.qrecc import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def turn(number, **changes):
    return {
        "Context": ["Что такое чай?", "Напиток."][: 2 * number - 2],
        "Question": "Откуда он?",
        "Rewrite": "Откуда чай?",
        "Answer": "Из Китая.",
        "Answer_URL": "https://example.org/tea",
        "Conversation_no": 74,
        "Turn_no": number,
        "Conversation_source": "trec",
        **changes,
    }


def test_a_turn(write):
    path = write("qrecc_test.json", [turn(1), turn(2, Answer="")])
    first, second = FORMAT.examples(path)
    assert FORMAT.recognises(path)
    assert second.id == "74_2"
    assert second.conversation.turns == (
        Turn("user", "Что такое чай?"),
        Turn("assistant", "Напиток."),
        Turn("user", "Откуда он?"),
    )
    assert first.rewrites == ("Откуда чай?",)
    assert (first.answers, first.answerable) == (("Из Китая.",), True)
    assert (second.answers, second.answerable) == ((), None)
    assert first.tags == {"dialogue": "74", "source": "trec"}
    assert list(FORMAT.documents(path)) == []


def test_the_shared_task_has_relevant_passages(write, write_lines):
    truth = turn(1, Truth_rewrite="Откуда чай?", Truth_answer="Из Китая.", Truth_passages=["p1"])
    del truth["Rewrite"], truth["Answer"]
    path = write("truth.json", [truth])
    write_lines("passages/a/1.jsonl", [{"id": "p1", "contents": "Чай из Китая."}])
    [example] = FORMAT.examples(path)
    assert (example.rewrites, example.answers) == (("Откуда чай?",), ("Из Китая.",))
    assert example.relevant == {"p1": 1}
    assert [(d.doc_id, d.text) for d in FORMAT.documents(path)] == [("p1", "Чай из Китая.")]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (turn(1), "item 2: \"Turn_no\" gives the id '74_1' for the second time"),
        (turn(2, Question=None), 'item 2: "Question" must be a string'),
        (turn(2, Context="a"), 'item 2: "Context" must be a list of strings'),
        ({"Conversation_no": 1}, 'item 2: "Turn_no" is missing'),
        ("text", "item 2: is not a JSON object"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    path = write("qrecc_test.json", [turn(1), bad])
    found = FORMAT.examples(path)
    assert next(found).id == "74_1"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, {said}")


def test_a_file_cut_short(write):
    found = FORMAT.examples(write("cut.json", json.dumps([turn(1), turn(2)])[:-5]))
    assert next(found).id == "74_1"
    with pytest.raises(MalformedData, match=r"cut\.json, character \d+: .*cut short"):
        next(found)
