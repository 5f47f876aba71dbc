"""What `/why` shows of a written answer."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from anaphora.cli.common import number
from anaphora.records import Writing

_FAULTS = {
    "uncited": "it cites nothing",
    "language": "it is in another language",
    "irrelevant": "it does not answer the question",
    "unsupported": "its sources do not support it",
    "repeated": "it repeats another one",
}
"""Why a written sentence is not shown."""


def lines_of(writing: Writing) -> Iterator[tuple[Text, Text]]:
    """A line for every sentence that the model wrote, as what stands before it and the sentence;
    then why the answer is quoted, and the notes."""
    asked = number(writing.requests, "request")
    yield Text(), Text(f"Written by {writing.model}, {asked}:", style="bold")
    for one in writing.statements:
        fate = f"{one.fate}, {_FAULTS[one.fault]}" if one.fault else one.fate
        first = Text(f"  {fate}: ", style="red" if one.fault else "green")
        text = Text(one.text)
        if one.support:
            first.append(f"({one.support.probability:.0%}) ", style="dim")
            for start, end in one.support.unsupported:
                text.stylize("strike", start, end)
        yield first, text
    if writing.fallback:
        yield Text("  "), Text(f"Quoted instead: {writing.fallback}")
    for note in writing.notes:
        yield Text("  "), Text(f"Note: {note}")
