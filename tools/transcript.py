"""Draws a session in the terminal: `python -m tools.transcript` rebuilds assets/terminal.svg.

The commands run on the project's own documentation.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from rich.console import Console
from rich.text import Text

from anaphora import cli
from tools.pages import ROOT

PICTURE = ROOT / "assets" / "terminal.svg"
WIDTH = 98
FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
SESSION: list[tuple[str, list[str]]] = [
    ("anaphora index docs/en", []),
    ('anaphora ask "How do I repair a damaged index?"', []),
    (
        "anaphora chat",
        [
            "Which languages are supported?",
            "Which file types can be read?",
            "And what happens to a PDF without text?",
            "What is the default of rerank.top?",
            "¿Cómo dejo el chat?",
            "What is the capital of Mongolia?",
        ],
    ),
]
"""The commands, and the questions typed into each."""


class Typed(io.StringIO):
    """Questions as somebody types them: each is shown when it is read."""

    def __init__(self, questions: Sequence[str]) -> None:
        super().__init__()
        self._questions = questions

    def __iter__(self) -> Iterator[str]:
        for question in self._questions:
            print(f"> {question}")
            yield question


def run(command: str, questions: Sequence[str], coloured: bool = False) -> str:
    """What the terminal shows: the command, its output and the questions typed into it.

    Raises:
        RuntimeError: the command failed.
    """
    out, err = io.StringIO(), io.StringIO()
    environment = {"COLUMNS": str(WIDTH), **({"FORCE_COLOR": "1"} if coloured else {})}
    code: object = 0
    with (
        patch.object(sys, "argv", shlex.split(command)),
        patch.object(sys, "stdin", Typed(questions)),
        patch.dict(os.environ, environment),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code
    if code:
        raise RuntimeError(f"{command} failed: {err.getvalue()}")
    return f"$ {command}\n{out.getvalue().rstrip()}\n"


def draw(shown: Sequence[str]) -> str:
    """A picture of the terminal as SVG."""
    console = Console(file=io.StringIO(), record=True, width=WIDTH, highlight=False)
    for number, part in enumerate(shown):
        if number:
            console.print()
        text = Text.from_ansi(part.rstrip())
        text.highlight_regex(r"(?m)^[$>] .*", "bold cyan")
        console.print(text)
    picture = console.export_svg(title="anaphora", unique_id="terminal")
    # Rich names a font on the network, which a picture in a page may not fetch.
    picture = re.sub(r"@font-face {.*?}\s*", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code, monospace", FONTS)
    return "\n".join(line.rstrip() for line in picture.split("\n"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "docs", f"{folder}/docs")
        os.chdir(folder)
        shown = [run(command, questions, coloured=True) for command, questions in SESSION]
        os.chdir(ROOT)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(shown), "utf-8")


if __name__ == "__main__":
    main()
