import json

import pytest

from anaphora.datasets.multidoc2dial import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def turn(number, role, text, *references, act="query_condition"):
    return {
        "turn_id": number,
        "role": role,
        "da": act,
        "references": [{"id_sp": s, "doc_id": d, "label": "solution"} for d, s in references],
        "utterance": text,
    }


TALK = [
    turn(1, "user", "パスポートの申請方法は？"),
    turn(2, "agent", "窓口で申請します。", ("Passport Guide#1_0", "2")),
    turn(3, "user", "いくらですか？", act="query_solution"),
    turn(4, "agent", "一万円です。", ("Fees#1_0", "1"), ("Fees#1_0", "2")),
    turn(5, "user", "天気は？"),
    turn(6, "agent", "わかりません。", act="respond_no_solution"),
    turn(7, "user", "ありがとう"),
]


def span(number, section, text, title=""):
    return {"id_sp": number, "id_sec": section, "text_sec": text, "text_sp": "…", "title": title}


DOCUMENTS = {
    "doc_data": {
        "gov": {
            "Passport Guide#1_0": {
                "doc_id": "Passport Guide#1_0",
                "title": "旅券",
                "spans": {"1": span("1", "t_1", "旅券 "), "2": span("2", "2", "窓口で。", "申請")},
            },
            "Fees#1_0": {
                "doc_id": "Fees#1_0",
                "title": "料金",
                "spans": {"1": span("1", "1", "一万円。"), "2": span("2", "1", "一万円。")},
            },
        }
    }
}


def dialogues(*talks):
    held = [{"dial_id": f"d{n}", "turns": turns} for n, turns in enumerate(talks, 1)]
    return {"dial_data": {"gov": held}}


def test_the_agent_says_the_answer_and_where_it_stands(write):
    path = write("multidoc2dial_dial_train.json", dialogues(TALK))
    write("multidoc2dial_doc.json", DOCUMENTS)
    found = list(FORMAT.examples(path))
    assert FORMAT.recognises(path)
    assert [e.id for e in found] == ["d1_1", "d1_3", "d1_5", "d1_7"]
    assert [e.answers for e in found] == [("窓口で申請します。",), ("一万円です。",), (), ()]
    assert [e.answerable for e in found] == [True, True, False, None]
    assert [e.relevant for e in found] == [{"Passport_Guide#1_0#2": 1}, {"Fees#1_0#1": 1}, {}, {}]
    assert [e.tags.get("topic_switch") for e in found] == [None, "yes", None, None]
    assert found[1].tags["question_type"] == "query_solution"
    assert found[1].tags["domain"] == "gov"
    assert found[1].conversation.history == (
        Turn("user", "パスポートの申請方法は？"),
        Turn("assistant", "窓口で申請します。"),
    )


def test_sections_are_the_passages(write):
    path = write("multidoc2dial_dial_train.json", dialogues(TALK))
    assert list(FORMAT.documents(path)) == []
    write("multidoc2dial_doc.json", DOCUMENTS)
    assert [(d.doc_id, d.title, d.text) for d in FORMAT.documents(path)] == [
        ("Passport_Guide#1_0#t_1", "旅券", "旅券"),
        ("Passport_Guide#1_0#2", "旅券 › 申請", "窓口で。"),
        ("Fees#1_0#1", "料金", "一万円。"),
    ]


def test_without_documents_no_passage_is_known_to_be_relevant(write):
    first, *_ = FORMAT.examples(write("multidoc2dial_dial_train.json", dialogues(TALK)))
    assert (first.relevant, first.answerable) == ({}, True)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([turn(1, "bot", "a")], 'gov 2, turns 1: "role" must be "user" or "agent"'),
        ([turn(1, "user", "")], 'gov 2, turns 1: "utterance" is empty'),
        ([turn(1, "user", "a"), turn(1, "user", "b")], "the id 'd2_1' for the second time"),
        (
            [turn(1, "user", "a"), turn(2, "agent", "b", ("Fees#1_0", "9"))],
            'turns 2, references 1: "id_sp" is not a span of the document "Fees#1_0"',
        ),
        ([{"role": "user"}], '"turn_id" is missing'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    path = write("multidoc2dial_dial_train.json", dialogues(TALK[:2], bad))
    write("multidoc2dial_doc.json", DOCUMENTS)
    found = FORMAT.examples(path)
    assert next(found).id == "d1_1"
    with pytest.raises(MalformedData) as error:
        list(found)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_files_that_are_not_whole(write):
    text = json.dumps(dialogues(TALK))
    path = write("a.json", text[:-40])
    with pytest.raises(MalformedData, match=r"a\.json, character \d+: .*cut short"):
        list(FORMAT.examples(path))
    with pytest.raises(MalformedData, match='"dial_data": "gov" must be a list of objects'):
        list(FORMAT.examples(write("a.json", {"dial_data": {"gov": {}}})))
    write("multidoc2dial_doc.json", {"doc_data": {"gov": {"d": {"doc_id": "d"}}}})
    with pytest.raises(MalformedData, match="gov, d: must be an object of objects"):
        list(FORMAT.documents(path))


def test_other_files_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write("multidoc2dial_doc.json", DOCUMENTS))
