"""Answers as chat completions, whole or in chunks."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from anaphora.read.rendering import rendered
from anaphora.records import Answer, Citation, Turn


class Mark(NamedTuple):
    """Where a text marks a citation: its number, and the range of characters of the mark."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion: what its object and its chunks share."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(
        self, text: str, citations: list[dict[str, Any]], usage: dict[str, int]
    ) -> dict[str, Any]:
        message = {
            "role": "assistant",
            "content": text,
            "refusal": None,
            "annotations": citations,
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage}

    def chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def usage_chunk(self, usage: dict[str, int]) -> dict[str, Any]:
        return {**self._head("chat.completion.chunk"), "choices": [], "usage": usage}

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def url_citations(answer: Answer, url: Callable[[Citation], str]) -> list[dict[str, Any]]:
    """The citations of an answer: one for each mark in its text.

    Args:
        url: the address of the quote of a citation.
    """
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": mark.start,
                "end_index": mark.end,
                "title": answer.citations[mark.number - 1].title,
                "url": url(answer.citations[mark.number - 1]),
            },
        }
        for mark in marks(answer)
    ]


def marks(answer: Answer) -> list[Mark]:
    """The marks of the citations in the text of an answer, in their order.

    A quote may hold something that looks like a mark; in an answer of quotes, its own mark is the
    one behind it.
    """
    found: list[Mark] = []
    at = 0
    for number, citation in enumerate(answer.citations, 1):
        mark = _behind(answer.text, citation, number, at)
        if mark is None:
            break
        found.append(mark)
        at = mark.end
    else:
        return found
    return [
        Mark(int(one[1]), *one.span())
        for one in re.finditer(r"\[(\d{1,4})\]", answer.text)
        if 0 < int(one[1]) <= len(answer.citations)
    ]


def _behind(text: str, citation: Citation, number: int, start: int) -> Mark | None:
    """The mark behind the quote of a citation, whole or in a line."""
    for quote in (rendered(citation.quote, citation.blocks), " ".join(citation.quote.split())):
        for mark in (f" [{number}]", f"\n[{number}]"):
            at = text.find(quote + mark, start)
            if quote and at >= 0:
                end = at + len(quote) + len(mark)
                return Mark(number, end - len(mark) + 1, end)
    return None


def usage(history: Sequence[Turn], question: str, answer: str = "") -> dict[str, int]:
    """The tokens of the turns, and of the answer."""
    prompt = sum(tokens(turn.text) for turn in history) + tokens(question)
    completion = tokens(answer)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def tokens(text: str) -> int:
    """The number of tokens of a text, by the tokenizer of the built-in encoder."""
    from anaphora.models.backbone import shared_backbone

    return len(shared_backbone().tokenizer.encode(text, len(text) + 1))
