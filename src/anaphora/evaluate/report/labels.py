"""The names and explanations that the report shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypedDict

from anaphora.evaluate.breakdown import Threshold
from anaphora.evaluate.results import Cause, Outcome, Phrasing, Run
from anaphora.evaluate.sweep import Region

Verdict = Cause | Literal["right", "unexplained", "unjudged"]


class Explanation(TypedDict):
    """A verdict's name, and a sentence that explains it."""

    label: str
    why: str


VERDICTS: Final[Mapping[Verdict, Explanation]] = {
    "right": {"label": "right", "why": "The turn came out right."},
    "rewriting": {
        "label": "rewriting",
        "why": "With the question as it was asked, or as a person rewrote it, the turn comes out "
        "right: the rewrite spoilt it, or did too little.",
    },
    "retrieval": {
        "label": "retrieval",
        "why": "Once the right passages are among the first stage’s hits the turn comes out right: "
        "the search missed them, or put them too low where no reranker follows. Or the reader "
        "received none of them, and succeeds with them alone.",
    },
    "reranking": {
        "label": "reranking",
        "why": "The right passages were found; once they are put first the turn comes out right: "
        "the reranker left them too low. Or it passed none of them on to the reader, which "
        "succeeds with them alone.",
    },
    "reading": {
        "label": "reading",
        "why": "With the right passages first it still fails: the reader passed over what stands "
        "in them, or other passages led it astray.",
    },
    "generation": {
        "label": "generation",
        "why": "With the right passages first it still fails: what the model wrote from them is "
        "not the answer.",
    },
    "checking": {
        "label": "checking",
        "why": "Without the check of what the model wrote, the turn comes out right: it struck a "
        "right sentence.",
    },
    "language": {
        "label": "language",
        "why": "The question’s language was taken for another, or the answer is not in the "
        "language of the question; nothing else kept the turn from coming out right.",
    },
    "data": {
        "label": "the data",
        "why": "It fails whatever stage is repaired: no span of the passages that the data call "
        "right would do, or the collection lacks them.",
    },
    "unexplained": {
        "label": "cause unknown",
        "why": "The turn failed, and the data do not hold what it takes to tell why.",
    },
    "unjudged": {
        "label": "not judged",
        "why": "The data do not say what would be right, so nobody can tell whether it failed.",
    },
}
"""In the order in which they are shown: the pipeline's."""

FORMS: Final[Mapping[Phrasing, str]] = {
    "original": "Original",
    "rewritten": "Rewritten",
    "human": "Human",
}

GROUPED_BY: Final = {
    "depth": "Turn depth",
    "language": "Language",
    "question_type": "Question type",
    "topic_switch": "Topic switch",
}

REGIONS: Final[Mapping[Region, str]] = {
    "qa_errors": "Fails even with the human rewrite",
    "rewriting_errors": "Fails with the pipeline’s rewrite alone",
    "errors": "Fails",
    "right": "Right",
    "right_with_rewriting": "Right, thanks to rewriting",
    "right_without_rewriting": "Right even as it was asked",
}

RATES: Final = {
    "qa_error_rate": "Fails even with the human rewrite",
    "rewriting_error_rate": "Fails with the pipeline’s rewrite alone",
    "answerable_without_rewriting": "Answerable without rewriting",
    "answerable_without_rewriting_changed_only": "… of the turns that need rewriting",
}
"""The rates that follow from an error breakdown, by attribute."""


def verdict(run: Run, outcome: Outcome) -> Verdict:
    """The culprit; or that the turn succeeded, failed for an unknown reason, or has no score."""
    if outcome.cause:
        return outcome.cause
    metric, threshold = run.success
    score = outcome.results["rewritten"].scores.get(metric)
    if score is None:
        return "unjudged"
    return "right" if parsed(threshold).met(score) else "unexplained"


def pattern(run: Run, outcome: Outcome) -> str:
    """Which of the phrasings came out right ("1") and wrong ("0"), in their order, by the run's own
    measure of success; "-" for one that was not tried or has no score."""
    metric, threshold = run.success
    met = parsed(threshold).met

    def sign(form: Phrasing) -> str:
        tried = outcome.results.get(form)
        score = tried.scores.get(metric) if tried else None
        return "-" if score is None else str(int(met(score)))

    return "".join(map(sign, FORMS))


@lru_cache(maxsize=16)
def parsed(text: str) -> Threshold:
    """`Threshold.parse`, cached."""
    return Threshold.parse(text)


def is_failure(found: Verdict) -> bool:
    return found not in ("right", "unjudged")


def threshold_name(text: str) -> str:
    """A threshold as print has it.

    >>> threshold_name(">=0.5")
    '≥ 0.5'
    """
    threshold = Threshold.parse(text)
    return f"{threshold.sign.replace('>=', '≥')} {threshold.value:g}"


def rate(value: float | None) -> str:
    """A fraction with two decimals, as in the tables of Vakulenko et al. (2020)."""
    return "–" if value is None else f"{value:.2f}"


def seconds(value: float) -> str:
    """Three digits and a unit.

    >>> seconds(0.01234), seconds(75.0)
    ('12.3 ms', '75 s')
    """
    return f"{value:.3g} s" if value >= 1 else f"{1000 * value:.3g} ms"
