"""Comparisons of several systems."""

from __future__ import annotations

import math
import random

import pytest

from anaphora.errors import UsageError
from anaphora.evaluate.compare import CORRECTIONS, TESTS, compare
from anaphora.evaluate.significance import holm, interval, randomisation

TURNS = [f"对话_{number}" for number in range(60)]


def scores(seed: int, gain: float = 0.0) -> dict[str, float]:
    generator, noise = random.Random(1), random.Random(seed)
    return {turn: generator.random() + gain * noise.random() for turn in TURNS}


BASE = {"nDCG@5": scores(0), "MRR": scores(0)}
BETTER = {"nDCG@5": scores(2, 0.2), "MRR": scores(3, 0.1)}
WORSE = {"nDCG@5": scores(4, -0.1), "MRR": dict(BASE["MRR"])}


def test_means_intervals_and_differences():
    found = compare({"base": BASE, "改写": BETTER, "أسوأ": WORSE})
    assert (found.baseline, found.metrics, found.tests) == ("base", ("nDCG@5", "MRR"), 4)
    assert found.turns == {"nDCG@5": 60, "MRR": 60}
    for metric, of_metric in found.results.items():
        assert list(of_metric) == ["base", "改写", "أسوأ"]
        for name, given in (("base", BASE), ("改写", BETTER), ("أسوأ", WORSE)):
            values = list(given[metric].values())
            assert of_metric[name].mean == pytest.approx(sum(values) / 60)
            assert (of_metric[name].low, of_metric[name].high) == pytest.approx(interval(values))
        assert of_metric["base"].difference is None
        assert found.best(metric) == ("改写",)
    same = found.results["MRR"]["أسوأ"].difference
    assert (same.mean, same.effect, same.p, same.corrected) == (0, 0, 1, 1)
    assert (same.wins, same.ties, same.losses) == (0, 60, 0)
    better = found.results["nDCG@5"]["改写"].difference
    assert better.mean == pytest.approx(0.1, abs=0.03)
    assert (better.wins, better.ties, better.losses) == (60, 0, 0)
    assert found.warnings == ()


def test_the_family_is_all_systems_on_all_metrics():
    found = compare({"base": BASE, "better": BETTER, "worse": WORSE}, correction="holm")
    pairs = [(metric, name) for metric in BASE for name in ("better", "worse")]
    given = {"better": BETTER, "worse": WORSE}
    ps = [
        randomisation(list(given[name][at].values()), list(BASE[at].values())) for at, name in pairs
    ]
    differences = [found.results[metric][name].difference for metric, name in pairs]
    assert [one.p for one in differences] == ps
    assert [one.corrected for one in differences] == holm(ps)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_every_test_and_correction(test, correction):
    found = compare({"a": BASE, "b": BETTER, "c": WORSE}, test, correction)
    for of_metric in found.results.values():
        for name in ("b", "c"):
            one = of_metric[name].difference
            assert 0 < one.p <= one.corrected <= 1
    assert (found.test, found.correction) == (test, correction)


def test_turns_are_paired_by_id_not_by_place():
    backwards = {metric: dict(reversed(list(of.items()))) for metric, of in BETTER.items()}
    assert compare({"a": BASE, "b": backwards}).results == compare({"a": BASE, "b": BETTER}).results


def test_what_not_every_run_has_is_left_out_and_counted():
    few = {metric: dict(list(of.items())[5:]) for metric, of in BETTER.items()}
    few["MRR"]["extra"] = 1.0
    found = compare({"a": {**BASE, "F1": scores(0)}, "b": {**few, "EM": {}, "F1": {}}})
    assert found.turns == {"nDCG@5": 55, "MRR": 55}
    assert found.warnings == (
        "2 metrics have no turn that every run scores, left out: F1, EM.",
        "5 turns are not scored on nDCG@5 by every run, left out: 对话_0, 对话_1, 对话_2, ….",
        "6 turns are not scored on MRR by every run, left out: 对话_0, 对话_1, 对话_2, ….",
    )


def test_one_warning_for_turns_that_lack_on_several_metrics():
    few = {metric: dict(list(of.items())[1:]) for metric, of in BETTER.items()}
    assert compare({"a": BASE, "b": few}).warnings == (
        "1 turn is not scored on nDCG@5, MRR by every run, left out: 对话_0.",
    )


def test_systems_that_share_the_highest_mean():
    found = compare({"a": BASE, "b": BASE, "c": WORSE})
    assert found.best("nDCG@5") == ("a", "b")


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ({"a": BASE}, {}, "needs two different runs or more, not 1"),
        ({"a": BASE, "b": {"F1": scores(0)}}, {}, "the runs a, b share no turn"),
        ({"a": BASE, "b": {"MRR": {"x": 1.0}}}, {}, "are they of the same data set?"),
        ({"a": {}, "b": {}}, {}, "the runs a, b share no turn"),
        (
            {"a": {"MRR": {"t": 1.0}}, "系统": {"MRR": {"t": math.nan}}},
            {},
            "the run 系统 has MRR nan for turn t",
        ),
        ({"a": BASE, "b": BASE}, {"test": "t"}, "no test 't'; there are randomisation, bootstrap"),
        ({"a": BASE, "b": BASE}, {"correction": "fdr"}, "no correction 'fdr'; there are holm"),
    ],
)
def test_what_cannot_be_compared(given, options, message):
    with pytest.raises(UsageError) as caught:
        compare(given, **options)
    assert message in str(caught.value)
