"""What the report calls things, and what it says of them in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypedDict

from anaphora.evaluate.blame import Threshold
from anaphora.evaluate.results import Culprit, Form, Outcome, Run
from anaphora.evaluate.sweep import Region

Verdict = Culprit | Literal["right", "unexplained", "unjudged"]


class Said(TypedDict):
    """A verdict's name, and a sentence that explains it."""

    label: str
    why: str


VERDICTS: Final[Mapping[Verdict, Said]] = {
    "right": {"label": "right", "why": "The turn came out right."},
    "rewriting": {
        "label": "rewriting",
        "why": "With the question as it was asked, or as a person rewrote it, the turn comes out "
        "right: the rewrite spoilt it, or did too little.",
    },
    "retrieval": {
        "label": "retrieval",
        "why": "Once the right passages are among the first stage’s hits the turn comes out right: "
        "the search missed them, or put them too low where no reranker follows.",
    },
    "reranking": {
        "label": "reranking",
        "why": "The right passages were found; once they are put first the turn comes out right: "
        "the reranker left them too low.",
    },
    "reading": {
        "label": "reading",
        "why": "With the right passages first it still fails: the reader passed over what stands "
        "in them, or other passages led it astray.",
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

FORMS: Final[Mapping[Form, str]] = {
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


def verdict(run: Run, outcome: Outcome) -> Verdict:
    """The culprit; or that the turn succeeded, failed for an unknown reason, or has no score."""
    if outcome.culprit:
        return outcome.culprit
    metric, threshold = run.success
    score = outcome.tried["rewritten"].scores.get(metric)
    if score is None:
        return "unjudged"
    return "right" if _threshold(threshold).met(score) else "unexplained"


def pattern(run: Run, outcome: Outcome) -> str:
    """Which of the phrasings came out right ("1") and wrong ("0"), in their order, by the run's own
    measure of success; "-" for one that was not tried or has no score."""
    metric, threshold = run.success
    met = _threshold(threshold).met

    def sign(form: Form) -> str:
        tried = outcome.tried.get(form)
        score = tried.scores.get(metric) if tried else None
        return "-" if score is None else str(int(met(score)))

    return "".join(map(sign, FORMS))


@lru_cache(maxsize=16)
def _threshold(text: str) -> Threshold:
    return Threshold.parse(text)


def failed(found: Verdict) -> bool:
    return found not in ("right", "unjudged")


def threshold_name(text: str) -> str:
    """A threshold as print has it.

    >>> threshold_name(">=0.5")
    '≥ 0.5'
    """
    threshold = Threshold.parse(text)
    return f"{threshold.sign.replace('>=', '≥')} {threshold.value:g}"


def signed(value: float) -> str:
    """Two decimals, with a minus sign as print has it."""
    return f"{value:.2f}".replace("-", "−")
