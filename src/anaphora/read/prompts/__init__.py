"""The messages that ask a language model for an answer.

The wording in each language is in `LANG.toml`: the task, the sentences about the language of the
answer, and the labels of each part. The variants of the prompt are those of Chirkova et al. (2024),
"Retrieval-augmented generation in multilingual settings", Table 2, in words of our own. Tables 5
and 9 find that a prompt in the user's language that names this language works best.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from anaphora.language.tables import load_toml
from anaphora.models.chat import Message
from anaphora.read.planted import neutral
from anaphora.read.sources import Section, Source
from anaphora.records import Query

Variant = Literal[
    "english",
    "english-same",
    "english-language",
    "translated",
    "translated-language",
    "translated-names",
]
"""Which prompt: in English or in the language of the answer; without a word about the language of
the answer, with "the language of the question", or with the name of the language; and whether names
should be in that language too."""

_SAME = "Answer in the same language as the question."
_OTHER = "Answer in {language}."
_STRICT = "Your last answer was in the wrong language. Every sentence must be in {language}."

_CONVERSATION = 1500
_TURN = 400
_QUESTION = 600
"""Characters: at most of all earlier turns, of each, and of the question."""
_CITATION = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The wording in one language."""

    english: str
    task: str
    closed: str
    language: str
    names: str
    strict: str
    restate: str
    conversation: str
    user: str
    assistant: str
    documents: str
    question: str
    sentence: str
    answer: str


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
    return Prompt(**load_toml(Path(__file__).with_name(f"{lang}.toml")))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the model.

    Attributes:
        sections: the passages, the best first; none to ask what the model knows by itself.
        history: whether the prompt has the earlier turns.
        strict: whether the last answer was in another language.
    """

    query: Query
    sections: tuple[Section, ...]
    variant: Variant
    history: bool = True
    strict: bool = False

    def messages(self) -> list[Message]:
        """The task, then the conversation, the documents and the question."""
        words = self._words()
        system = [words.task if self.sections else words.closed, *self._about_language(words)]
        documents = self._documents(words) if self.sections else []
        lines = [*self._conversation(words), *documents]
        lines += [f"{words.question}: {_line(self.query.text, _QUESTION)}", f"{words.answer}:"]
        return [Message("system", " ".join(system)), Message("user", "\n".join(lines))]

    def restating(self, sentence: str, sources: Sequence[Source]) -> list[Message]:
        """The messages that ask for a sentence again, only with what its sources say."""
        words = self._words()
        system = [words.restate, *self._about_language(words)]
        texts = [f"[{number}] {source.line}" for number, source in enumerate(sources, 1)]
        lines = _fenced(words.documents, texts, self.query.text)
        lines += [
            f"{words.question}: {_line(self.query.text, _QUESTION)}",
            f"{words.sentence}: {_line(sentence, _QUESTION)}",
            f"{words.answer}:",
        ]
        return [Message("system", " ".join(system)), Message("user", "\n".join(lines))]

    def _words(self) -> Prompt:
        return prompt("en" if self.variant.startswith("english") else self.query.lang)

    def _about_language(self, words: Prompt) -> list[str]:
        lang = self.query.lang
        named = lang in prompt_languages()
        found: list[str] = []
        if self.variant == "english-same" or not named:
            found.append(_SAME)
        elif self.variant == "english-language":
            found.append(_OTHER.format(language=prompt(lang).english))
        elif self.variant in ("translated-language", "translated-names"):
            found.append(words.language)
        if self.variant == "translated-names" and named:
            found.append(words.names)
        if self.strict and named:
            own = prompt(lang)
            found += [own.strict] * (lang != "en")
            found.append(_STRICT.format(language=own.english))
        return found

    def _conversation(self, words: Prompt) -> list[str]:
        conversation = self.query.conversation
        if conversation is None or not self.history:
            return []
        turns = list(conversation.history)
        if turns and conversation.question.text.strip() != self.query.text.strip():
            turns.append(conversation.question)
        labels = {"user": words.user, "assistant": words.assistant}
        left = _CONVERSATION
        lines: list[str] = []
        for turn in reversed(turns):
            said = _line(_CITATION.sub("", turn.text[: 8 * _TURN]), min(_TURN, left))
            if not said or left <= 0:
                break
            left -= len(said)
            lines.append(f"{labels[turn.role]}: {said}")
        return [f"{words.conversation}:", *lines[::-1], ""] if lines else []

    def _documents(self, words: Prompt) -> list[str]:
        lines: list[str] = []
        number = 0
        for section in self.sections:
            if section.heading:
                lines.append(f"# {section.heading}")
            for source in section.sources:
                number += 1
                lines.append(f"[{number}] {source.line}")
        return _fenced(words.documents, lines, self.query.text)


def _fenced(label: str, lines: Sequence[str], question: str) -> list[str]:
    """The documents between two lines that no document can hold: their mark is a hash of all of
    them, and the same for the same prompt."""
    digest = hashlib.blake2b("\n".join((question, *lines)).encode("utf-8", "replace"))
    fence = digest.hexdigest()[:16]
    return [f"{label}:", f"<<{fence}", *lines, f"{fence}>>", ""]


def schema(count: int) -> Mapping[str, Any]:
    """The JSON schema of an answer that cites sentences 1 to `count`."""
    sentence = {
        "type": "object",
        "properties": {
            "numbers": {
                "type": "array",
                "items": {"type": "integer", "enum": [*range(1, count + 1)]},
            },
            "text": {"type": "string"},
        },
        "required": ["numbers", "text"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"sentences": {"type": "array", "items": sentence}},
        "required": ["sentences"],
        "additionalProperties": False,
    }


def _line(text: str, size: int) -> str:
    line = neutral(text[: 8 * size])
    return line if len(line) <= size else f"{line[: max(0, size - 1)].rstrip()}…"
