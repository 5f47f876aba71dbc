"""Retrieval metrics against trec_eval's definitions, written down here once more."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.metrics.retrieval import metric_name, score_run

QRELS = {
    "en": {"a": 3, "b": 1, "c": 0, "d": 2},
    "文": {"甲": 1, "é": 2, "z": 0},
    "ar": {"س": 1},
    "neg": {"a": -1, "b": 2, "c": -2, "d": 1},
}
RUN = {
    "en": [("x", 9.0), ("b", 8.0), ("c", 7.0), ("a", 6.0), ("y", 5.0), ("d", 4.0)],
    "文": [("z", 1.0), ("é", 1.0), ("甲", 1.0), ("q", 0.5)],
    "ar": [("1", 3.0), ("2", 2.5), ("3", 2.0), ("س", 1.0)],
    "neg": [("a", 5.0), ("b", 4.0), ("x", 3.0), ("c", 2.0), ("d", 1.0)],
}
# Values of ir_measures 0.4.3 for RUN and QRELS (its MRR@2 cuts ties in another order than trec_eval
# does, and is therefore not among them).
YARDSTICK = {
    1: {
        "nDCG": (0.5534337579793253, 0.8597186998521972, 0.43067655807339306, 0.626665273802673),
        "nDCG@3": (0.13249650743056282, 0.8597186998521972, 0.0, 0.4796249331362629),
        "MAP": (0.5, 1.0, 0.25, 0.45),
        "MAP@3": (0.16666666666666666, 1.0, 0.0, 0.25),
        "MRR": (0.5, 1.0, 0.25, 0.5),
        "R@3": (0.3333333333333333, 1.0, 0.0, 0.5),
        "P@3": (0.3333333333333333, 0.6666666666666666, 0.0, 0.3333333333333333),
        "Success@1": (0.0, 1.0, 0.0, 0.0),
        "Success@3": (1.0, 1.0, 0.0, 1.0),
        "bpref": (0.3333333333333333, 1.0, 1.0, 1.0),
        "Rprec": (0.3333333333333333, 1.0, 0.0, 0.5),
    },
    2: {
        "nDCG@3": (0.13249650743056282, 0.8597186998521972, None, 0.4796249331362629),
        "MAP": (0.29166666666666663, 0.5, None, 0.5),
        "MRR": (0.25, 0.5, None, 0.5),
        "R@3": (0.0, 1.0, None, 1.0),
        "Success@1": (0.0, 0.0, None, 0.0),
        "bpref": (0.0, 0.0, None, 1.0),
    },
}


@pytest.mark.parametrize(
    ("level", "metric"), [(level, metric) for level, of in YARDSTICK.items() for metric in of]
)
def test_as_another_library_has_it(level, metric):
    values = score_run(RUN, QRELS, [metric], level).values[metric]
    expected = dict(zip(QRELS, YARDSTICK[level][metric], strict=True))
    assert values == pytest.approx({q: v for q, v in expected.items() if v is not None}, abs=1e-12)


@pytest.mark.parametrize(("metric", "rank"), [("MRR@1", 1), ("MRR@2", 2), ("MRR@3", 3)])
def test_the_reciprocal_rank_is_cut_where_trec_eval_puts_the_hit(metric, rank):
    # By score from high to low, then by id from high to low: ไ, م, é, z, a.
    ranking = [("a", 1.0), ("z", 1.0), ("é", 1.0), ("م", 1.0), ("ไ", 1.0)]
    order = ["ไ", "م", "é", "z", "a"]
    for place, passage in enumerate(order, 1):
        value = score_run({"q": ranking}, {"q": {passage: 1}}, [metric]).values[metric]["q"]
        assert value == (1 / place if place <= rank else 0)


def test_scores_that_are_equal_as_32_bit_floats_are_ties():
    run = {"q": [("a", 1.00000000001), ("b", 1.0)]}
    assert score_run(run, {"q": {"a": 1}}, ["MRR@1", "MRR"]).values == {
        "MRR@1": {"q": 0.0},
        "MRR": {"q": 0.5},
    }


def by_definition(metric: str, ranking: list[tuple[str, float]], grades: dict[str, int]) -> float:
    """trec_eval's definitions, for rankings without duplicates."""
    family, _, cutoff = metric.partition("@")
    order = [p for p, _ in sorted(ranking, key=lambda hit: (hit[1], hit[0].encode()), reverse=True)]
    top = order[: int(cutoff)] if cutoff else order
    relevant = {passage for passage, grade in grades.items() if grade >= 1}
    ranks = [rank for rank, passage in enumerate(top, 1) if passage in relevant]
    if family == "nDCG":
        ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        gains = [max(0, grades.get(passage, 0)) for passage in top]
        return dcg(gains) / dcg(ideal[: int(cutoff)] if cutoff else ideal)
    return {
        "MAP": sum((at + 1) / rank for at, rank in enumerate(ranks)) / len(relevant),
        "MRR": 1 / ranks[0] if ranks else 0.0,
        "R": len(ranks) / len(relevant),
        "P": len(ranks) / int(cutoff or 1),
        "Success": float(bool(ranks)),
    }[family]


def dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


passages = st.sampled_from(["a", "b", "ß", "ё", "س", "ก", "한", "文", "ệ", "I", "ı", "𠀀"])
rankings = st.lists(
    st.tuples(passages, st.sampled_from([-1.0, 0.0, 0.5, 2.0])), unique_by=lambda hit: hit[0]
)
judgements = st.dictionaries(passages, st.integers(-2, 4)).filter(
    lambda grades: any(grade >= 1 for grade in grades.values())
)
METRICS = ["nDCG", "nDCG@1", "nDCG@5", "MAP", "MAP@2", "MRR", "MRR@3", "R@2", "P@5", "Success@2"]


@given(rankings, judgements)
def test_as_the_definitions_say(ranking, grades):
    scored = score_run({"q": ranking}, {"q": grades}, METRICS)
    assert {metric: value["q"] for metric, value in scored.values.items()} == pytest.approx(
        {metric: by_definition(metric, ranking, grades) for metric in METRICS}
    )


@given(st.lists(st.tuples(passages, st.floats(-5, 5, width=32)), min_size=1), judgements)
def test_duplicates_count_once_at_their_best(ranking, grades):
    best: dict[str, float] = {}
    for passage, score in ranking:
        best[passage] = max(score, best.get(passage, score))
    scored = score_run({"q": ranking}, {"q": grades}, METRICS)
    assert scored.values == score_run({"q": list(best.items())}, {"q": grades}, METRICS).values
    assert scored.duplicates == len(ranking) - len(best)
    assert all(0 <= value["q"] <= 1 for value in scored.values.values())


def test_every_judged_query_gets_a_value_and_the_others_are_counted():
    run = {"1": [("a", 2.0), ("a", 1.0)], "3": [("a", 1.0)], "4": [("a", 1.0)], "5": []}
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "4": {"a": 0}, "5": {"a": 1}}
    scored = score_run(run, qrels, ["P@1", "nDCG"])
    assert scored.values == {"P@1": {"1": 1, "2": 0, "5": 0}, "nDCG": {"1": 1, "2": 0, "5": 0}}
    assert (scored.missing, scored.unjudged, scored.duplicates) == (("2",), ("3", "4"), 1)
    assert not scored.disjoint
    assert scored.warnings == (
        "1 judged query is missing from the run, with a score of 0: 2.",
        "2 queries have no relevant passage in the judgements, left out: 3, 4.",
        "1 hit repeats a passage of the same ranking; each counts once, at its best.",
    )


def test_a_clean_run_gives_no_warning():
    assert score_run(RUN, QRELS, ["MRR"]).warnings == ()


def test_passages_named_in_another_way_are_noticed():
    scored = score_run({"q": [("doc-1", 1.0)]}, {"q": {"1": 1}}, ["MRR"])
    assert scored.disjoint
    assert "name passages in the same way" in scored.warnings[0]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *(("ndcg@5", "nDCG@5"), ("NDCG", "nDCG"), (" map ", "MAP"), ("AP@100", "MAP@100")),
        *(("mrr@10", "MRR@10"), ("RR", "MRR"), ("recall@20", "R@20"), ("r@1000", "R@1000")),
        *(("Precision@1", "P@1"), ("Hit@5", "Success@5"), ("accuracy@1", "Success@1")),
        *(("BPREF", "bpref"), ("rprec", "Rprec")),
    ],
)
def test_names(written, name):
    assert metric_name(written) == name
    assert metric_name(name) == name
    assert list(score_run(RUN, QRELS, [written, name]).values) == [name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ncdg@5", "no retrieval metric 'ncdg@5'; did you mean 'nDCG@5'"),
        ("recal@20", "did you mean 'R@20'"),
        ("困惑度", "there are nDCG, MAP"),
        ("", "there are nDCG, MAP"),
        ("R", "'R' needs a cutoff, such as R@5"),
        ("bpref@5", "bpref takes no cutoff"),
        ("P@0", "from 1 to 999,999"),
        ("P@-1", "from 1 to 999,999"),
        ("nDCG@", "from 1 to 999,999"),
        ("nDCG@5.5", "from 1 to 999,999"),
        ("nDCG@٥", "from 1 to 999,999"),
        ("nDCG@10000000", "from 1 to 999,999"),
    ],
)
def test_names_that_are_none(name, message):
    with pytest.raises(UsageError) as caught:
        metric_name(name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("run", "qrels", "level", "message"),
    [
        ({"q": [("a", 1.0)]}, {"q": {"a": 1}}, 0, "must be 1 or more, not 0"),
        ({"q": [("a", 1.0)]}, {"q": {"a": 1}}, 2, "no query has a passage of grade 2"),
        ({"q": [("a", 1.0)]}, {}, 1, "no query has a passage of grade 1"),
        ({"q": [("a", 1.0)]}, {"q": {}}, 1, "no query has a passage of grade 1"),
        ({"q": [("a", 1.0)]}, {"问": {"a": 1}}, 1, "judged queries (问) is in the run (q)"),
        ({}, {"q": {"a": 1}}, 1, "it is empty"),
        ({"q": [("a", math.nan)]}, {"q": {"a": 1}}, 1, "query 'q' that is not a number"),
        ({"q": [("a", 1.0)]}, {"q": {"a": 10**6}}, 1, "grade 1000000"),
    ],
)
def test_what_cannot_be_scored(run, qrels, level, message):
    with pytest.raises(UsageError) as caught:
        score_run(run, qrels, ["MRR"], level)
    assert message in str(caught.value)


def test_infinite_scores_have_their_place():
    run = {"q": [("a", -math.inf), ("b", 0.0), ("c", math.inf)]}
    assert score_run(run, {"q": {"b": 1}}, ["MRR"]).values["MRR"] == {"q": 0.5}


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytrec_eval", None)
    with pytest.raises(AnaphoraError, match=r"anaphora\[eval\]"):
        score_run(RUN, QRELS, ["MRR"])


def test_importing_it_loads_nothing_heavy():
    code = (
        "import sys, anaphora.evaluate.metrics.retrieval\n"
        "print(sorted({'scipy', 'pytrec_eval', 'torch', 'onnxruntime'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
