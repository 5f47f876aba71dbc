"""Scores of results, each where the data contain what it is measured against."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora.datasets.example import Example
from anaphora.errors import UsageError
from anaphora.evaluate.breakdown import Threshold
from anaphora.evaluate.metrics import (
    ANSWER_METRICS,
    FAULTS,
    REWRITE_METRICS,
    meteor_with_synonyms,
)
from anaphora.evaluate.metrics.rb_alg import default_rb_alg
from anaphora.evaluate.metrics.retrieval import metric_name, score_run
from anaphora.evaluate.metrics.synonyms import WordNet
from anaphora.evaluate.results import NEAR, PhrasingResult
from anaphora.language import identify_question
from anaphora.records import Passage

REWRITE = "rewrite "
"""The prefix of the names of metrics of rewriting."""
SPAN = "span "
"""The prefix of the names of metrics of the shortest answer."""
ABSTENTION = "abstention"
"""1 where the system abstained and the documents hold no answer, or neither."""

RB_ALG = "RB_alg"
"""Of an answer, its references, and the first `NEAR` passages that the reader received."""

CAPPED = "capped 3-gram recall"

SYNONYMS = "METEOR with synonyms"
"""Only where a WordNet is installed."""

_OF_ANSWERS = {**ANSWER_METRICS, **FAULTS, SYNONYMS: meteor_with_synonyms}

Passages = Callable[[Sequence[str]], Mapping[str, Passage]]
"""By id, those of the passages that the index contains."""

_DEFAULTS = (
    "3-gram recall",
    CAPPED,
    "F1",
    "EM",
    "ROUGE-L",
    "language",
    ABSTENTION,
    "nDCG@5",
    "P@1",
    "R@5",
    "R@20",
    "MRR@10",
    "rewrite EM",
    "rewrite BLEU-4",
    "rewrite ROUGE-1 R",
    "rewrite ROUGE-L",
)
_LACKING = {
    "rewriting": "no turn has a human rewrite",
    "retrieval": "nothing is searched, or no turn has passages that were judged",
    "answers": "nothing is read, or no turn has a gold answer",
    "abstention": "nothing is read, or no turn is known to have an answer or none",
}
_MARK = re.compile(r"\s?\[\d+\]")


@dataclass(frozen=True, slots=True)
class Success:
    """The condition that a right turn meets: a metric and its threshold.

    >>> str(Success.parse("3-gram recall >= 0.5"))
    '3-gram recall>=0.5'
    """

    metric: str
    threshold: Threshold

    @classmethod
    def parse(cls, text: str) -> Success:
        """From "metric>=0.5" or the like.

        Raises:
            UsageError: it is not a metric and a threshold.
        """
        found = re.fullmatch(r"(.+?)\s*((?:[=>≥]).+)", text.strip())
        if not found:
            raise UsageError(f"{text!r} is not a metric and a threshold such as 'nDCG@5>=0.5'")
        return cls(checked(found[1]), Threshold.parse(found[2]))

    def __str__(self) -> str:
        return f"{self.metric}{self.threshold}"


_SUCCESSES = tuple(
    Success(metric, Threshold.parse(threshold))
    for metric, threshold in (
        (CAPPED, ">=0.5"),
        ("3-gram recall", ">=0.5"),
        ("R@5", ">0"),
        ("rewrite EM", "=1"),
    )
)


def checked(name: str) -> str:
    """The metric's name as it is written in results.

    Raises:
        UsageError: there is no such metric.
    """
    if name.startswith(REWRITE):
        known = {f"{REWRITE}{metric}" for metric in REWRITE_METRICS}
    else:
        spans = (f"{SPAN}{metric}" for metric in ANSWER_METRICS)
        known = {*_OF_ANSWERS, *spans, ABSTENTION, RB_ALG}
    same = [metric for metric in known if metric.casefold() == name.casefold()]
    if same:
        return same[0]
    try:
        return metric_name(name)
    except UsageError:
        # A name with a cutoff can only be a metric of ranking, whose error is the precise one.
        if "@" in name:
            raise
        near = difflib.get_close_matches(name, [*known, "nDCG", "MAP", "MRR"], n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(known))}"
        raise UsageError(f"there is no metric {name!r}; {hint}") from None


def measurable(
    examples: Sequence[Example], retrieves: bool, reads: bool, wanted: Sequence[str] = ()
) -> tuple[str, ...]:
    """Those of the wanted metrics, by default the usual ones, that the data and the stages allow.

    Raises:
        UsageError: a wanted metric is unknown or cannot be measured here.
    """
    if SYNONYMS in map(checked, wanted):
        WordNet.installed()
    kinds = {
        "rewriting": any(example.rewrites for example in examples),
        "retrieval": retrieves and any(example.relevant for example in examples),
        "answers": reads and any(example.answers for example in examples),
        "abstention": reads and any(example.answerable is not None for example in examples),
    }
    names = tuple(dict.fromkeys(map(checked, wanted))) or _DEFAULTS
    possible = tuple(name for name in names if kinds[_kind(name)])
    if wanted and len(possible) < len(names):
        lost = next(name for name in names if name not in possible)
        raise UsageError(f"{lost!r} cannot be measured: {_LACKING[_kind(lost)]}")
    return possible


def usual_success(metrics: Sequence[str]) -> Success:
    """The first of the usual measures of success that is among the metrics; else, the first metric
    at its best."""
    first = next((name for name in metrics if name not in FAULTS), metrics[0])
    best = Success(first, Threshold.parse("=0" if first in FAULTS else "=1"))
    return next((one for one in _SUCCESSES if one.metric in metrics), best)


def score(
    examples: Sequence[Example],
    results: Sequence[PhrasingResult],
    metrics: Sequence[str],
    passages: Passages,
) -> list[PhrasingResult]:
    """The results with their scores: a metric is left out where it cannot be measured.

    An answer is scored without its citation marks, and an abstention as an empty one. Where the
    documents hold no answer an abstention scores 1 and any other answer 0, as in SQuAD 2.0.
    """
    found: list[dict[str, float]] = [{} for _ in examples]
    ranked = [name for name in metrics if _kind(name) == "retrieval"]
    judged = {
        example.id: example.relevant
        for example in examples
        if any(grade > 0 for grade in example.relevant.values())
    }
    if ranked and judged:
        rankings = {example.id: one.ranking for example, one in zip(examples, results, strict=True)}
        values = score_run(rankings, judged, ranked).values
        for place, example in enumerate(examples):
            if example.id in judged:
                found[place] |= {name: values[name][example.id] for name in ranked}
    rest = [name for name in metrics if _kind(name) != "retrieval"]
    for example, one, scores in zip(examples, results, found, strict=True):
        lang = example.conversation.question.lang or identify_question(example.conversation)
        for name in rest:
            value = _value(name, example, one, lang, passages)
            if value is not None:
                scores[name] = value
    ordered = [{name: one[name] for name in metrics if name in one} for one in found]
    return [replace(one, scores=scores) for one, scores in zip(results, ordered, strict=True)]


def answer_text(result: PhrasingResult) -> str:
    """The answer without its citation marks; empty for an abstention."""
    answer = result.answer
    return "" if answer is None or answer.abstained else _MARK.sub("", answer.text)


def _value(
    name: str, example: Example, result: PhrasingResult, lang: str, passages: Passages
) -> float | None:
    if _kind(name) == "rewriting":
        metric = REWRITE_METRICS[name.removeprefix(REWRITE)]
        return metric(result.rewrite.text, example.rewrites, lang) if example.rewrites else None
    if result.answer is None:
        return None
    abstained = result.answer.abstained
    if name == ABSTENTION:
        return None if example.answerable is None else float(abstained != example.answerable)
    if example.answerable is False:
        return float(abstained)
    if not example.answers:
        return None
    if name.startswith(SPAN):
        span = "" if abstained else result.answer.span
        return ANSWER_METRICS[name.removeprefix(SPAN)](span, example.answers, lang)
    if name == RB_ALG:
        read = passages([id for id, _ in result.ranking[:NEAR]]).values()
        return default_rb_alg(
            answer_text(result), example.answers, [one.text for one in read], lang
        )
    return _OF_ANSWERS[name](answer_text(result), example.answers, lang)


def _kind(name: str) -> str:
    if name.startswith(REWRITE):
        return "rewriting"
    if name == ABSTENTION:
        return "abstention"
    of_answers = name in _OF_ANSWERS or name == RB_ALG or name.startswith(SPAN)
    return "answers" if of_answers else "retrieval"
