"""Reads the conversations that were written for training the rewriter, one file for each language.

A block is a conversation: its title, then the turns of the user (U) and of the assistant (A). After
each turn of the user except the first comes its rewrite (R), or "=" where it is self-contained:

    # Frank Zappa
    U: Who founded the Mothers of Invention?
    A: Frank Zappa did, in 1964.
    U: When did they disband?
    R: When did the Mothers of Invention disband?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from anaphora.datasets.example import Example
from anaphora.records import Conversation, Role, Turn
from anaphora.train.corpora import bucket

Part = Literal["train", "tune", "report"]
_TUNE, _REPORT = 8, 15
"""Per cent of the conversations that are tuned on, and that are tuned or reported on."""


def conversations(part: Part, folder: Path) -> Iterator[Example]:
    """The turns with a rewrite of one part of the conversations, each with the turns before it.

    The title of a conversation decides which part it is in.
    """
    for path in sorted(folder.glob("*.txt")):
        for number, block in enumerate(path.read_text("utf-8").strip().split("\n\n")):
            if _part(block) == part:
                yield from _examples(block, path.stem, f"{folder.name}-{path.stem}-{number}")


def _part(block: str) -> Part:
    number = bucket(block.split("\n", 1)[0], 100)
    return "tune" if number < _TUNE else "report" if number < _REPORT else "train"


def _examples(block: str, lang: str, dialogue: str) -> Iterator[Example]:
    turns: list[Turn] = []
    for line in block.splitlines()[1:]:
        kind, text = line.split(": ", 1)
        if kind == "R":
            question = replace(turns[-1], lang=lang)
            identity = f"{dialogue}-{len(turns)}"
            conversation = Conversation((*turns[:-1], question), None, identity)
            rewrite = question.text if text == "=" else text
            yield Example(conversation, rewrites=(rewrite,), tags={"dialogue": dialogue})
        else:
            role: Role = "user" if kind == "U" else "assistant"
            turns.append(Turn(role, text))
