"""The figures of a run: what metrics.json holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from anaphora.evaluate.grouping import GROUPINGS, group
from anaphora.evaluate.results import FORMS, Outcome, Run
from anaphora.evaluate.significance import interval


def summary(run: Run) -> dict[str, Any]:
    """Means with 95 % intervals by phrasing and metric, means by group, culprits, seconds."""
    return {
        "scores": {
            form: {
                metric: _figure(values)
                for metric in run.metrics
                if (values := _values(run.outcomes, form, metric))
            }
            for form in FORMS
            if any(form in one.tried for one in run.outcomes)
        },
        "groups": {
            name: {
                label: {
                    "turns": len(outcomes),
                    "scores": {
                        metric: round(sum(values) / len(values), 6)
                        for metric in run.metrics
                        if (values := _values(outcomes, "rewritten", metric))
                    },
                    "culprits": _culprits(outcomes),
                }
                for label, outcomes in group(run.outcomes, key).items()
            }
            for name, key in GROUPINGS.items()
        },
        "success": "".join(run.success),
        "culprits": _culprits(run.outcomes),
        "seconds": _seconds(run.outcomes),
    }


def _values(outcomes: Sequence[Outcome], form: Any, metric: str) -> list[float]:
    return [
        one.tried[form].scores[metric]
        for one in outcomes
        if form in one.tried and metric in one.tried[form].scores
    ]


def _figure(values: Sequence[float]) -> dict[str, Any]:
    low, high = interval(values)
    mean = sum(values) / len(values)
    return {
        "mean": round(mean, 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "turns": len(values),
    }


def _culprits(outcomes: Sequence[Outcome]) -> dict[str, int]:
    return dict(Counter(one.culprit for one in outcomes if one.culprit).most_common())


def _seconds(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """Mean seconds a turn of each stage, in batches, as it was when it was worked out."""
    spent: dict[str, list[float]] = {}
    for one in outcomes:
        for stage, seconds in one.tried["rewritten"].seconds.items():
            spent.setdefault(stage, []).append(seconds)
    return {stage: round(sum(values) / len(values), 6) for stage, values in spent.items()}
