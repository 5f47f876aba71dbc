"""Runs the commands of the documentation."""

from __future__ import annotations

import shlex
from pathlib import Path

from support.command import Ran, run


def anaphora(line: str) -> Ran:
    """Runs a command line in this process; `< FILE` is its input, as in a shell."""
    words = shlex.split(line)[1:]
    stdin = ""
    if "<" in words:
        at = words.index("<")
        stdin = Path(words[at + 1]).read_text("utf-8")
        del words[at : at + 2]
    return run(words, stdin)
