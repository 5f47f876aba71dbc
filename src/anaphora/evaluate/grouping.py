"""Turns in groups: by depth, by language, by type of question, by change of topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from anaphora.datasets.example import Example
from anaphora.evaluate.results import Form, Outcome
from anaphora.language.question_words import QuestionType, question_type
from anaphora.records import UNKNOWN

DEEPEST: Final = 10
"""Turns from this depth on are one group: "10+"."""


def depth(outcome: Outcome) -> str:
    """How many questions the conversation has so far: "1", "2", …, "10+"."""
    number = outcome.example.depth
    return str(number) if number < DEEPEST else f"{DEEPEST}+"


def language(outcome: Outcome) -> str:
    """The question's language as the data have it, or else as the pipeline found it."""
    tried = outcome.tried.get("rewritten")
    return outcome.example.conversation.question.lang or (tried.rewrite.lang if tried else UNKNOWN)


def type_of_question(outcome: Outcome) -> str:
    """The data's own tag "question_type", or else the type that the question's words tell.

    They are those of the person's rewrite where there is one, since "And in 2013?" asks for
    nothing by itself; never those of the system's, so that every system has the same groups.
    """
    example: Example = outcome.example
    tag = example.tags.get("question_type")
    if tag:
        return tag
    asked = example.rewrites[0] if example.rewrites else example.question
    return question_type(asked, language(outcome))


def topic_switch(outcome: Outcome) -> str:
    """Whether the topic changes here, as the data have it: "yes", "no" or "unknown"."""
    return outcome.example.tags.get("topic_switch") or UNKNOWN


GROUPINGS: Final[Mapping[str, Callable[[Outcome], str]]] = {
    "depth": depth,
    "language": language,
    "question_type": type_of_question,
    "topic_switch": topic_switch,
}

_TYPES: Final = {name: number for number, name in enumerate(get_args(QuestionType))}


def group(
    outcomes: Iterable[Outcome], key: Callable[[Outcome], str]
) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes by what `key` says of them, the groups in a reader's order.

    Depths come as numbers do, types of questions as `QuestionType` lists them, all others by their
    names; "unknown" comes last.
    """
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {name: tuple(groups[name]) for name in sorted(groups, key=_order)}


def _order(name: str) -> tuple[bool, int, str]:
    digits = name.rstrip("+")
    place = int(digits) if digits.isdecimal() else _TYPES.get(name, len(_TYPES))
    return name == UNKNOWN, place, name


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` scores; None where there is none."""

    value: float | None
    n: int


def means(
    groups: Mapping[str, Sequence[Outcome]], metric: str, form: Form = "rewritten"
) -> dict[str, Mean]:
    """The mean score of each group under one phrasing, over the turns that have it."""
    return {name: _mean(outcomes, metric, form) for name, outcomes in groups.items()}


def _mean(outcomes: Iterable[Outcome], metric: str, form: Form) -> Mean:
    scores = [
        outcome.tried[form].scores[metric]
        for outcome in outcomes
        if form in outcome.tried and metric in outcome.tried[form].scores
    ]
    return Mean(sum(scores) / len(scores) if scores else None, len(scores))
