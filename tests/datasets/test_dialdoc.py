import json

import pytest

from anaphora.datasets.dialdoc import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn

PASSAGES = [
    "Trà sen được ướp hương. // Cách làm // Trà sen // vi-Health",
    "Trà sen thơm. // Trà sen // vi-Health",
    "Trà sen được ướp hương. // Cách làm // Trà sen // vi-Health",
    "Đèn // lồng giấy.",
]
OPENING = "<last_turn> Trà sen là gì?"
FOLLOWING = "<last_turn>  Làm thế nào? <agent> Một loại trà. <user> Trà sen là gì?"


def turn(query, positive=0, negative=1):
    return {"query": query, "positive": PASSAGES[positive], "negative": PASSAGES[negative]}


def reply(query, text):
    return {"query": query, "rerank": "[]", "response": f"<response> {text}"}


@pytest.fixture
def retrieval(write, write_lines):
    write("passages.vi.json", PASSAGES)
    return write_lines(
        "ViDoc2BotRetrieval_val.json", [turn(OPENING, 1, 0), turn(FOLLOWING, 2), turn(OPENING, 3)]
    )


def test_turns_are_put_in_their_order(retrieval):
    first, second, third = FORMAT.examples(retrieval)
    assert FORMAT.recognises(retrieval)
    assert first.id == "ViDoc2BotRetrieval_val#1"
    assert second.conversation.turns == (
        Turn("user", "Trà sen là gì?", "vi"),
        Turn("assistant", "Một loại trà.", "vi"),
        Turn("user", "Làm thế nào?", "vi"),
    )
    assert [example.relevant for example in (first, second, third)] == [
        {"1": 1, "0": 0},
        {"0": 1, "1": 0},
        {"3": 1, "1": 0},
    ]
    assert second.answerable
    assert (second.rewrites, second.automatic, second.answers) == ((), {}, ())
    assert second.tags["domain"] == "Health"
    assert "domain" not in third.tags
    assert "dialogue" not in first.tags


def test_headings_become_the_title_and_a_text_is_given_once(retrieval):
    found = [(d.doc_id, d.title, d.text, d.lang) for d in FORMAT.documents(retrieval)]
    assert found == [
        ("0", "Trà sen › Cách làm", "Trà sen được ướp hương.", "vi"),
        ("1", "Trà sen", "Trà sen thơm.", "vi"),
        ("3", "", "Đèn // lồng giấy.", "vi"),
    ]


def test_both_tasks_complement_each_other(retrieval, write_lines):
    replies = [
        reply(OPENING, "Một loại trà."),
        reply(FOLLOWING, "Ướp hương sen."),
        reply(OPENING, "Trà."),
    ]
    generation = write_lines("ViDoc2BotGeneration_val.json", replies)
    for path in (retrieval, generation):
        first, second, third = FORMAT.examples(path)
        assert FORMAT.recognises(path)
        assert [e.answers for e in (first, second, third)] == [
            ("Một loại trà.",),
            ("Ướp hương sen.",),
            ("Trà.",),
        ]
        found = [e.relevant for e in (first, second, third)]
        assert found == [{"1": 1, "0": 0}, {"0": 1, "1": 0}, {"3": 1, "1": 0}]
        assert first.tags["dialogue"] == second.tags["dialogue"] != third.tags["dialogue"]


def test_machine_rewrites_are_found_by_their_passages(write, write_lines):
    turns = [turn(OPENING, 0, 1), turn(FOLLOWING, 1, 3), turn(OPENING, 1, 3), turn(FOLLOWING, 3, 0)]
    path = write_lines("FrDoc2BotRetrieval_val.json", turns)
    machine = [turn("quatrième", 3, 0), turn("deuxième ou troisième", 1, 3), turn("premier", 0, 1)]
    write_lines("FrDoc2BotRetrieval_gpt_val.json", machine)
    found = list(FORMAT.examples(path))
    assert [e.automatic.get("chatgpt") for e in found] == ["premier", None, None, "quatrième"]
    assert [e.relevant for e in found] == [{}] * 4
    assert list(FORMAT.documents(path)) == []
    assert found[0].conversation.question.lang == "fr"


def test_the_official_folders(write, write_lines):
    path = write_lines("FrDoc2BotRetrieval/train.json", [turn(OPENING)])
    write("FrDoc2BotRetrieval/all_passages/fr.json", PASSAGES)
    [example] = FORMAT.examples(path)
    assert example.relevant == {"0": 1, "1": 0}
    assert example.conversation.question.lang == "fr"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"positive": PASSAGES[0]}, 'line 2: "query" is missing'),
        ({**turn(OPENING), "query": 5}, 'line 2: "query" must be a string'),
        ({**turn(OPENING), "query": "Trà?"}, 'line 2: "query" must begin with "<last_turn>"'),
        ({**turn(OPENING), "query": "<last_turn> "}, 'line 2: "query" has an empty last turn'),
        ({**turn(OPENING), "positive": "khác"}, 'line 2: "positive" is not among the passages'),
        ('{"query": "<last_', "line 2: is not JSON, or cut short"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, write_lines, bad, said):
    write("passages.vi.json", PASSAGES)
    path = write_lines("ViDoc2BotRetrieval_val.json", [turn(OPENING), bad])
    found = FORMAT.examples(path)
    assert next(found).relevant == {"0": 1, "1": 0}
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_passages_that_are_none(retrieval, write):
    write("passages.vi.json", ["  // Trà sen // vi-Health"])
    with pytest.raises(MalformedData, match=r"passages\.vi\.json, item 1: has no text"):
        list(FORMAT.documents(retrieval))
    write("passages.vi.json", ["Trà", 2])
    with pytest.raises(MalformedData, match="item 2: is not a string"):
        list(FORMAT.documents(retrieval))
    path = write("passages.vi.json", json.dumps(PASSAGES)[:-30])
    with pytest.raises(MalformedData, match=r"passages\.vi\.json, character \d+: .*cut short"):
        list(FORMAT.documents(retrieval))
    assert not FORMAT.recognises(path)


def test_other_files_are_not_taken_for_it(write_lines, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write_lines("a.json", [{"query": "Trà?", "positive": "Trà."}]))
