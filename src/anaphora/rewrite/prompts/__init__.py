"""The messages that ask a language model for a rewrite.

The wording in each language is in `LANG.toml`: the instruction, the labels of each part and of each
turn, and three examples: a pronoun, an ellipsis, and a new topic, where the question is unchanged.

The parts of the prompt are those of Gowriraj et al. (2023), "Assessing ChatGPT-Based Query
Rewriting and Language-Agnostic Transformers for Multilingual Document-Grounded QA", section 4.2:
instruction, context, question, and the cue for the rewritten question. Beyond the paper, the
instruction says what to do with a new topic, on which the paper's rewrites failed, and it is in the
language of the question, which Chirkova et al. (2024), "Retrieval-augmented generation in
multilingual settings", found best. Li et al. (2025), "Dialogue-RAG: Enhancing Retrieval for LLMs
via Node-Linking Utterance Rewriting", section 4.2, use three examples too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from anaphora.language.tables import load_toml
from anaphora.models.chat import Message
from anaphora.records import Conversation, Role
from anaphora.rewrite.context_turns import plain_text
from anaphora.rewrite.edits import ContextText
from anaphora.rewrite.history import Order

Shots = Literal[0, 3]

_MAX_TITLE = 200
_MAX_USER_TURN = 500
_MAX_ANSWER = 2000
_MIN_TURN = 20
"""Characters: at most of each, and the least room for another turn."""


@dataclass(frozen=True, slots=True)
class Example:
    """A round of a conversation, the question after it, and its rewrite."""

    earlier_question: str
    earlier_answer: str
    question: str
    rewrite: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The instruction, the labels, and the examples in one language."""

    instruction: str
    context: str
    question: str
    rewritten: str
    title: str
    user: str
    assistant: str
    examples: tuple[Example, ...]


@lru_cache(maxsize=1)
def prompt_languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.toml")))


@lru_cache(maxsize=32)
def prompt(lang: str) -> Prompt:
    """The prompt in a language, in English where there is none.

    >>> prompt("fi").question, prompt("xx").question
    ('Kysymys', 'Question')
    """
    if lang not in prompt_languages():
        return prompt("en")
    table = load_toml(Path(__file__).with_name(f"{lang}.toml"))
    examples = tuple(Example(**example) for example in table.pop("examples"))
    return Prompt(**table, examples=examples)


def fit_context(conversation: Conversation, budget: int) -> list[ContextText]:
    """The title and the turns before the question that fit into `budget` characters, the newest
    turn first. Long texts are truncated; blank turns are left out."""
    found: list[ContextText] = []
    title = _truncated(conversation.title or "", min(_MAX_TITLE, budget))
    if title:
        found.append(ContextText(title, None))
        budget -= len(title)
    for number in reversed(range(len(conversation.history))):
        turn = conversation.turns[number]
        most = _MAX_USER_TURN if turn.role == "user" else _MAX_ANSWER
        text = _truncated(plain_text(turn), min(most, budget))
        if text:
            found.append(ContextText(text, number))
            budget -= len(text)
        if budget < _MIN_TURN:
            break
    return found


def build_messages(
    conversation: Conversation, context: Sequence[ContextText], order: Order, shots: Shots
) -> list[Message]:
    """The messages that ask for a rewrite of the conversation's question in its language.

    Args:
        context: from `fit_context`.
        order: which turn of it comes first.
        shots: how many examples precede it, as turns of the chat.
    """
    words = prompt(conversation.lang)
    chat: list[Message] = []
    for one in words.examples[:shots]:
        before = _lines(
            words, [("user", one.earlier_question), ("assistant", one.earlier_answer)], order
        )
        chat.append(Message("user", _request(words, before, one.question)))
        chat.append(Message("assistant", one.rewrite))
    turns = [
        (conversation.turns[one.turn].role, one.text)
        for one in context[::-1]
        if one.turn is not None
    ]
    titles = [f"{words.title}: {one.text}" for one in context if one.turn is None]
    lines = titles + _lines(words, turns, order)
    question = " ".join(conversation.question.text.split())
    return [*chat, Message("user", _request(words, lines, question))]


def _lines(words: Prompt, turns: Sequence[tuple[Role, str]], order: Order) -> list[str]:
    """A line for each turn; the turns are given the oldest first."""
    labels = {"user": words.user, "assistant": words.assistant}
    lines = [f"{labels[role]}: {text}" for role, text in turns]
    return lines if order == "oldest" else lines[::-1]


def _request(words: Prompt, lines: Sequence[str], question: str) -> str:
    parts = [words.instruction, "", f"{words.context}:", *lines, ""]
    return "\n".join([*parts, f"{words.question}: {question}", f"{words.rewritten}:"])


def _truncated(text: str, size: int) -> str:
    """The beginning of a text in one line, at most `size` characters, up to the end of a word."""
    line = " ".join(text[: 4 * size].split())
    if len(line) <= size and len(text) <= 4 * size:
        return line
    head, space, _ = line[:size].rpartition(" ")
    return f"{head if space and len(head) > size // 2 else line[: size - 1]}…" if size else ""
