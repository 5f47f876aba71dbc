"""Starts `scripted_endpoint.py` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("scripted_endpoint.py")


@dataclass(frozen=True)
class Endpoint:
    """The address of a running endpoint, and the requests it has received so far."""

    url: str
    log: Path
    process: subprocess.Popen[str]

    @property
    def requests(self) -> list[Any]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


def start(log: Path, *steps: dict[str, Any]) -> Endpoint:
    log.touch()
    command = [sys.executable, str(SCRIPT), str(log), json.dumps(steps)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    return Endpoint(f"http://127.0.0.1:{int(process.stdout.readline())}/v1", log, process)
