"""Listwise reranking by a model behind a real server on the loopback."""

from __future__ import annotations

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import UsageError
from anaphora.models.endpoint import ChatModel
from anaphora.records import Hit, Passage, Query
from anaphora.rerank.llm import LLMScorer

QUERY = Query("灯塔是什么时候建的？", "zh")
TEXTS = ["The ferry.", "灯塔建于1887年。", "แมวดำ", "الجسر قديم", "мост", "cầu", "köprü"]


def hits(texts=TEXTS):
    return [
        Hit(Passage(f"p{at}", "d", f"T{at}", text, "en"), 1.0 - at / 2000, at + 1)
        for at, text in enumerate(texts)
    ]


def ids(found):
    return [int(hit.passage.passage_id[1:]) for hit in found]


def reranker(endpoint, **settings):
    given = {
        "method": "llm",
        "endpoint": endpoint.url,
        "model": "m",
        "timeout": 60,
        "weight": 1.0,
        **settings,
    }
    return Assistant(None, Config.of({"rerank": given})).reranker


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("[2] > [4] > [1] > [3] > [5] > [6] > [7]", [1, 3, 0, 2, 4, 5, 6]),
        ("[2]", [1, 0, 2, 3, 4, 5, 6]),
        ("2, 1", [1, 0, 2, 3, 4, 5, 6]),
        ("<think>[7] says 1887?</think>\n[2] > [2] > [99] > [3]", [1, 2, 0, 3, 4, 5, 6]),
    ],
)
def test_the_order_is_the_models(endpoint, said, order):
    served = endpoint({"do": "answer", "text": said})
    found = reranker(served).rerank([QUERY], [hits()], 7)[0]
    assert ids(found) == order
    assert found[0].sources == {"llm": 1.0}
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    (request,) = served.requests
    asked = request["body"]["messages"][-1]["content"]
    assert "Question: 灯塔是什么时候建的？" in asked
    assert "[2] T1: 灯塔建于1887年。" in asked


@pytest.mark.parametrize(
    ("step", "timeout", "said"),
    [
        ({"do": "answer", "text": "I cannot rank these."}, 60, "named no order"),
        ({"do": "status", "code": 400, "message": "no such model"}, 60, "no such model"),
        ({"do": "answer", "text": "[2]", "after": 60}, 0.5, "no answer within 0.5 seconds"),
    ],
)
def test_a_failure_leaves_the_order_and_says_so_once(endpoint, step, timeout, said, caplog):
    before = hits()
    served = endpoint(step)
    found = reranker(served, timeout=timeout).rerank([QUERY] * 2, [before, before], 7)
    assert found == [before, before]
    (note,) = caplog.messages
    assert said in note
    assert "the hits of 2 of 2 questions were left in their order" in note
    assert "\n" not in note


def test_a_batch_does_not_wait_for_an_endpoint_that_is_down(endpoint):
    served = endpoint({"do": "status", "code": 401})
    before = hits()
    found = reranker(served, parallel=1).rerank([QUERY] * 12, [before] * 12, 7)
    assert found == [before] * 12
    assert len(served.requests) == 4


def test_a_good_passage_rises_through_the_windows(endpoint):
    texts = [f"text {at}" for at in range(35)]
    served = endpoint({"do": "answer", "text": "[20]"})
    found = reranker(served, top=35).rerank([QUERY], [hits(texts)], 35)[0]
    # 35 passages: 16 to 35, 6 to 25, 1 to 15; the last of each window comes first in it.
    assert len(served.requests) == 3
    assert sorted(ids(found)) == list(range(35))
    lines = served.requests[1]["body"]["messages"][-1]["content"].splitlines()
    assert "[11] T34: text 34" in lines


def test_long_texts_are_cut_and_nothing_is_asked_without_hits(endpoint):
    served = endpoint({"do": "answer", "text": "[1]"})
    model = reranker(served)
    assert model.rerank([QUERY], [[]], 5) == [[]]
    assert served.requests == []
    model.rerank([Query("why " * 30_000)], [hits(["字" * 100_000, "b"])], 5)
    (request,) = served.requests
    assert len(request["body"]["messages"][-1]["content"]) < 3000


def test_scores_fall_from_1_to_0():
    scorer = LLMScorer(ChatModel("http://localhost:1/v1", "m"))
    assert scorer._order("[3] > [1]", 3) == [2, 0, 1]


def test_a_wrong_endpoint_is_a_usage_error():
    settings = {"method": "llm", "endpoint": "localhost", "model": "m"}
    with pytest.raises(UsageError, match="must be an address"):
        assert Assistant(None, Config.of({"rerank": settings})).reranker
