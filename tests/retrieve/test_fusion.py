"""Fusion over retrievers and phrasings."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.errors import UsageError
from anaphora.records import Hit, Passage, Query
from anaphora.retrieve.fusion import Fusion, fuse


def hits(names, source="a", scores=None):
    scores = scores or [len(names) - i for i in range(len(names))]
    return [
        Hit(Passage(name, name, "", name, "en"), score, rank, {source: score})
        for rank, (name, score) in enumerate(zip(names, scores, strict=True), 1)
    ]


class Compared:
    """A dense retriever whose hits have cosines: higher ones for longer queries."""

    name = "dense"

    def retrieve(self, queries, k):
        return [
            [replace(hit, cosine=0.01 * len(query.text)) for hit in hits("a", "dense")]
            for query in queries
        ]


class Fixed:
    """A retriever with an answer for each text; it remembers what it was asked."""

    def __init__(self, name, answers):
        self.name = name
        self.answers = answers
        self.asked = []

    def retrieve(self, queries, k):
        self.asked += [(query.text, k) for query in queries]
        return [hits(self.answers.get(query.text, [])[:k], self.name) for query in queries]


def names(found):
    return [hit.passage.passage_id for hit in found]


def test_reciprocal_rank_by_hand():
    found = fuse([(1.0, hits("abc", "x")), (1.0, hits("cad", "y"))], 10)
    expected = {"a": 1 / 61 + 1 / 62, "b": 1 / 62, "c": 1 / 63 + 1 / 61, "d": 1 / 63}
    assert {hit.passage.passage_id: hit.score for hit in found} == pytest.approx(expected)
    assert names(found) == ["a", "c", "b", "d"]
    assert [hit.rank for hit in found] == [1, 2, 3, 4]
    assert found[0].sources == {"x": 3, "y": 2}


def test_weighted_by_hand():
    one = hits("ab", "x", [10.0, 5.0])  # a deviation of 2.5: a stands 2 above b
    two = hits("bc", "y", [0.9, 0.1])  # 0.4: b stands 2 above c
    found = fuse([(0.25, one), (0.75, two)], 10, "weighted")
    expected = {"b": 1.5, "a": 0.5, "c": 0.0}
    assert {hit.passage.passage_id: hit.score for hit in found} == pytest.approx(expected)


def test_weighted_counts_as_zero_what_a_shorter_ranking_has_not():
    near = hits("abcd", "dense", [0.9, 0.8, 0.8, 0.8])
    word = hits("d", "lexical", [5.0])
    found = fuse([(1.0, near), (1.0, word)], 10, "weighted")
    # One high score among four stands 4 / sqrt(3) deviations above the others.
    expected = {"a": 4 / 3**0.5, "d": 4 / 3**0.5, "b": 0.0, "c": 0.0}
    assert {hit.passage.passage_id: hit.score for hit in found} == pytest.approx(expected)


def test_weighted_equal_scores_count_one_each():
    found = fuse(
        [(1.0, hits("ab", "x", [0.3, 0.3])), (1.0, hits("ab", "y", [7, 7]))], 2, "weighted"
    )
    assert [(hit.passage.passage_id, hit.score) for hit in found] == [("a", 2.0), ("b", 2.0)]


def test_variants_are_searched_by_every_retriever_and_count_less():
    lexical = Fixed("lexical", {"东京?": ["a", "b"], "日本 东京?": ["c", "b"]})
    dense = Fixed("dense", {"东京?": ["b"], "日本 东京?": ["c"]})
    query = Query("东京?", "zh", ("日本 东京?", "东京?"))
    found = Fusion([lexical, dense], variant_weight=0.5, depth=7).retrieve([query], 3)[0]
    assert lexical.asked == dense.asked == [("东京?", 7), ("日本 东京?", 7)]
    scores = {hit.passage.passage_id: hit.score for hit in found}
    assert scores["c"] == pytest.approx(0.5 / 61 + 0.5 / 61)
    assert scores["b"] == pytest.approx(1 / 62 + 1 / 61 + 0.5 / 62)


def test_a_single_ranking_keeps_its_scores():
    found = Fusion([Fixed("bm25", {"q": list("abc")})]).retrieve([Query("q")], 2)[0]
    assert [(hit.passage.passage_id, hit.score) for hit in found] == [("a", 3), ("b", 2)]


def test_a_retriever_of_weight_zero_changes_no_order():
    one, two = Fixed("one", {"q": list("ab")}), Fixed("two", {"q": list("ba")})
    assert names(Fusion([one, two], weights={"two": 0}).retrieve([Query("q")], 2)[0]) == ["a", "b"]


@pytest.mark.parametrize(("weights", "said"), [({"dens": 1}, "dens"), ({"a": -1}, "negative")])
def test_wrong_weights(weights, said):
    with pytest.raises(UsageError, match=said):
        Fusion([Fixed("a", {})], weights=weights)


def test_no_retriever():
    with pytest.raises(UsageError, match="at least one"):
        Fusion([])


rankings = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), min_size=1, max_size=4)


@given(rankings, st.integers(1, 8), st.sampled_from(["rrf", "weighted"]))
def test_fusion_ranks_each_passage_once_in_falling_order(lists, k, method):
    found = fuse([(1.0, hits(one)) for one in lists], k, method)
    assert len(found) == min(k, len(set().union(*lists)))
    assert len(set(names(found))) == len(found)
    assert all(a.score >= b.score for a, b in itertools.pairwise(found))


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.sampled_from(["rrf", "weighted"]))
def test_fusing_a_ranking_with_itself_keeps_its_order(one, method):
    assert names(fuse([(1.0, hits(one)), (1.0, hits(one))], 10, method)) == one


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("undo a change", "how do i save | and undo"),
        ("撤销更改", "怎么保存 | 撤销呢"),
        ("تراجع عن التغيير", "كيف أحفظ | وكيف أتراجع"),
        ("отменить изменение", "как сохранить | а отменить"),
    ],
)
def test_vectors_also_search_a_question_behind_the_earlier_ones(text, asked):
    dense = Fixed("dense", {text: "ab", asked: "cb"})
    words = Fixed("lexical", {text: "a", asked: "d"})
    query = Query(text, in_context=asked)
    fusion = Fusion([words, dense], in_context_weight=1.0)
    (found,) = fusion.retrieve([query], 10)
    sources = {hit.passage.passage_id: set(hit.sources) for hit in found}
    assert set(sources) == set("abc")
    assert sources["c"] == {"dense in context"}
    assert sources["b"] == {"dense", "dense in context"}
    assert [one for one, _ in dense.asked] == [text, asked]
    assert [one for one, _ in words.asked] == [text]
    without = Fusion([words, dense])
    assert set(names(without.retrieve([query], 10)[0])) == set("ab")
    assert names(fusion.retrieve([Query(text)], 10)[0]) == names(
        without.retrieve([Query(text)], 10)[0]
    )


def test_a_cosine_is_with_the_question_and_not_with_those_before_it():
    query = Query("undo", in_context="how do i save | undo")
    ((hit,),) = Fusion([Compared()], in_context_weight=1.0).retrieve([query], 10)
    assert hit.cosine == pytest.approx(0.04)
    assert set(hit.sources) == {"dense", "dense in context"}
