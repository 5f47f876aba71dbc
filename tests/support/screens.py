"""Answers as a terminal shows them."""

import re
from io import StringIO

from rich.console import Console

from anaphora.cli.terminal import Screen
from anaphora.records import (
    Block,
    Citation,
    Conversation,
    Hit,
    Passage,
    Stage,
    Trace,
    Turn,
    Understanding,
)


def terminal(width: int = 200) -> Console:
    return Console(
        file=StringIO(), force_terminal=True, color_system="standard", highlight=False, width=width
    )


def lines(screen: Screen) -> list[str]:
    """What is shown, without colours and links."""
    return re.sub(r"\x1b(\[[\d;?]*\w|\]8;.*?\x1b\\)", "", screen.out.file.getvalue()).split("\n")


def structured(text: str, *blocks: tuple[str, str], lang: str = "en", doc_id: str = "g/a.html"):
    """An answer that quotes a whole passage: its blocks by kind and text."""
    found, at = [], 0
    for kind, part in blocks:
        start = text.index(part, at)
        at = start + len(part)
        marker = f"{sum(one.kind == 'item' for one in found) + 1}." if kind == "item" else ""
        found.append(Block(kind, start, at, int(kind == "item"), marker, (), "steps"))
    passage = Passage(f"{doc_id}#1", doc_id, "Guide", text, lang, (), 0, len(text), tuple(found))
    citation = Citation(f"{doc_id}#1", doc_id, "Guide", text, 0, len(text), None, tuple(found))
    stages = (
        Stage("understand", Understanding(Conversation((Turn("user", "?", lang),)), lang), 0.0),
        Stage("retrieve", (Hit(passage, 1.0, 1),), 0.0),
    )
    return citation, Trace(stages)
