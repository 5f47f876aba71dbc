"""Talks that we wrote for the rewriter, as `talks/LANG.txt` holds them, with their rewrites.

A block a talk: its title, then the user's and the assistant's turns; under each of the user's but
the first stands how it reads when it stands alone, or "=" where it does already:

    # Frank Zappa
    U: Who founded the Mothers of Invention?
    A: Frank Zappa did, in 1964.
    U: When did they disband?
    R: When did the Mothers of Invention disband?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from anaphora.datasets.example import Example
from anaphora.records import Conversation, Role, Turn

FOLDER = Path(__file__).with_name("talks")

Part = Literal["train", "tune", "report"]
_TUNED, _REPORTED = 8, 15
"""Of a hundred talks the first are tuned on, those up to the second number reported on."""


def talks(part: Part, folder: Path = FOLDER) -> Iterator[Example]:
    """The turns that have a rewrite, each with those before it, of a part of the talks in `folder`,
    by language."""
    for path in sorted(folder.glob("*.txt")):
        for number, block in enumerate(path.read_text("utf-8").strip().split("\n\n")):
            if _part(block) == part:
                yield from _examples(block, path.stem, f"{path.stem}-{number}")


def _part(block: str) -> Part:
    """By the title."""
    title = block.split("\n", 1)[0].encode()
    number = int.from_bytes(blake2b(title, digest_size=4).digest(), "big") % 100
    return "tune" if number < _TUNED else "report" if number < _REPORTED else "train"


def _examples(block: str, lang: str, dialogue: str) -> Iterator[Example]:
    turns: list[Turn] = []
    for line in block.splitlines()[1:]:
        kind, text = line.split(": ", 1)
        if kind == "R":
            asked = replace(turns[-1], lang=lang)
            talk = Conversation((*turns[:-1], asked), None, f"{dialogue}-{len(turns)}")
            rewrite = asked.text if text == "=" else text
            yield Example(talk, rewrites=(rewrite,), tags={"dialogue": dialogue})
        else:
            role: Role = "user" if kind == "U" else "assistant"
            turns.append(Turn(role, text))
