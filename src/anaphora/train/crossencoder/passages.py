"""Passages and questions that we wrote for the judge, as `written/LANG.txt` holds them.

A block a passage, one line each for the title, the text and every question:

    # Title
    The passage.
    ? A question => its answer, as it stands in the passage => vi: the question in Vietnamese
    ~ A question that a sentence answers => how that sentence begins… => es: the question in Spanish
    ! A question on the subject that the passage leaves open

The question in another language may be missing, and so may, after ~, the sentence. A line of the
passage ends with ⏎ where another follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from anaphora.language import sentences
from anaphora.records import Passage

FOLDER = Path(__file__).with_name("written")

Kind = Literal["?", "~", "!"]
_BETWEEN = " => "
_BEGUN = "…"
_BREAK = "⏎"


@dataclass(frozen=True)
class Line:
    """A question of one language, answered shortly (?), by a sentence (~) or not at all (!)."""

    kind: Kind
    question: str
    lang: str
    answer: str = ""


@dataclass(frozen=True)
class Block:
    """A passage with what is asked of it."""

    passage: Passage
    lines: tuple[Line, ...]


def written(folder: Path = FOLDER) -> Iterator[Block]:
    """All that is written in a folder, by language."""
    for path in sorted(folder.glob("*.txt")):
        for block in path.read_text("utf-8").split("\n\n"):
            title, text, *lines = block.strip().splitlines()
            text = text.replace(_BREAK, "\n")
            passage = Passage("", "", title.removeprefix("# "), text, path.stem)
            asked = (one for line in lines for one in _asked(line, passage))
            yield Block(passage, tuple(asked))


def _asked(line: str, passage: Passage) -> Iterator[Line]:
    """The question, and the same in another language."""
    mark, rest = line.split(" ", 1)
    (kind,) = (known for known in get_args(Kind) if known == mark)
    question, *others = rest.split(_BETWEEN)
    answer = ""
    if kind == "?":
        answer = others.pop(0)
    elif kind == "~" and others and others[0].endswith(_BEGUN):
        answer = _begun(passage, others.pop(0).removesuffix(_BEGUN))
    yield Line(kind, question, passage.lang, answer)
    for other in others:
        code, text = other.split(": ", 1)
        yield Line(kind, text, code, answer)


def _begun(passage: Passage, beginning: str) -> str:
    """The sentence of a passage that begins so."""
    (found,) = (
        passage.text[start:end].rstrip()
        for start, end in sentences(passage.text, passage.lang)
        if passage.text.startswith(beginning, start)
    )
    return found
