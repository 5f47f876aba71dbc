"""The figures of the report."""

from dataclasses import replace
from itertools import pairwise

import pytest

from anaphora.evaluate.report.figures import Estimate, estimates, group_estimates, headline, shares


def test_means_count_only_turns_that_have_the_score():
    found = estimates({"one": [0.5, 1.0], "other": [1.0, 1.0], "longer": [0.0] * 3, "none": []})
    assert set(found) == {"one", "other", "longer"}
    assert (found["one"].mean, found["one"].count) == (0.75, 2)
    assert found["longer"] == Estimate(0.0, 0.0, 0.0, 3)


def test_a_group_without_a_score_has_no_estimate(run):
    first, *rest = run.outcomes
    unscored = {name: replace(one, scores={}) for name, one in first.results.items()}
    groups = {"a": [replace(first, results=unscored)], "b": rest}
    found = group_estimates(run, groups, ["F1"])
    assert {(metric, group) for metric, group, _ in found} == {("F1", "b")}


def test_the_parts_of_a_bar_follow_one_another(run):
    found = shares(run, 0, run.outcomes, {"depth": "1"})
    assert found[0].start == 0
    for one, following in pairwise(found):
        assert following.start == pytest.approx(one.start + one.share)
    assert found[-1].start + found[-1].share == pytest.approx(1)
    assert all("depth=1" in one.href for one in found)


def test_counts_are_shared_by_the_runs_they_hold_for(run):
    second = replace(run, name="second")
    shorter = replace(run, name="shorter", outcomes=run.outcomes[:5])
    counts = headline([run, second, shorter]).counts
    assert list(counts.values()) == [["context", "second"], ["shorter"]]
    assert "Original 5, Rewritten 5, Human 5. A turn is right where F1 ≥ 0.5." in counts
