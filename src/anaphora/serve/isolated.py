"""Functions in a child process.

Files of others are parsed there: a file that crashes a parser, takes all memory or never ends takes
the child with it, not the server.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final

MEMORY: Final = 4 * 2**30
"""Bytes of address space of a child, where the system limits it."""

_SPENT: Final = getattr(signal, "SIGXCPU", 0)

Emit = Callable[..., None]


class ChildEnded(Exception):
    """The child crashed, was killed or took too long.

    Attributes:
        spent: whether it had computed for as long as `limit_computing` allows.
    """

    def __init__(self, spent: bool = False) -> None:
        super().__init__()
        self.spent = spent


class Isolated:
    """Runs functions in one child process, one at a time; several threads may call.

    The child starts with the first call and ends with `close` or with this process.

    Args:
        seconds: the longest time of a call; None for no limit.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, function: Callable[..., Any], *arguments: Any, emit: Emit | None = None) -> Any:
        """The result of a function of a module.

        Args:
            emit: is called with what the function emits. Then the child calls the function with a
                function to emit values as its first argument.

        Raises:
            ChildEnded: there is no result. The next call starts another child.
            Exception: what the function raises.
        """
        with self._lock:
            process = self._process or self._start()
            timer = threading.Timer(self._seconds, process.kill) if self._seconds else None
            if timer:
                timer.daemon = True
                timer.start()
            try:
                return self._call(process, (function, arguments, emit is not None), emit)
            except _Raised as raised:
                raise raised.error from None
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                self._end(process)
                raise ChildEnded(process.returncode == -_SPENT) from error
            finally:
                if timer:
                    timer.cancel()

    def close(self) -> None:
        """Ends the child, also in the middle of a call."""
        process = self._process
        if process:
            process.kill()
        with self._lock:
            if self._process:
                self._end(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "anaphora.serve.isolated"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self._process

    @staticmethod
    def _call(process: subprocess.Popen[bytes], request: Any, emit: Emit | None) -> Any:
        assert process.stdin
        assert process.stdout
        pickle.dump(request, process.stdin)
        process.stdin.flush()
        while True:
            kind, value = pickle.load(process.stdout)
            if kind == "emitted" and emit:
                emit(*value)
            elif kind == "raised":
                raise _Raised(value)
            else:
                return value

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        process.wait()
        self._process = None


class _Raised(Exception):
    """Carries what a function raised past the errors of the pipe."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Runs in the child: calls what is asked until the pipe is closed."""

    def send(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers)
        answers.flush()

    def emit(*values: Any) -> None:
        send("emitted", values)

    while True:
        try:
            function, arguments, emits = pickle.load(requests)
        except EOFError:
            return
        try:
            send("returned", function(*((emit, *arguments) if emits else arguments)))
        except BrokenPipeError:
            return
        except Exception as error:
            send("raised", error)


def limit_computing(seconds: int | None) -> None:
    """Ends this process, a child, when it has used the processor for as many further seconds.

    None lifts the limit. Windows has none.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    soft = hard if seconds is None else math.ceil(used) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its children
    _limit_memory()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # A library that prints must not write into the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, output)
