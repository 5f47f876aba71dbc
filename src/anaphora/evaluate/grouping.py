"""Turns grouped by depth, language, type of question, and change of topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, get_args

from anaphora.datasets.example import Example
from anaphora.evaluate.results import Outcome
from anaphora.language.question_words import QuestionType, question_type
from anaphora.records import UNKNOWN

DEEPEST: Final = 10
"""Turns from this depth on are one group: "10+"."""


def depth(outcome: Outcome) -> str:
    """How many questions the conversation has so far: "1", "2", …, "10+"."""
    number = outcome.example.depth
    return str(number) if number < DEEPEST else f"{DEEPEST}+"


def language(outcome: Outcome) -> str:
    """The question's language according to the data, or else according to the pipeline."""
    result = outcome.results.get("rewritten")
    identified = result.rewrite.lang if result else UNKNOWN
    return outcome.example.conversation.question.lang or identified


def type_of_question(outcome: Outcome) -> str:
    """The data's own tag "question_type", or else the type that the question's words indicate.

    The words are those of the human rewrite where there is one, since "And in 2013?" has no type by
    itself; never those of the system's rewrite, so that every system has the same groups.
    """
    example: Example = outcome.example
    tag = example.tags.get("question_type")
    if tag:
        return tag
    question = example.rewrites[0] if example.rewrites else example.question
    return question_type(question, language(outcome))


def topic_switch(outcome: Outcome) -> str:
    """Whether the topic changes here according to the data: "yes", "no" or "unknown"."""
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
    """The outcomes by their key.

    Depths are in the order of numbers, types of questions in that of `QuestionType`, all others in
    that of their names; "unknown" is last.
    """
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {name: tuple(groups[name]) for name in sorted(groups, key=_order)}


def _order(name: str) -> tuple[bool, int, str]:
    digits = name.rstrip("+")
    place = int(digits) if digits.isdecimal() else _TYPES.get(name, len(_TYPES))
    return name == UNKNOWN, place, name
