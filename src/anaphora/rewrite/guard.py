"""What a model that writes freely may not do to a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from anaphora.language import analyzer, ascii_digits, identify_question
from anaphora.records import UNKNOWN, Conversation, Turn
from anaphora.rewrite.edits import Said
from anaphora.rewrite.prompts.zero_shot import WORDINGS

_GROWTH, _ADDED = 2, 120
"""A rewrite may be so many times as long as the question, and so many characters longer."""

_THOUGHT = r"(?:think|thinking|thought|reasoning|analysis)"
_QUOTES = ("“ ”", "« »", "„ “", "„ ”", "‘ ’", "「 」", "『 』", '" "', "' '")
_ASKS, _TELLS = "?？؟", ".。!！।"
_LONGEST = 4000
"""Characters of an answer, without what was thought aloud, that are looked at."""
_INTRODUCTION = (
    r"(?:sure|certainly|of course|okay|ok)?[\s,.!]*(?:here(?:'s| is) )?(?:answer|output)"
)


def clean(answer: str) -> str:
    """The one line of a model's answer that is the question: without what it thought aloud,
    introductions, labels, marks of lists, quotation marks and invisible characters.

    >>> clean('<think>Who is he?</think>\\nRewritten question: "When did Zappa die?"\\n\\nEnjoy!')
    'When did Zappa die?'
    """
    ends = [0, *(match.end() for match in re.finditer(rf"(?i)</{_THOUGHT}>", answer))]
    text = re.split(rf"(?i)<{_THOUGHT}>", answer[ends[-1] :], maxsplit=1)[0]
    text = unicodedata.normalize("NFC", text.strip()[:_LONGEST])
    lines = [_bare(line) for line in re.sub(r"(?m)^```\w*$", "", text).splitlines()]
    lines = [line for line in lines if line and not line.endswith((":", "："))]
    return next((line for line in lines if line.endswith(tuple(_ASKS))), lines[0] if lines else "")


def objection(rewrite: str, question: str, lang: str, said: Sequence[Said]) -> str | None:
    """What is wrong with a rewrite of a question that was asked after `said`; None for nothing.

    >>> objection("Did they disband in 1969?", "When did they disband?", "en", [])
    'it names 1969, which nobody had said'
    """
    if not any(char.isalnum() for char in rewrite):
        return "it is empty"
    if len(rewrite) > _GROWTH * len(question) + _ADDED:
        return "it is too long"
    if question.rstrip().endswith(tuple(_ASKS)) and rewrite.endswith(tuple(_TELLS)):
        return "it is no question"
    if _letters(rewrite) in {_letters(one.text) for one in said} - {_letters(question)}:
        return "it repeats an earlier turn"
    if lang != UNKNOWN:
        asked = Turn("user", question, lang)
        spoken = identify_question(Conversation((asked, Turn("user", rewrite))))
        if spoken != lang:
            return f"it is in another language ({spoken})"
    known = set(_numbers(question)).union(*(_numbers(one.text) for one in said))
    new = [number for number in _numbers(rewrite) if number not in known]
    if new:
        return f"it names {new[0]}, which nobody had said"
    index = analyzer(lang)
    told = set(index.terms(question)).union(*(index.terms(one.text) for one in said))
    terms = index.terms(rewrite)
    if 3 * sum(term in told for term in terms) < len(terms):
        return "most of its words had not been said"
    return None


def _bare(line: str) -> str:
    """A line without labels, marks and the quotation marks around it."""
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
    """What stands before a question and a colon: words that tell that it is the question."""
    known = "|".join(sorted({re.escape(one.question) for one in WORDINGS.values()} | {"query"}))
    return re.compile(
        rf"(?i)^(?:[^?？:：]{{0,30}}(?:{known})[^?？:：]{{0,30}}|{_INTRODUCTION})[:：]\**"
    )


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", ascii_digits(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))
