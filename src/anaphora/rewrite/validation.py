"""Validation of rewrites that a generative model wrote: the checks that reject a bad one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from anaphora.language import analyzer, ascii_digits, identify_question
from anaphora.normal_form import normal_form
from anaphora.records import UNKNOWN, Conversation, Turn
from anaphora.rewrite.edits import ContextText
from anaphora.rewrite.prompts import prompt, prompt_languages

_MAX_GROWTH, _MAX_ADDED = 2, 120
"""A rewrite has at most `_MAX_GROWTH` times the question's characters plus `_MAX_ADDED`."""

_REASONING = r"(?:think|thinking|thought|reasoning|analysis)"
_QUOTES = ("“ ”", "« »", "„ “", "„ ”", "‘ ’", "「 」", "『 』", '" "', "' '")
_QUESTION_MARKS, _FULL_STOPS = "?？؟", ".。!！।"
_MAX_CHARACTERS = 4000
"""How much of an answer is parsed, its reasoning aside."""
_INTRODUCTION = (
    r"(?:sure|certainly|of course|okay|ok)?[\s,.!]*(?:here(?:'s| is) )?(?:answer|output)"
)


def extract_question(answer: str) -> str:
    """The one line of a model's answer that is the question, without reasoning, introductions,
    labels, list markers, quotation marks and invisible characters.

    >>> extract_question('<think>Who</think>\\nRewritten question: "When did Zappa die?"\\n\\nBye!')
    'When did Zappa die?'
    """
    ends = [0, *(match.end() for match in re.finditer(rf"(?i)</{_REASONING}>", answer))]
    text = re.split(rf"(?i)<{_REASONING}>", answer[ends[-1] :], maxsplit=1)[0]
    text = normal_form("NFC", text.strip()[:_MAX_CHARACTERS])
    lines = [_stripped(line) for line in re.sub(r"(?m)^```\w*$", "", text).splitlines()]
    lines = [line for line in lines if line and not line.endswith((":", "："))]
    return next(
        (line for line in lines if line.endswith(tuple(_QUESTION_MARKS))), lines[0] if lines else ""
    )


def rejection(rewrite: str, question: str, lang: str, context: Sequence[ContextText]) -> str | None:
    """Why a rewrite of a question is rejected; None if it passes.

    A rewrite is rejected that is empty, too long, not a question, an earlier turn, in another
    language, or about numbers or words that neither the question nor the context has.

    >>> rejection("Did they disband in 1969?", "When did they disband?", "en", [])
    'it names 1969, which is not in the conversation'
    """
    if not any(char.isalnum() for char in rewrite):
        return "it is empty"
    if len(rewrite) > _MAX_GROWTH * len(question) + _MAX_ADDED:
        return "it is too long"
    if question.rstrip().endswith(tuple(_QUESTION_MARKS)) and rewrite.endswith(tuple(_FULL_STOPS)):
        return "it is not a question"
    if _letters(rewrite) in {_letters(one.text) for one in context} - {_letters(question)}:
        return "it repeats an earlier turn"
    if lang != UNKNOWN:
        turns = Turn("user", question, lang), Turn("user", rewrite)
        found = identify_question(Conversation(turns))
        if found != lang:
            return f"it is in another language ({found})"
    known = set(_numbers(question)).union(*(_numbers(one.text) for one in context))
    new = [number for number in _numbers(rewrite) if number not in known]
    if new:
        return f"it names {new[0]}, which is not in the conversation"
    analyze = analyzer(lang).terms
    earlier = set(analyze(question)).union(*(analyze(one.text) for one in context))
    terms = analyze(rewrite)
    if 3 * sum(term in earlier for term in terms) < len(terms):
        return "most of its words are not in the conversation"
    return None


def _stripped(line: str) -> str:
    """A line without labels, list markers, emphasis and the quotation marks around it."""
    line = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", line).split())
    line = re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", "", line).strip()
    before = None
    while line != before:
        before = line
        line = re.sub(r"^(?:[-*•>#]+|\d{1,2}[.)])\s+", "", line)
        line = _label().sub("", line).strip()
        line = re.sub(r"^([*_`]{1,3})(.+)\1$", r"\2", line).strip()
        for left, right in map(str.split, _QUOTES):
            inner = line[1:-1]
            if len(line) > 2 and line[0] == left and line[-1] == right and left not in inner:
                line = inner.strip()
    return line


@lru_cache(maxsize=1)
def _label() -> re.Pattern[str]:
    """A label of the question in any language, and a colon."""
    labels = {re.escape(prompt(lang).question) for lang in prompt_languages()} | {"query"}
    known = "|".join(sorted(labels))
    return re.compile(
        rf"(?i)^(?:[^?？:：]{{0,30}}(?:{known})[^?？:：]{{0,30}}|{_INTRODUCTION})[:：]\**"
    )


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", ascii_digits(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normal_form("NFC", text).casefold()))
