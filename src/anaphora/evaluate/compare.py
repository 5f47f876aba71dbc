"""Comparison of several runs: means, intervals, and paired tests against the first run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Literal

from anaphora.errors import UsageError
from anaphora.evaluate import significance
from anaphora.evaluate.formatting import counted, some
from anaphora.evaluate.metrics import FAULTS

Scores = Mapping[str, Mapping[str, Mapping[str, float]]]
"""System, then metric, then turn id, to a score: higher is better."""

Test = Literal["randomisation", "bootstrap"]
Correction = Literal["holm", "bonferroni", "bh", "none"]

TESTS: Mapping[Test, Callable[[Sequence[float], Sequence[float]], float]] = {
    "randomisation": significance.randomisation,
    "bootstrap": significance.bootstrap,
}
CORRECTIONS: Mapping[Correction, Callable[[Sequence[float]], list[float]]] = {
    "holm": significance.holm,
    "bonferroni": significance.bonferroni,
    "bh": significance.benjamini_hochberg,
    "none": list,
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A system against the baseline, turn by turn.

    Attributes:
        mean: of the differences; above 0 where the system is better.
        effect: `mean` in units of the differences' standard deviation.
        p: of the paired test, two-sided.
        corrected: p, corrected for all tests of the comparison.
        wins, ties, losses: turns on which the system is better, equal and worse.
    """

    mean: float
    effect: float
    p: float
    corrected: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Result:
    """A system's mean on a metric with its 95 % interval; `difference` is the baseline's None."""

    mean: float
    low: float
    high: float
    difference: Difference | None = None


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    Attributes:
        systems: their names; the first is the baseline.
        turns: how many turns each metric is compared on; its keys are the metrics, in order.
        results: metric, then system.
        tests: how many tests the p values are corrected for: (systems - 1) x metrics.
        warnings: what was left out, a sentence each.
    """

    systems: tuple[str, ...]
    turns: Mapping[str, int]
    results: Mapping[str, Mapping[str, Result]]
    test: Test
    correction: Correction
    warnings: tuple[str, ...] = ()

    @property
    def baseline(self) -> str:
        return self.systems[0]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.results)

    @property
    def tests(self) -> int:
        return (len(self.systems) - 1) * len(self.results)

    def best(self, metric: str) -> tuple[str, ...]:
        """The systems with the highest mean, or of a fault the lowest."""
        means = {system: result.mean for system, result in self.results[metric].items()}
        best = (min if metric in FAULTS else max)(means.values())
        return tuple(name for name, mean in means.items() if math.isclose(mean, best))


def compare(
    scores: Scores, test: Test = "randomisation", correction: Correction = "holm"
) -> Comparison:
    """Compares every system with the first one on every metric that all of them have.

    Turns are paired by id; on each metric a turn that some system has no score for is left out of
    all, and a metric that is left without any turn is left out too. The tests of all systems on all
    metrics are one family for the correction of p.

    Raises:
        UsageError: there are fewer than two systems, no turn is scored by all on the same
            metric, a score is not a finite number, or `test` or `correction` is unknown.
    """
    _known("test", test, list(TESTS))
    _known("correction", correction, list(CORRECTIONS))
    if len(scores) < 2:
        raise UsageError(f"a comparison needs two different runs or more, not {len(scores)}")
    systems = tuple(scores)
    common, warnings = _common_turns(scores)
    columns = {
        metric: {name: _column(name, metric, scores[name], turns) for name in systems}
        for metric, turns in common.items()
    }
    pairs = [(metric, name) for metric in common for name in systems[1:]]
    ps = [TESTS[test](columns[at][name], columns[at][systems[0]]) for at, name in pairs]
    corrected = dict(zip(pairs, zip(ps, CORRECTIONS[correction](ps), strict=True), strict=True))
    bounds = significance.intervals(
        {(metric, name): column for metric, of_metric in columns.items()
         for name, column in of_metric.items()}
    )  # fmt: skip
    results = {
        metric: {
            name: Result(
                fmean(column),
                *bounds[metric, name],
                _difference(column, of_metric[systems[0]], *corrected[metric, name])
                if name != systems[0]
                else None,
            )
            for name, column in of_metric.items()
        }
        for metric, of_metric in columns.items()
    }
    counts = {metric: len(turns) for metric, turns in common.items()}
    return Comparison(systems, counts, results, test, correction, tuple(warnings))


def comparison_to_dict(found: Comparison) -> dict[str, Any]:
    """What `anaphora compare --json` prints; an effect without bounds is null."""
    results = {
        metric: {system: asdict(result) for system, result in of_metric.items()}
        for metric, of_metric in found.results.items()
    }
    for of_metric in results.values():
        for result in of_metric.values():
            if result["difference"] and math.isinf(result["difference"]["effect"]):
                result["difference"]["effect"] = None
    return {
        "baseline": found.baseline,
        "test": found.test,
        "correction": found.correction,
        "tests": found.tests,
        "turns": dict(found.turns),
        "results": results,
        "warnings": list(found.warnings),
    }


def _known(what: str, given: str, valid: Sequence[str]) -> None:
    if given not in valid:
        raise UsageError(f"there is no {what} {given!r}; there are {', '.join(valid)}")


def _common_turns(scores: Scores) -> tuple[dict[str, list[str]], list[str]]:
    """By metric, the turns that all systems have a score for; and warnings of what was left out."""
    every = list(dict.fromkeys(metric for system in scores.values() for metric in system))
    common: dict[str, list[str]] = {}
    lost: dict[tuple[str, ...], list[str]] = {}
    for metric in every:
        of_metric = [system.get(metric, {}) for system in scores.values()]
        turns = dict.fromkeys(turn for turns in of_metric for turn in turns)
        kept = dict.fromkeys(turn for turn in turns if all(turn in turns for turns in of_metric))
        if kept:
            common[metric] = list(kept)
            lost.setdefault(tuple(turn for turn in turns if turn not in kept), []).append(metric)
    if not common:
        raise UsageError(
            f"the runs {', '.join(scores)} share no turn with a score on the same metric: "
            "are they of the same data set?"
        )
    warnings = []
    others = [metric for metric in every if metric not in common]
    if others:
        number = counted(len(others), "metric has", "metrics have")
        warnings.append(f"{number} no turn that every run scores, left out: {', '.join(others)}.")
    for missing, metrics in lost.items():
        if missing:
            number = counted(len(missing), "turn is", "turns are")
            named = ", ".join(metrics)
            warnings.append(
                f"{number} not scored on {named} by every run, left out: {some(missing)}."
            )
    return common, warnings


def _column(
    name: str, metric: str, system: Mapping[str, Mapping[str, float]], turns: Sequence[str]
) -> list[float]:
    column = [system[metric][turn] for turn in turns]
    for turn, value in zip(turns, column, strict=True):
        if not math.isfinite(value):
            raise UsageError(f"the run {name} has {metric} {value} for turn {turn}: not a number")
    return column


def _difference(
    column: Sequence[float], baseline: Sequence[float], p: float, corrected: float
) -> Difference:
    differences = [ours - theirs for ours, theirs in zip(column, baseline, strict=True)]
    return Difference(
        fmean(differences),
        significance.effect_size(column, baseline),
        p,
        corrected,
        wins=sum(each > 0 for each in differences),
        ties=sum(each == 0 for each in differences),
        losses=sum(each < 0 for each in differences),
    )
