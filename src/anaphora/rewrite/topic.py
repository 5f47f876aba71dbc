"""What a conversation is about: one question that says so by itself.

A turn of the user either sets a topic, because it is complete; or refines the topic, because it
names another thing of the same kind ("and for LILO?"); or asks more about it and changes nothing.
However many questions have been asked, there is one topic.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from anaphora.language import (
    counts_characters,
    is_context_dependent,
    stop_words,
    without_and,
)
from anaphora.language.completeness import completeness, is_tail, says_its_topic
from anaphora.language.definitions import defined_term
from anaphora.language.question_words import question_type
from anaphora.language.tables import table
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.content_words import content_words
from anaphora.rewrite.entities import named_entities
from anaphora.rewrite.tokenization import fold

_NEVER = 2.0
_LEFT = 0.65
"""A question that the rewriter leaves with at least this confidence says its topic; chosen on the
tuning part of evaluation/answers."""
_PROBABLY_LEFT = 0.42
"""The same for a question with two content words: of the 118 of evaluation/complete, 117 are left
with a higher confidence."""
_ENOUGH_WORDS, _ENOUGH_CHARACTERS = 3, 10
"""A question with more content words, or in writing without spaces more letters, is complete unless
it refers to something."""
_FRAGMENT, _TAIL = 4, 4
"""The most words that name another thing, and the most that they take the place of."""
_CODE = re.compile(r"[/\\_.\d]|\w-\w.*-|^[A-Z]{2}")
"""In paths, names of files, numbers and abbreviations."""
_VERB_FINAL = frozenset({"hi", "ko", "tr"})
"""Languages whose questions do not end with what they are about."""


_SURE = 0.6
"""The confidence from which a rewritten question is taken as the last one."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The question that set the topic, and its turn.

    Attributes:
        text: with the thing that was named last.
        last: the last question with words of its own; a fragment such as "only for two pages" says
            more about it.
        turn: index of the turn that set it.
    """

    text: str
    last: str
    turn: int


def topic_of(earlier: Iterable[tuple[Conversation, Rewrite]], lang: str) -> Topic | None:
    """The topic after earlier questions, given as conversations that end with them, the oldest
    first, each with its rewrite; None without any."""
    topic: Topic | None = None
    for asked, made in earlier:
        turn, question = len(asked.turns) - 1, asked.question.text
        said = without_and(question, lang)
        if _sets_topic(said, made, lang, continued=said != question):
            topic = Topic(said, said, turn)
        elif topic is None:
            first = made.text if _is_resolved(made, asked) else question
            topic = Topic(first, first, turn)
        elif another := with_another(topic.last, said, lang):
            topic = replace(topic, text=another, last=another)
        elif _is_resolved(made, asked) and not is_fragment(said, lang):
            known = defined_term(topic.text, lang)
            topic = replace(topic, last=made.text, text=made.text if known else topic.text)
        elif _asks(said, lang, continued=said != question):
            topic = replace(topic, last=said)
    return topic


def _asks(said: str, lang: str, continued: bool) -> bool:
    """Whether a question has words of its own. Behind "and", "what" often joins clauses."""
    kind = question_type(said, lang)
    clause = continued and kind in ("what", "which", "yes/no")
    return completeness(said, lang) == 2 and kind != "other" and not clause


def is_fragment(said: str, lang: str) -> bool:
    """Whether an utterance has no question of its own: few words, none of which asks."""
    if counts_characters(lang):
        short = sum(map(str.isalnum, said)) <= _ENOUGH_CHARACTERS
    else:
        short = len(said.split()) <= _FRAGMENT
    return short and question_type(said, lang) == "other"


def _sets_topic(said: str, made: Rewrite, lang: str, continued: bool) -> bool:
    if is_complete(said, lang):
        return not continued or question_type(said, lang) != "other"
    level = completeness(said, lang)
    least = (_NEVER, _LEFT, _PROBABLY_LEFT)[level]
    return not continued and made.decision != "rewrite" and made.confidence >= least


def _is_resolved(made: Rewrite, asked: Conversation) -> bool:
    return replaces(made) and made.confidence >= _SURE and is_trusted(made, asked)


def replaces(made: Rewrite) -> bool:
    """Whether a rewriter replaced what a question refers to, and added nothing."""
    return made.decision == "rewrite" and all(edit.kind == "replace" for edit in made.edits)


def is_trusted(made: Rewrite, asked: Conversation) -> bool:
    """Whether a rewrite may take the place of a question: names were put into it, or the
    conversation has a title or answers to read. Other words of the user's say too often something
    else in their new place: docs/decisions/rewriting-gate.md."""
    if asked.title or any(
        turn.role == "assistant" and turn.text.strip() and not turn.citations
        for turn in asked.history
    ):
        return True
    linked = [one for one in made.edits if one.source_turn is not None and one.kind != "delete"]
    return all(named_entities(one.text, asked.lang) for one in linked)


def is_left(rewrite: Rewrite, question: str, lang: str) -> bool:
    """Whether a question is complete, and no other rewrite of it need be tried."""
    return rewrite.decision == "new topic" or (
        rewrite.decision == "leave"
        and completeness(question, lang) > 0
        and not is_tail(question, lang)
        and (rewrite.confidence >= _LEFT or is_complete(question, lang))
    )


def asks_alone(question: str, lang: str) -> bool:
    """Whether the form of a question shows that it is complete, however short it is."""
    if is_context_dependent(question, lang):
        return False
    return bool(defined_term(question, lang)) or says_its_topic(question, lang)


def is_complete(question: str, lang: str) -> bool:
    """Whether a question refers to nothing, and asks what something is or has words enough to be
    searched alone."""
    if is_context_dependent(question, lang):
        return False
    if asks_alone(question, lang):
        return True
    if counts_characters(lang):
        return sum(map(str.isalnum, question)) > _ENOUGH_CHARACTERS
    return len(content_words(question, lang)) > _ENOUGH_WORDS


def with_another(question: str, fragment: str, lang: str) -> str:
    """The question about another thing, which a fragment names; empty where its place in the
    question is not clear.

    The fragment takes the place of the end of the question that begins with the same function word
    and is built alike, or with the only path, number or abbreviation.

    >>> with_another("how do I mount /tmp with noexec", "with nodev", "en")
    'how do I mount /tmp with nodev'
    >>> with_another("what is a boot loader?", "a kernel?", "en")
    'what is a kernel?'
    """
    if counts_characters(lang) or lang in _VERB_FINAL or question_type(fragment, lang) != "other":
        return ""
    words, own = question.rstrip(" ?؟.!").split(), fragment.rstrip(" ?؟.!").split()
    if not words or not own or len(own) > _FRAGMENT or is_context_dependent(fragment, lang):
        return ""
    at = _place(words, own, lang)
    if at is None:
        return ""
    mark = question[len(question.rstrip(" ?؟.!")) :]
    return " ".join([*words[:at], *own]) + mark


def as_question(fragment: str, lang: str) -> str:
    """A phrase that begins or ends with a verb as a question how to do it; empty for others.

    >>> as_question("rotate it", "en"), as_question("eine DVD kopieren", "de")
    ('how do i rotate it', 'wie kann ich eine DVD kopieren')
    """
    tables = table(lang, "questions")
    if "doing" not in tables or question_type(fragment, lang) != "other":
        return ""
    if len(fragment.split()) > 2 * _FRAGMENT or not re.search(tables["doing"], fragment.casefold()):
        return ""
    asked: str = tables["how_to"].format(fragment)
    return asked


_TOPIC_MARKS = {"ja": "は", "zh": ""}
"""What stands between what a sentence is about and the sentence."""


def about_term(term: str, question: str, lang: str) -> str:
    """A question about a thing, in languages whose sentences can begin with it; empty for other
    languages, and without a thing.

    >>> about_term("永続化", "なぜ必要なの", "ja"), about_term("圆滑线", "可以嵌套吗", "zh")
    ('永続化はなぜ必要なの', '圆滑线可以嵌套吗')
    """
    if lang not in _TOPIC_MARKS or not term or is_context_dependent(question, lang):
        return ""
    return f"{term}{_TOPIC_MARKS[lang]}{question}"


def _place(words: Sequence[str], own: Sequence[str], lang: str) -> int | None:
    """The number of the first word of the question whose place the fragment takes."""
    codes = [at for at, word in enumerate(words) if _CODE.search(word)]
    if _CODE.search(own[0]) and len(codes) == 1 and codes[0] > 0:
        return codes[0] if len(words) - codes[0] <= max(len(own), 1) else None
    function_words = stop_words(lang)
    kinds, shape = ([word.lower() in function_words for word in some] for some in (words, own))
    first = max(1 + kinds[0], len(words) - _TAIL)
    named = len(list(takewhile(operator.not_, shape[1:])))
    for at in range(len(words) - 2, first - 1, -1):
        same = shape[0] and fold(words[at]) == fold(own[0])
        if same and not any(kinds[at + 1 :]) and 0 < named <= len(words) - at - 1:
            return at
    return None
