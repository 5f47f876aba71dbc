import json

import pytest

from anaphora.datasets import qrecc
from anaphora.datasets.topiocqa import FORMAT, REWRITER
from anaphora.errors import MalformedData
from anaphora.records import Turn


def turn(number, topic="Trà", dialogue=1, **changes):
    return {
        "Conversation_no": dialogue,
        "Turn_no": number,
        "Question": f"câu hỏi {number}?",
        "Answer": f"trả lời {number}",
        "Topic": topic,
        "Topic_section": "Introduction",
        "Context": [text for n in range(1, number) for text in (f"hỏi {n}", f"đáp {n}")],
        "Rationale": "",
        "is_nq": False,
        **changes,
    }


def test_turns_and_their_topics(write):
    turns = [turn(1), turn(2), turn(3, "Sen"), turn(1, "Sen", 2, Answer="UNANSWERABLE")]
    path = write("topiocqa_dataset/dev.json", turns)
    found = list(FORMAT.examples(path))
    assert FORMAT.recognises(path)
    assert not qrecc.FORMAT.recognises(path)
    assert [e.id for e in found] == ["1_1", "1_2", "1_3", "2_1"]
    assert [e.tags.get("topic_switch") for e in found] == [None, "no", "yes", None]
    assert found[1].conversation.turns == (
        Turn("user", "hỏi 1"),
        Turn("assistant", "đáp 1"),
        Turn("user", "câu hỏi 2?"),
    )
    assert [e.answers for e in found[2:]] == [("trả lời 3",), ()]
    assert [e.answerable for e in found[2:]] == [True, False]
    assert found[2].tags["topic"] == "Sen"


def test_further_answers(write):
    more = [{"Answer": "khác"}, {"Answer": "UNANSWERABLE"}, {"Answer": "trả lời 1"}]
    [example] = FORMAT.examples(write("dev.json", [turn(1, Additional_answers=more)]))
    assert example.answers == ("trả lời 1", "khác")


def test_gold_passages_rewrites_and_segments_lie_beside(write):
    path = write("data/topiocqa_dataset/dev.json", [turn(1), turn(2)])
    gold = [
        {
            "conv_id": 1,
            "turn_id": 2,
            "question": "câu hỏi 2 về trà?",
            "positive_ctxs": [{"passage_id": "7", "title": "Trà", "text": "…"}],
        }
    ]
    write("data/retriever/rewrites_t5_qrecc/dev.json", gold)
    segments = 'id\ttext\ttitle\n7\t"Trà ""sen"" thơm"\tTrà [SEP] Hương\n'
    write("data/wikipedia_split/full_wiki_segments.tsv", segments)
    first, second = FORMAT.examples(path)
    assert (first.relevant, first.automatic) == ({}, {})
    assert second.relevant == {"7": 1}
    assert second.automatic == {REWRITER: "câu hỏi 2 về trà?"}
    [document] = FORMAT.documents(path)
    assert (document.doc_id, document.title, document.text) == (
        "7",
        "Trà › Hương",
        'Trà "sen" thơm',
    )


def test_gold_without_rewrites(write):
    path = write("data/topiocqa_dataset/dev.json", [turn(1)])
    gold = {"conv_id": 1, "turn_id": 1, "question": "a [SEP] b", "positive_ctxs": []}
    write("data/retriever/all_history/dev.json", [gold])
    [example] = FORMAT.examples(path)
    assert (example.relevant, example.automatic) == ({}, {})
    assert list(FORMAT.documents(path)) == []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (turn(1), "item 2: \"Turn_no\" gives the id '1_1' for the second time"),
        (turn(2, Answer=3), 'item 2: "Answer" must be a string'),
        (turn(2, Topic=None), 'item 2: "Topic" must be a string'),
        (turn(2, Additional_answers=[{}]), 'item 2, Additional_answers 1: "Answer" is missing'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    path = write("dev.json", [turn(1), bad])
    found = FORMAT.examples(path)
    assert next(found).id == "1_1"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, {said}")


def test_files_cut_short(write):
    path = write("data/topiocqa_dataset/dev.json", json.dumps([turn(1)])[:-3])
    with pytest.raises(MalformedData, match=r"dev\.json, character \d+: .*cut short"):
        list(FORMAT.examples(path))
    write("data/wikipedia_split/full_wiki_segments.tsv", "id\ttext\ttitle\n7\ttrà")
    with pytest.raises(MalformedData, match=r"line 2: needs three columns: .*; it has 2"):
        list(FORMAT.documents(path))
