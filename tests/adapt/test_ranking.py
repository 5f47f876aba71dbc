"""nDCG@10 of questions over an index."""

from __future__ import annotations

from contextlib import closing

import pytest

from anaphora.adapt.questions import Asked, generated, passages_by_document
from anaphora.adapt.ranking import Ranking, ndcg
from anaphora.config import Config
from anaphora.index import Adapter, open_index
from anaphora.records import Query


@pytest.mark.parametrize(
    ("ranked", "gains"),
    [
        ([0, 2, 0, 1], {"a": 2, "b": 1}),
        ([1] + [0] * 9, {"a": 1, "b": 3, "c": 2}),
        ([0] * 10, {"a": 1}),
        ([1] * 10, {str(at): 1 for at in range(15)}),
    ],
)
def test_ndcg_is_that_of_trec_eval(ranked, gains):
    pytrec = pytest.importorskip("pytrec_eval")
    left = dict(gains)
    run = {}
    for rank, gain in enumerate(ranked):
        name = next((name for name, one in left.items() if one == gain), f"x{rank}")
        left.pop(name, None)
        run[name] = float(-rank)
    evaluator = pytrec.RelevanceEvaluator({"q": gains}, {"ndcg_cut_10"})
    assert ndcg(ranked, gains) == pytest.approx(evaluator.evaluate({"q": run})["q"]["ndcg_cut_10"])


def test_an_adapter_of_nothing_changes_no_score_and_the_own_passage_is_left_out(written):
    config = Config.of({"retrieve": {"model": "dense"}})
    with closing(open_index(written / "plain")) as index:
        asked = generated(passages_by_document(index, 500, 0), 30, 0)
        ranking = Ranking(index, config)
        nothing = Adapter(index.encoder, 0.0, (0.0,) * 64)
        one, other = ranking.ndcg(asked, [None, nothing])
        assert one == pytest.approx(other)
        # A passage that is left out is found by its own sentence first.
        own = [Asked(one.query, one.doc_id, dict.fromkeys(one.without, 1.0)) for one in asked]
        (found,) = ranking.ndcg(own, [None])
        (without,) = ranking.ndcg(
            [Asked(one.query, one.doc_id, one.gains, frozenset(one.gains)) for one in own], [None]
        )
        assert sum(found) > 20
        assert sum(without) == 0


def test_a_question_is_asked_in_all_its_phrasings(written):
    config = Config.of({"retrieve": {"model": "bm25"}})
    with closing(open_index(written / "plain")) as index:
        passage = index.passages_of(index.documents()[0].doc_id)[0]
        words = passage.text.split(".")[0]
        gains = {passage.passage_id: 1.0}
        asked = [Asked(Query("?", "en", variants), "", gains) for variants in ((), (words,))]
        ((nothing, found),) = Ranking(index, config).ndcg(asked, [None])
    assert nothing == 0 < found
