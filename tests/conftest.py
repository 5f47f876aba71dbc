"""What several folders of tests share."""

from __future__ import annotations

import io
import json
import subprocess
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
            patch.setattr(
                sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode(errors="surrogateescape")))
            )
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


@dataclass(frozen=True)
class Endpoint:
    """A running `scripted_endpoint.py`: its address, and what it was asked so far."""

    url: str
    log: Path

    @property
    def requests(self) -> list[Any]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Endpoint]]:
    """Starts chat completions endpoints in processes of their own: `endpoint({"do": …}, …)`."""
    monkeypatch.setenv("NO_PROXY", "*")
    running: list[subprocess.Popen[str]] = []

    def start(*steps: dict[str, Any]) -> Endpoint:
        log = tmp_path / f"requests-{len(running)}.jsonl"
        log.touch()
        script = Path(__file__).with_name("scripted_endpoint.py")
        command = [sys.executable, str(script), str(log), json.dumps(steps)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert running[-1].stdout
        port = int(running[-1].stdout.readline())
        return Endpoint(f"http://127.0.0.1:{port}/v1", log)

    yield start
    for process in running:
        process.kill()
        process.communicate()
