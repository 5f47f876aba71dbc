import json

import pytest

from anaphora.datasets.cast import FORMAT, REWRITER
from anaphora.errors import AnaphoraError, MalformedData
from anaphora.records import Turn


def topic(number, *turns, **more):
    return {"number": number, "turn": list(turns), **more}


def raw(number, text, **more):
    return {"number": number, "raw_utterance": text, **more}


def user(number, text, parent=None, **more):
    turn = {"number": number, "participant": "User", "utterance": text, **more}
    return {**turn, "parent": parent} if parent else turn


def system(number, text, parent, *provenance):
    turn = {"number": number, "participant": "System", "response": text, "parent": parent}
    return {**turn, "provenance": list(provenance)}


def test_2019_takes_resolved_questions_and_judgements_beside_it(write):
    topics = [topic(31, raw(1, "ما هو الشاي؟"), raw(2, "من أين يأتي؟ "), title="الشاي")]
    path = write("2019/data/evaluation/evaluation_topics_v1.0.json", topics)
    resolved = "31_1\tما هو الشاي؟\n31_2\tمن أين يأتي الشاي؟\n"
    write("2019/data/evaluation/evaluation_topics_annotated_resolved_v1.0.tsv", resolved)
    write("2019/data/2019qrels.txt", "31_2 Q0 CAR_1 3\n31_2 Q0 MARCO_2 0\n")
    first, second = FORMAT.examples(path)
    assert second.id == "31_2"
    assert second.conversation.title is None
    assert second.conversation.turns == (
        Turn("user", "ما هو الشاي؟"),
        Turn("user", "من أين يأتي؟"),
    )
    assert second.rewrites == ("من أين يأتي الشاي؟",)
    assert second.relevant == {"CAR_1": 3, "MARCO_2": 0}
    assert (first.answerable, second.answerable) == (None, True)
    assert second.tags == {"dialogue": "31", "topic": "الشاي"}
    for folder in (path.parents[2], path.parents[1], path.parent):
        assert FORMAT.recognises(folder)
        assert list(FORMAT.examples(folder)) == [first, second]


def test_2019_as_text(write):
    text = "Number: 7\nTitle: Tee\nDescription: Über Tee\n1\tWas ist Tee?\n2\tWoher kommt er?\n\n"
    path = write("topics.txt", text + "Number: 8\nTitle: Moor\nDescription:\n1\tWas ist Moor?\n")
    found = list(FORMAT.examples(path))
    assert FORMAT.recognises(path)
    assert [(e.id, e.question, e.tags["topic"]) for e in found] == [
        ("7_1", "Was ist Tee?", "Tee"),
        ("7_2", "Woher kommt er?", "Tee"),
        ("8_1", "Was ist Moor?", "Moor"),
    ]


def test_2020_joins_both_files_and_keeps_machines_apart_from_people(write):
    def turn(**more):
        return topic(81, raw(1, "Почему он сломался?", **more))

    manual = turn(
        manual_rewritten_utterance="Почему сломался замок?",
        automatic_rewritten_utterance="Почему замок сломался?",
        manual_canonical_result_id="MARCO_5",
    )
    write("2020/2020_manual_evaluation_topics_v1.0.json", [manual])
    alone = turn(automatic_rewritten_utterance="Почему замок сломался?")
    path = write("2020/2020_automatic_evaluation_topics_v1.0.json", [alone])
    write("2020/2020qrels.txt", "81_1 0 MARCO_5 1\n")
    [example] = FORMAT.examples(path.parent)
    assert example.rewrites == ("Почему сломался замок?",)
    assert example.automatic == {REWRITER: "Почему замок сломался?"}
    assert (example.answers, example.answerable) == ((), None)
    assert list(FORMAT.examples(path)) == [example]


def test_dependence_is_told_where_a_topic_is_annotated(write):
    path = write(
        "annotated.json",
        [
            topic(
                1,
                raw(1, "a"),
                raw(2, "b", query_turn_dependence=[1]),
                raw(3, "c", result_turn_dependence=2),
                raw(4, "d", result_turn_dependence=2, query_turn_dependence=[1]),
            ),
            topic(2, raw(1, "e")),
        ],
    )
    found = [example.tags.get("dependence") for example in FORMAT.examples(path)]
    assert found == ["none", "query", "result", "query and result", None]


def test_2021_replies_are_history_and_answers_only_where_judged_relevant(write):
    turns = [
        raw(1, "茶是什么？", passage="茶是饮料。", canonical_result_id="MARCO_D1", passage_id=7),
        raw(2, "它安全吗？", passage="一所学校。", canonical_result_id="KILT_2", passage_id=0),
    ]
    path = write("2021_manual_evaluation_topics_v1.0.json", [topic(106, *turns)])
    write("trec-cast-qrels-docs.2021.qrel", "106_1 0 MARCO_D1 4\n106_2 0 KILT_2 0\n")
    first, second = FORMAT.examples(path)
    assert (first.answers, second.answers) == (("茶是饮料。",), ())
    assert second.conversation.history == (
        Turn("user", "茶是什么？"),
        Turn("assistant", "茶是饮料。"),
    )


def test_2022_is_a_tree(write):
    turns = [
        user("1-1", "お茶とは？", manual_rewritten_utterance="お茶とは何ですか？"),
        system("1-2", "飲み物です。", "1-1", "M-1", "M-2"),
        user("1-3", "歴史は？", "1-2"),
        system("1-4", "古いです。", "1-3", "M-3"),
        system("3-1", "どのお茶ですか？", "1-3"),
        user("3-2", "緑茶です", "3-1"),
        user("2-1", "種類は？", "1-2"),
    ]
    path = write("2022/2022_evaluation_topics_tree_v1.0.json", [topic(132, *turns)])
    machine = topic(132, user("1-3", "歴史は？", automatic_rewritten_utterance="お茶の歴史は？"))
    write("2022/2022_automatic_evaluation_topics_tree_v1.0.json", [machine])
    write("2022/cast2022.qrel", "132_1-1 0 M-2 2\n132_1-3 0 M-3 1\n")
    found = {example.id: example for example in FORMAT.examples(path.parent)}
    assert list(found) == ["132_1-1", "132_1-3", "132_3-2", "132_2-1"]
    assert found["132_1-1"].answers == ("飲み物です。",)
    assert found["132_1-1"].rewrites == ("お茶とは何ですか？",)
    assert found["132_1-3"].answers == ()
    assert found["132_1-3"].automatic == {REWRITER: "お茶の歴史は？"}
    said = [turn.text for turn in found["132_3-2"].conversation.turns]
    assert said == ["お茶とは？", "飲み物です。", "歴史は？", "どのお茶ですか？", "緑茶です"]
    said = [turn.text for turn in found["132_2-1"].conversation.turns]
    assert said == ["お茶とは？", "飲み物です。", "種類は？"]


def test_2022_flattened_gives_each_turn_once_and_tells_topics_apart(write):
    def turn(number, text, subject):
        reply = {"response": f"{text}!", "provenance": []}
        kind = {"sub_topic": subject, "utterance_type": "Question", "query_dependence": ""}
        return {"number": number, "utterance": text, **reply, **kind}

    one, two = turn("1-1", "a", "x"), turn("1-3", "b", "x")
    three = turn("2-1", "c", "y")
    path = write("flattened.json", [topic(1, one, two), topic(1, one, three)])
    found = list(FORMAT.examples(path))
    assert [example.id for example in found] == ["1_1-1", "1_1-3", "1_2-1"]
    assert [turn.text for turn in found[2].conversation.turns] == ["a", "a!", "c"]
    assert [e.tags.get("topic_switch") for e in found] == [None, "no", "yes"]
    assert {e.tags["question_type"] for e in found} == {"question"}


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([{"number": 1}], 'item 2, turn 1: "raw_utterance" is missing'),
        ([raw(None, "a")], 'item 2, turn 1: "number" must be a string or a whole number'),
        ([raw(1, "")], 'item 2, turn 1: "raw_utterance" is empty'),
        ([raw(1, "a"), raw(1, "b")], "turn 2: \"number\" gives the id '2_1' for the second time"),
        ([raw(1, "a", passage=3)], '"passage" must be a string'),
        ([user("1", "a", "9")], '"parent" is not a turn of its topic'),
        ([user("1", "a", "2"), system("2", "b", "1")], '"parent" is among its own ancestors'),
        ([{**user("1", "a"), "participant": "?"}], '"participant" must be "User" or "System"'),
        ([user("1", "a"), user("1", "b")], "\"number\" gives the turn '1' for the second time"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, turns, said):
    path = write("topics.json", [topic(1, raw(1, "چای چیست؟")), topic(2, *turns)])
    found = FORMAT.examples(path)
    assert next(found).id == "1_1"
    with pytest.raises(MalformedData) as error:
        list(found)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_files_cut_short(write):
    text = json.dumps([topic(1, raw(1, "a")), topic(2, raw(1, "b"))])
    found = FORMAT.examples(write("topics.json", text[:-9]))
    assert next(found).id == "1_1"
    with pytest.raises(MalformedData, match=r"topics\.json, character \d+: .*cut short"):
        next(found)
    path = write("topics.txt", "Number: 7\nTitle: Tee\n1\tWas?\nWoher")
    with pytest.raises(MalformedData, match=r"topics\.txt, line 4: needs a heading"):
        list(FORMAT.examples(path))


def test_companions_that_are_wrong(write):
    path = write("a/evaluation_topics_v1.0.json", [topic(1, raw(1, "a"))])
    write("a/resolved.tsv", "1_1 a\n")
    with pytest.raises(MalformedData, match=r"resolved\.tsv, line 1: needs two columns"):
        list(FORMAT.examples(path))
    write("a/resolved.tsv", "")
    write("a/one.qrel", "1_1 0 M 1\n")
    write("a/two.qrel", "1_1 0 M 2\n")
    with pytest.raises(AnaphoraError, match="both judge turn 1_1; keep one"):
        list(FORMAT.examples(path))


def test_other_paths_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(tmp_path / "none")
    assert not FORMAT.recognises(write("a.json", [{"number": 1, "turn": []}]))
    with pytest.raises(AnaphoraError, match="holds no topics of CAsT"):
        list(FORMAT.examples(tmp_path))
