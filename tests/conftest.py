"""What several folders of tests share."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for the whole run, so that the model is prepared once, here."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANAPHORA_CACHE", str(folder))
        yield folder


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def anaphora(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs the command in this process: `anaphora("ask", "…", stdin="…")`."""
    from anaphora.cli import main

    def run(*arguments: str | Path, stdin: str = "") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["anaphora", *map(str, arguments)])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code: Any = 0
            try:
                main()
            except SystemExit as stop:
                code = stop.code or 0
        printed = [stream.buffer.getvalue().decode() for stream in (out, err) if not stream.flush()]
        return Ran(code, *printed)

    return run
