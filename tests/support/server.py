"""A server in a process of its own, and one in a thread."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.store import Store

ADDRESS = re.compile(r"(http://\S+)/start\?token=(\S+)")


@dataclass
class Server:
    """Attributes:
    client: signed in as the person who started it.
    key: with the scopes "ask" and "search".
    """

    process: subprocess.Popen[str]
    address: str
    client: httpx.Client
    key: str

    def stop(self) -> tuple[int, str]:
        """Asks it to stop; its exit code and what it printed to standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@contextmanager
def served(arguments: Sequence[str], folder: Path) -> Iterator[Server]:
    """Runs `anaphora serve` on a free port, with a store of its own; it is killed at the end if it
    still runs."""
    with tempfile.TemporaryDirectory() as data, _started(arguments, folder, data) as server:
        yield server


@contextmanager
def _started(arguments: Sequence[str], folder: Path, data: str) -> Iterator[Server]:
    with closing(Store.open(ServeSettings(folder=Path(data, "anaphora")))) as store:
        key = store.keys.add("a program", ["ask", "search"])
    process = subprocess.Popen(
        [sys.executable, "-m", "anaphora.cli", "serve", "--port", "0", *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
            "XDG_DATA_HOME": data,
        },
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
            yield Server(process, found[1], client, key)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


@contextmanager
def live(app: FastAPI) -> Iterator[str]:
    """Serves an application on a free port, in a thread of this process; its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=30)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        listening.close()
