"""The budget and the order that all rerankers share, with scorers made for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.errors import ModelUnavailable
from anaphora.records import Cut, Hit, Passage, Query
from anaphora.rerank import scoring
from anaphora.rerank.scoring import Score, ScoringReranker

TEXTS = [
    "灯塔",
    "แมว",
    "الجسر",
    "мост",
    "cầu",
    "köprü",
    "पुल",
    "다리",
    "橋",
    "pont",
    "bridge",
    "2024",
]


@dataclass
class Clock:
    """A clock that stands still until somebody works."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    fake = Clock()
    monkeypatch.setattr(scoring, "perf_counter", fake)
    return fake


@dataclass
class Table:
    """Scores by text; remembers what it was asked, and takes its seconds for each passage."""

    scores: dict[str, float]
    clock: Clock = field(default_factory=Clock)
    seconds: float = 0.0
    name: str = "table"
    asked: list[list[str]] = field(default_factory=list)

    def score(self, asked):
        found = []
        for _, passages in asked:
            self.asked.append([one.text for one in passages])
            self.clock.now += self.seconds * len(passages)
            found.append([Score(self.scores[one.text]) for one in passages])
        return found


def found(texts, scores=None):
    scores = scores or [float(len(texts) - at) for at in range(len(texts))]
    return [
        Hit(Passage(f"p{at}", "d", "", text, "en"), score, at + 1, {"lexical": score})
        for at, (text, score) in enumerate(zip(texts, scores, strict=True))
    ]


def order(hits):
    return [hit.passage.text for hit in hits]


QUERY = Query("bridge")


def test_the_scores_make_the_order_and_stand_beside_the_others():
    scores = dict(zip(TEXTS, range(len(TEXTS)), strict=True))
    hits = ScoringReranker(lambda: Table(scores)).rerank([QUERY], [found(TEXTS)], 20)[0]
    assert order(hits) == TEXTS[::-1]
    assert [hit.rank for hit in hits] == list(range(1, 13))
    assert hits[0].sources == {"lexical": 1.0, "table": 11}
    assert hits[0].score == 11


def test_each_question_of_a_batch_has_its_own_order_and_one_call_judges_all():
    table = Table({text: -float(at) for at, text in enumerate(TEXTS)})
    lists = [found(TEXTS[:3]), [], found(TEXTS[::-1])]
    reranker = ScoringReranker(lambda: table)
    many = reranker.rerank([QUERY] * 3, lists, 5)
    assert [order(hits) for hits in many] == [TEXTS[:3], [], TEXTS[:5]]
    assert len(table.asked) == 2
    assert many == [reranker.rerank([QUERY], [hits], 5)[0] for hits in lists]


def test_beyond_top_the_old_order_follows():
    texts = [f"text {at}" for at in range(1000)]
    table = Table({text: float(at) for at, text in enumerate(texts)})
    hits = ScoringReranker(lambda: table, top=3).rerank([QUERY], [found(texts)], 1000)[0]
    assert order(hits) == texts[2::-1] + texts[3:]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.score for hit in hits}) == 1000
    assert hits[3].sources == {"lexical": 997.0}
    assert table.asked == [texts[:3]]


@pytest.mark.parametrize("k", [1, 2, 3, 50])
def test_k_cuts_after_judging(k):
    table = Table({"a": 0.1, "b": 0.2, "c": 0.3})
    hits = ScoringReranker(lambda: table).rerank([QUERY], [found("abc")], k)[0]
    assert order(hits) == ["c", "b", "a"][:k]


@pytest.mark.parametrize("text", ["", "  ", "?!…", "👍"])
def test_a_question_without_words_leaves_the_hits_as_they_are(text):
    before = found(TEXTS)
    reranker = ScoringReranker(lambda: pytest.fail("nothing is to be judged"))
    assert reranker.rerank([Query(text)], [before], 20)[0] == before


def test_empty_passages_are_not_judged_and_come_last():
    table = Table({"b": 0.1, "7": 0.9})
    hits = ScoringReranker(lambda: table).rerank([QUERY], [found(["", "b", "|—|", "7"])], 9)[0]
    assert order(hits) == ["7", "b", "", "|—|"]
    assert table.asked == [["b", "7"]]


def test_what_the_time_does_not_reach_keeps_its_order_behind(clock):
    texts = [f"text {at}" for at in range(40)]
    table = Table({text: float(at) for at, text in enumerate(texts)}, clock, seconds=1 / 64)
    reranker = ScoringReranker(lambda: table, top=40, seconds=15 / 64)
    hits = reranker.rerank([QUERY], [found(texts)], 40)[0]
    # Four to learn what one takes, then each time four fifths of what the rest of the time allows.
    assert [len(part) for part in table.asked] == [4, 8, 2, 1]
    assert clock.now == 15 / 64
    assert order(hits) == texts[:15][::-1] + texts[15:]
    # The next question begins with what four fifths of its time allow.
    reranker.rerank([QUERY], [found(texts)], 40)
    assert [len(part) for part in table.asked[4:]] == [12, 2, 1]
    table.seconds = 2 / 64
    reranker.rerank([QUERY], [found(texts)], 40)
    reranker.rerank([QUERY], [found(texts)], 40)
    assert [len(part) for part in table.asked[7:]] == [12, 6, 1]


def test_long_passages_count_as_several(clock):
    texts = ["short a", *("long " * 1000 + str(at) for at in range(8)), "short b"]
    table = Table({text: float(at) for at, text in enumerate(texts)}, clock, seconds=1 / 64)
    reranker = ScoringReranker(lambda: table, top=40, seconds=3600.0)
    reranker.rerank([QUERY], [found(texts)], 40)
    assert [len(part) for part in table.asked] == [1, 9]
    assert [text for part in table.asked for text in part] == texts


def test_the_time_is_that_of_each_question(clock):
    texts = [f"text {at}" for at in range(40)]
    table = Table({text: float(at) for at, text in enumerate(texts)}, clock, seconds=1 / 64)
    reranker = ScoringReranker(lambda: table, top=40, seconds=10 / 64)
    reranker.rerank([QUERY] * 3, [found(texts)] * 3, 40)
    assert clock.now == 30 / 64


def test_slow_passages_end_it_at_once(clock):
    table = Table({text: float(at) for at, text in enumerate(TEXTS)}, clock, seconds=9.0)
    hits = ScoringReranker(lambda: table, seconds=0.1).rerank([QUERY], [found(TEXTS)], 20)[0]
    assert order(hits) == TEXTS[3::-1] + TEXTS[4:]


def test_the_result_says_where_the_time_limit_cut(clock):
    texts = [f"text {at}" for at in range(40)]
    table = Table({text: float(at) for at, text in enumerate(texts)}, clock, seconds=1 / 64)
    lists = [found(texts), found([*texts[:18], "…", "?"]), found(texts[:3]), []]
    reranker = ScoringReranker(lambda: table, top=20, seconds=8 / 64)
    ranked = reranker.rerank_in_time([QUERY] * 4, lists, 5)
    assert [cut for _, cut in ranked] == [Cut(14, 20, 0.125), Cut(14, 18, 0.125), None, None]
    assert [order(hits) for hits, _ in ranked] == [
        texts[13:8:-1],
        texts[13:8:-1],
        texts[2::-1],
        [],
    ]
    assert str(ranked[0][1]) == "the reranker scored 14 of 20 hits within its limit of 125 ms"


def test_patience_and_failures_are_no_cuts(clock):
    texts = [f"text {at}" for at in range(40)]
    table = Table({text: -float(at) for at, text in enumerate(texts)}, clock, seconds=1 / 64)
    reranker = ScoringReranker(lambda: table, top=40, seconds=3600.0, patience=6)
    ((_, cut),) = reranker.rerank_in_time([QUERY], [found(texts)], 40)
    assert cut is None
    assert sum(map(len, table.asked)) == 12


def test_loading_is_not_counted(clock):
    def load():
        clock.now += 60
        return Table({text: float(at) for at, text in enumerate(TEXTS)}, clock)

    hits = ScoringReranker(load, seconds=0.2).rerank([QUERY], [found(TEXTS)], 20)[0]
    assert order(hits) == TEXTS[::-1]


def test_a_budget_that_is_not_hit_changes_nothing():
    table = Table({text: math.sin(at) for at, text in enumerate(TEXTS)})
    lists = [found(TEXTS), found(TEXTS[:5]), found(TEXTS[::-1])]
    plain = ScoringReranker(lambda: table).rerank([QUERY] * 3, lists, 20)
    timed = ScoringReranker(lambda: table, seconds=3600.0).rerank([QUERY] * 3, lists, 20)
    assert timed == plain


def test_judging_ends_when_the_order_is_settled():
    texts = [f"text {at}" for at in range(40)]
    table = Table({text: -float(at) for at, text in enumerate(texts)})
    reranker = ScoringReranker(lambda: table, top=40, patience=6)
    assert order(reranker.rerank([QUERY], [found(texts)], 40)[0]) == texts
    assert sum(map(len, table.asked)) == 12
    # Where each hit is better than those before it, nothing is settled.
    table = Table({text: float(at) for at, text in enumerate(texts)})
    reranker = ScoringReranker(lambda: table, top=40, patience=6)
    assert order(reranker.rerank([QUERY], [found(texts)], 40)[0]) == texts[::-1]


def test_the_weight_mixes_standardised_scores():
    table = Table({"a": 0.0, "b": 100.0, "c": 50.0})
    hits = [found("abc", [0.9, 0.1, 0.8])]

    def at(weight):
        return order(ScoringReranker(lambda: table, weight=weight).rerank([QUERY], hits, 3)[0])

    assert at(1.0) == ["b", "c", "a"]
    assert at(0.5) == ["c", "b", "a"]
    assert at(0.0) == ["a", "c", "b"]
    scaled = [found("abc", [900.0, 100.0, 800.0])]
    reranker = ScoringReranker(lambda: table, weight=0.5)
    one, other = (reranker.rerank([QUERY], given, 3)[0] for given in (hits, scaled))
    assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other])


def test_equal_scores_keep_the_old_order():
    table = Table(dict.fromkeys(TEXTS, 0.5))
    for weight in (0.0, 0.5, 1.0):
        reranker = ScoringReranker(lambda: table, weight=weight)
        assert order(reranker.rerank([QUERY], [found(TEXTS)], 20)[0]) == TEXTS
    same = [found(TEXTS, [1.0] * len(TEXTS))]
    assert order(ScoringReranker(lambda: table, weight=0.5).rerank([QUERY], same, 20)[0]) == TEXTS


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_an_error(wrong):
    with pytest.raises(
        ModelUnavailable, match="the reranker table gave a score that is not a number"
    ):
        ScoringReranker(lambda: Table({"a": wrong})).rerank([QUERY], [found("a")], 3)


def test_a_scorer_that_could_not_judge_leaves_the_order():
    class Down:
        name = "down"

        def score(self, asked):
            return [
                None if query.text == "bridge" else [Score(0.1), Score(0.2)] for query, _ in asked
            ]

    hits = found("ab")
    both = ScoringReranker(Down).rerank([QUERY, Query("pont")], [hits, hits], 3)
    assert both[0] == hits
    assert order(both[1]) == ["b", "a"]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["", "a", "字", "–"]), st.floats(-9, 9)), max_size=30),
    st.integers(1, 40),
    st.integers(0, 40),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.integers(0, 5),
    st.sampled_from([0.0, 3600.0]),
)
def test_always_a_permutation_with_falling_scores(given_hits, top, k, weight, patience, seconds):
    texts = [f"{text}{at if text.isalnum() else ''}" for at, (text, _) in enumerate(given_hits)]
    scores = {text: score for text, (_, score) in zip(texts, given_hits, strict=True)}
    table = Table(scores)
    before = found(texts)
    reranker = ScoringReranker(lambda: table, top, seconds, patience, weight)
    after = reranker.rerank([QUERY], [before], k)[0]
    assert len(after) == min(k, len(before))
    ids = [hit.passage.passage_id for hit in after]
    assert set(ids) <= {hit.passage.passage_id for hit in before}
    assert len(set(ids)) == len(ids)
    assert [hit.rank for hit in after] == list(range(1, len(after) + 1))
    assert [hit.score for hit in after] == sorted((hit.score for hit in after), reverse=True)
    lexical = {hit.passage.passage_id: hit.score for hit in before}
    assert all(hit.sources["lexical"] == lexical[hit.passage.passage_id] for hit in after)
    if k >= len(before):
        beyond = [hit.passage.passage_id for hit in before[top:]]
        assert ids[len(ids) - len(beyond) :] == beyond
