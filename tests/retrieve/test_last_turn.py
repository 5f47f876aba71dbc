"""Documents that the turn before is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.records import Conversation, Hit, Passage, Query, Turn
from anaphora.retrieve.fusion import Fusion
from anaphora.retrieve.last_turn import last_turn, preferring

HISTORIES = [
    ("comment annuler ?", "Ctrl+Z annule. [1]", "comment annuler ? Ctrl+Z annule."),
    ("怎么撤销", "按 Ctrl+Z。[1] [2]", "怎么撤销 按 Ctrl+Z。"),
    ("取り消すには", "Ctrl+Z です。[1]", "取り消すには Ctrl+Z です。"),
    ("เลิกทำอย่างไร", "กด Ctrl+Z [1]", "เลิกทำอย่างไร กด Ctrl+Z"),
    ("كيف أتراجع؟", "اضغط Ctrl+Z. [1]", "كيف أتراجع؟ اضغط Ctrl+Z."),
    ("hoàn tác thế nào", "Nhấn Ctrl+Z. [1]", "hoàn tác thế nào Nhấn Ctrl+Z."),
    ("как отменить", "Нажмите Ctrl+Z. [1]", "как отменить Нажмите Ctrl+Z."),
    ("nasıl geri alınır", "Ctrl+Z'ye basın. [1]", "nasıl geri alınır Ctrl+Z'ye basın."),
]


def after(*texts):
    """A query at the end of a conversation of these turns, the user's first."""
    turns = [Turn(("user", "assistant")[at % 2], text) for at, text in enumerate(texts)]
    return Query(texts[-1], conversation=Conversation((*turns[:-1], Turn("user", texts[-1]))))


def hits(documents, scores=None):
    scores = scores or range(len(documents), 0, -1)
    return [
        Hit(Passage(f"{name}#{rank}", name, "", f"{name} {rank}", "en"), float(score), rank)
        for rank, (name, score) in enumerate(zip(documents, scores, strict=True), 1)
    ]


def documents(found):
    return "".join(hit.passage.doc_id for hit in found)


@pytest.mark.parametrize(("question", "answer", "expected"), HISTORIES)
def test_the_last_question_and_its_answer_without_citation_marks(question, answer, expected):
    assert last_turn(after("old", "older", question, answer, "?")) == expected


def test_only_the_beginning_of_a_long_answer():
    assert len(last_turn(after("q", "word " * 1000, "and?"))) < 310


def test_an_answer_belongs_to_its_own_question():
    assert last_turn(after("q", "a", "next")) == "q a"
    turns = (Turn("user", "q"), Turn("assistant", "a"), Turn("user", "r"), Turn("user", "s"))
    assert last_turn(Query("s", conversation=Conversation(turns))) == "r"


def test_without_history_there_is_nothing():
    assert last_turn(Query("alone")) == ""
    assert last_turn(after("alone")) == ""


def test_the_documents_of_the_turn_before_gain():
    found = preferring(hits("abcb", [9, 6, 5, 1]), hits("bx"), 0.5)
    # Half of the range of 8 for each passage of b.
    expected = [("b#2", 10), ("a#1", 9), ("c#3", 5), ("b#4", 5)]
    assert [(hit.passage.passage_id, hit.score) for hit in found] == expected
    assert [hit.rank for hit in found] == [1, 2, 3, 4]


def test_a_less_probable_document_gains_less():
    found = preferring(hits("abc", [8, 4, 0]), hits("cb", [4, 2]), 0.5)
    assert [(hit.passage.doc_id, hit.score) for hit in found] == [("a", 8), ("b", 6), ("c", 4)]


def records(titles):
    return [
        Hit(Passage(name, name, title, name, "en"), float(len(titles) - rank), rank)
        for rank, (name, title) in enumerate(titles.items(), 1)
    ]


@pytest.mark.parametrize("title", ["澳門", "Đà Nẵng", "القاهرة", "Тула", "İzmir", "東京", "ลำปาง"])
def test_records_of_one_title_gain_but_not_by_themselves(title):
    found = records({"a": "Zzz", "b": f"{title} › 1", "c": "", "d": f"{title} › 2 › 3", "e": title})
    before = [found[1], found[0], found[2]]
    order = preferring(found, before, 1.0)
    # b is the passage that was read: d and e are of the same page.
    assert [(hit.passage.passage_id, hit.score) for hit in order] == [
        ("d", 5.0), ("a", 4.0), ("e", 4.0), ("b", 3.0), ("c", 2.0)
    ]  # fmt: skip


def test_a_record_without_a_title_gains_nothing():
    records = [
        Hit(Passage(name, name, "", name, "en"), float(score), rank)
        for rank, (name, score) in enumerate([("a", 3), ("b", 2), ("c", 1)], 1)
    ]
    assert preferring(records, records[1:], 1.0) == records


@given(
    st.lists(st.sampled_from("abcd"), max_size=8),
    st.lists(st.sampled_from("abcd"), max_size=8),
    st.floats(0, 1),
)
def test_no_hit_is_added_or_lost_and_one_document_keeps_its_order(found, before, weight):
    order = preferring(hits(found), hits(before), weight)
    assert {hit.passage.passage_id for hit in order} == {
        hit.passage.passage_id for hit in hits(found)
    }
    for name in set(found):
        ranks = [hit.passage.passage_id for hit in order if hit.passage.doc_id == name]
        assert ranks == [
            hit.passage.passage_id for hit in hits(found) if hit.passage.doc_id == name
        ]


class Fixed:
    name = "lexical"

    def __init__(self, answers):
        self.answers = answers

    def retrieve(self, queries, k):
        return [hits(self.answers[query.text])[:k] for query in queries]


def test_a_follow_up_prefers_the_document_of_its_conversation():
    retriever = Fixed({"tắt nó": "abcd", "tự động lưu Chọn Lưu.": "dd"})
    query = after("tự động lưu", "Chọn Lưu. [1]", "tắt nó")
    found = Fusion([retriever], "weighted", context_weight=0.5).retrieve([query], 3)[0]
    assert documents(found) == "abd"
    found = Fusion([retriever], "weighted", context_weight=1.0).retrieve([query], 3)[0]
    assert documents(found)[:2] == "ad"


def test_without_a_weight_or_by_rank_the_turn_before_is_not_searched():
    retriever = Fixed({"tắt nó": "abcd"})
    query = after("tự động lưu", "Chọn Lưu. [1]", "tắt nó")
    assert documents(Fusion([retriever], "weighted").retrieve([query], 3)[0]) == "abc"
    found = Fusion([retriever], "rrf", context_weight=0.5).retrieve([query], 3)[0]
    assert documents(found) == "abc"
