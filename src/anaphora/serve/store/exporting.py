"""Conversations as files for people and programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

Form = dict[str, Any]

_ACTIVE: Final = re.compile(r"[\\\[\]<>&@`~#]")
_ADDRESS: Final = re.compile(r"(?i)(https?|ftp|mailto|www)([:.])")
_UNDERLINE: Final = re.compile(r"(?m)^( {0,3})([-=])")
"""A line of these makes a heading of the line before it."""
_DIRECTION: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""They would turn around what stands behind a text, such as its page."""


def as_json(conversation: Form, turns: Iterable[Form]) -> Iterator[str]:
    """One JSON object in parts: the conversation with all its turns."""
    kept = {name: conversation[name] for name in ("id", "title", "index", "created", "changed")}
    head = json.dumps({**kept, "turns": []}, ensure_ascii=False)
    yield head.removesuffix("]}")
    for number, turn in enumerate(turns):
        yield (", " if number else "") + json.dumps(turn, ensure_ascii=False)
    yield "]}\n"


def as_markdown(conversation: Form, turns: Iterable[Form]) -> Iterator[str]:
    """Questions, answers and their sources as Markdown in parts.

    Texts of documents are untrusted: links, images and HTML in them are written so that no renderer
    makes anything of them.
    """
    yield f"# {inert(_line(conversation['title']))}\n"
    numbers: dict[str | None, int] = {None: 0}
    for number, turn in enumerate(turns, 1):
        numbers[turn["id"]] = number
        after = numbers.get(turn["parent"], 0)
        branch = "" if after == number - 1 else f" ({f'after {after}' if after else 'beginning'})"
        answer = turn["answer"]
        yield f"\n## {number}.{branch} {inert(_line(turn['question']))}\n\n"
        yield inert(answer["answer"]) + "\n"
        for at, citation in enumerate(answer.get("citations", ()), 1):
            source = _line(citation["title"] or citation["doc_id"])
            place = f" ({_line(citation['place'])})" if citation.get("place") else ""
            quoted = "\n".join(f"> {line}" for line in inert(citation["quote"]).splitlines())
            yield f"\n\\[{at}\\] {inert(source + place)}\n\n{quoted}\n"


def inert(text: str) -> str:
    r"""Markdown of the same text without links, images or HTML.

    >>> inert("![a](http://b) <i>"), inert("see [1]")
    ('!\\[a\\](http\\://b) \\<i\\>', 'see \\[1\\]')
    """
    text = _UNDERLINE.sub(r"\1\\\2", _ACTIVE.sub(r"\\\g<0>", text))
    return _ADDRESS.sub(r"\1\\\2", text)


def _line(text: str) -> str:
    return _DIRECTION.sub("\ufffd", " ".join(text.split()))
