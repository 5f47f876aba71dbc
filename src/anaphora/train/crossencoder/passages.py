"""Reads the passages and questions that were written for training, one file for each language.

A block is a passage, with one line for the title, one for the text and one for each question:

    # Title
    The passage.
    ? A question => its answer, verbatim from the passage => vi: the question in Vietnamese
    ~ A question that a sentence answers => the beginning of that sentence… => es: in Spanish
    + A question that several lines answer => their first words … their last words => de: in German
    ! A question on the topic that the passage does not answer

The question in another language is optional and so is, after ~, the sentence. The character ⏎
separates the lines of a passage. The title of a page of a manual is that of the manual and that of
the page, separated by " › ".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from anaphora.errors import MalformedData
from anaphora.language import sentences
from anaphora.records import Passage

Kind = Literal["?", "~", "+", "!"]
_SEPARATOR = " => "
_BEGINNING = "…"
_LINE_BREAK = "⏎"
_PAGE = " › "


@dataclass(frozen=True)
class WrittenQuestion:
    """A question; its answer is short (?), a sentence (~), several lines (+), or not there (!)."""

    kind: Kind
    question: str
    lang: str
    answer: str = ""


@dataclass(frozen=True)
class Block:
    """A passage with its questions."""

    passage: Passage
    questions: tuple[WrittenQuestion, ...]

    @property
    def manual(self) -> str:
        """The title of the manual that the passage is a page of."""
        return self.passage.title.split(_PAGE)[0]


def written_passages(folder: Path) -> Iterator[Block]:
    """All passages in the files of a folder, by language.

    Raises:
        MalformedData: the lines that answer a question are not in its passage.
    """
    for path in sorted(folder.glob("*.txt")):
        for block in path.read_text("utf-8").split("\n\n"):
            title, text, *lines = block.strip().splitlines()
            text = text.replace(_LINE_BREAK, "\n")
            passage = Passage("", "", title.removeprefix("# "), text, path.stem)
            questions = (one for line in lines for one in _questions(line, passage))
            yield Block(passage, tuple(questions))


def is_manual(passage: Passage) -> bool:
    """Whether a written passage is a page of a manual."""
    return _PAGE in passage.title


def _questions(line: str, passage: Passage) -> Iterator[WrittenQuestion]:
    """The question of a line, and the same question in another language."""
    mark, rest = line.replace(_LINE_BREAK, "\n").split(" ", 1)
    (kind,) = (known for known in get_args(Kind) if known == mark)
    question, *others = rest.split(_SEPARATOR)
    answer = ""
    if kind == "?":
        answer = others.pop(0)
    elif kind == "~" and others and others[0].endswith(_BEGINNING):
        answer = _sentence(passage, others.pop(0).removesuffix(_BEGINNING))
    elif kind == "+":
        answer = _lines(passage, others.pop(0))
    yield WrittenQuestion(kind, question, passage.lang, answer)
    for other in others:
        code, text = other.split(": ", 1)
        yield WrittenQuestion(kind, text, code, answer)


def _sentence(passage: Passage, beginning: str) -> str:
    """The sentence of a passage that has this beginning."""
    (found,) = (
        passage.text[start:end].rstrip()
        for start, end in sentences(passage.text, passage.lang)
        if passage.text.startswith(beginning, start)
    )
    return found


def _lines(passage: Passage, ends: str) -> str:
    """The part of a passage that has these first and last words."""
    between = f" {_BEGINNING} " if f" {_BEGINNING} " in ends else _BEGINNING
    first, _, last = (part.strip() for part in ends.partition(between))
    start = passage.text.find(first)
    # The last words may overlap the first ones.
    end = passage.text.find(last, max(start, start + len(first) - len(last)))
    if not (first and last) or start < 0 or end < 0:
        raise MalformedData(f"{passage.title}: the passage has no part {ends!r}")
    return passage.text[start : end + len(last)]
