"""The command line, run in this process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """The exit code of a command and its output."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def run(arguments: Sequence[str | Path], stdin: str = "") -> Ran:
    from anaphora.cli import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode(errors="surrogateescape")))
    code: Any = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["anaphora", *map(str, arguments)])
        patch.setattr(sys, "stdin", typed)
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
    printed = [stream.buffer.getvalue().decode() for stream in (out, err) if not stream.flush()]
    return Ran(code, *printed)
