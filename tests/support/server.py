"""A server in a process of its own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ADDRESS = re.compile(r"(http://\S+)/start\?token=(\S+)")


@dataclass
class Server:
    """Attributes:
    client: signed in as the person who started it.
    """

    process: subprocess.Popen[str]
    address: str
    client: httpx.Client

    def stop(self) -> tuple[int, str]:
        """Asks it to stop; its exit code and what it printed to standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@contextmanager
def served(arguments: Sequence[str], folder: Path) -> Iterator[Server]:
    """Runs `anaphora serve` on a free port; it is killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "anaphora.cli", "serve", "--port", "0", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        found = None
        while not found:
            line = process.stdout.readline()
            if not line:
                _, err = process.communicate()
                raise AssertionError(f"the server did not start: {err}")
            found = ADDRESS.search(line)
        with httpx.Client(base_url=found[1], timeout=60, trust_env=False) as client:
            client.get(found[0])
            yield Server(process, found[1], client)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
