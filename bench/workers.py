"""Engines as child processes: started, asked, and ended by the benchmarks."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).parent.parent


class EngineFailedError(Exception):
    """An engine could not do what it was asked; the message names engine and reason."""


class EngineProcess:
    """One `bench.engines.run` worker. Use as a context manager; the process ends with it."""

    def __init__(
        self,
        name: str,
        python: str,
        folder: Path,
        text: str,
        passages: Path,
        queries: Path,
        log: TextIO | None = None,
    ) -> None:
        self.name = name
        self.skipped = ""
        arguments = [name, str(folder), text, str(passages), str(queries)]
        self._process = subprocess.Popen(
            [python, "-m", "bench.engines.run", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log or subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        first = self._answer()
        self.skipped = first.get("skipped", "")

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            raise EngineFailedError(f"{self.name}: ended with code {code} before it answered")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise EngineFailedError(f"{self.name}: {answer['error']}")
        return answer

    def ask(self, do: str, **command: Any) -> dict[str, Any]:
        """Send one command and wait for its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **command}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            code = self._process.wait()
            raise EngineFailedError(f"{self.name}: had ended with code {code}") from error
        return self._answer()

    def close(self) -> None:
        """Let the process end, and make it end if it does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def interpreter(engine: str, peer_python: str) -> str:
    """Return the Python that runs this engine: ours for Anaphora, the peers' for the others."""
    return sys.executable if engine == "anaphora" else peer_python
