"""The figures of a run: what metrics.json holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from anaphora.evaluate.grouping import GROUPINGS, group, language
from anaphora.evaluate.metrics import auroc, rewrite_report
from anaphora.evaluate.report.figures import Estimate, estimates, scores
from anaphora.evaluate.results import PHRASINGS, Outcome, Phrasing, Run, search_failures
from anaphora.evaluate.rewrite_errors import count_rewrite_errors


def summary(run: Run) -> dict[str, Any]:
    """Means with 95 % intervals by phrasing and metric, means by group, causes, seconds, the corpus
    scores of rewriting, and how well the answers' confidence separates answerable turns from others
    (AUROC)."""
    found = estimates(
        {
            (form, metric): values
            for form in PHRASINGS
            for metric in run.metrics
            if (values := scores(run.outcomes, metric, form))
        }
    )
    return {
        "scores": {
            form: {
                metric: _figure(found[form, metric])
                for metric in run.metrics
                if (form, metric) in found
            }
            for form in PHRASINGS
            if any(form in one.results for one in run.outcomes)
        },
        "groups": {
            name: {
                label: {
                    "turns": len(outcomes),
                    "scores": {
                        metric: round(sum(values) / len(values), 6)
                        for metric in run.metrics
                        if (values := scores(outcomes, metric, "rewritten"))
                    },
                    "culprits": _causes(outcomes),
                }
                for label, outcomes in group(run.outcomes, key).items()
            }
            for name, key in GROUPINGS.items()
        },
        "rewriting": {form: _rewriting(run.outcomes, form) for form in ("original", "rewritten")},
        "confidence_auroc": _auroc(run.outcomes),
        "success": "".join(run.success),
        "culprits": _causes(run.outcomes),
        "rewrite_errors": count_rewrite_errors(run.outcomes),
        "search_failures": _search_failures(run.outcomes),
        "seconds": _seconds(run.outcomes),
    }


def _figure(found: Estimate) -> dict[str, Any]:
    return {
        "mean": round(found.mean, 6),
        "low": round(found.low, 6),
        "high": round(found.high, 6),
        "turns": found.count,
    }


def _rewriting(outcomes: Sequence[Outcome], form: Phrasing) -> dict[str, float | None]:
    """By the protocol of `rewrite_report`, over the turns with a human rewrite."""
    turns = [one for one in outcomes if one.example.rewrites]
    if not turns:
        return {}
    found = rewrite_report(
        [one.results[form].rewrite.text for one in turns],
        [one.example.rewrites[0] for one in turns],
        [one.example.question for one in turns],
        [language(one) for one in turns],
    )
    return {name: None if value is None else round(value, 6) for name, value in found.items()}


def _auroc(outcomes: Sequence[Outcome]) -> float | None:
    judged = [
        (answer.confidence, one.example.answerable)
        for one in outcomes
        if (answer := one.results["rewritten"].answer) and one.example.answerable is not None
    ]
    return auroc([confidence for confidence, _ in judged], [bool(known) for _, known in judged])


def _causes(outcomes: Sequence[Outcome]) -> dict[str, int]:
    return dict(Counter(one.cause for one in outcomes if one.cause).most_common())


def _search_failures(outcomes: Sequence[Outcome]) -> dict[str, int | None]:
    """Of the failed turns of each cause, those without a relevant passage among the first hits."""
    return {
        cause: search_failures(one.search_failed for one in outcomes if one.cause == cause)
        for cause in _causes(outcomes)
    }


def _seconds(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """The mean seconds a turn of each stage, in batches, when the result was computed."""
    spent: dict[str, list[float]] = {}
    for one in outcomes:
        for stage, seconds in one.results["rewritten"].seconds.items():
            spent.setdefault(stage, []).append(seconds)
    return {stage: round(sum(values) / len(values), 6) for stage, values in spent.items()}
