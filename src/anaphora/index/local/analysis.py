"""Analysis of passages into a segment's postings, in this process or in a subprocess.

Lexical indexing spends more time on analysis than on reading. With a subprocess for the analysis
the two run in parallel. The writer starts it only when there is much to do.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from anaphora.index.local.manifest import FileStamp
from anaphora.index.local.postings import Builder
from anaphora.index.local.segment import write_postings
from anaphora.language import analyzer

_CHUNK = 256


class Analysis(Protocol):
    """Receives the passages of one segment after another."""

    def add(self, lang: str, text: str) -> None:
        """The next passage of the segment."""
        ...

    def write(self, folder: Path, name: str, rows: list[int]) -> FileStamp:
        """Writes the segment's postings. The next passage belongs to a new segment."""
        ...

    def close(self) -> None: ...


class InProcessAnalysis:
    """Analysis in this process."""

    def __init__(self) -> None:
        self._builder = Builder()

    def add(self, lang: str, text: str) -> None:
        self._builder.add(lang, analyzer(lang).terms(text))

    def write(self, folder: Path, name: str, rows: list[int]) -> FileStamp:
        builder, self._builder = self._builder, Builder()
        return write_postings(folder, name, builder.build(), np.array(rows, dtype=np.int64))

    def close(self) -> None:
        pass


class SubprocessAnalysis:
    """Analysis in a second process. It ends with this one, however this one ends.

    Raises:
        OSError: from `write`, when the file could not be written or the process has ended.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "anaphora.index.local.analysis"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._pending: list[tuple[str, str]] = []

    def add(self, lang: str, text: str) -> None:
        self._pending.append((lang, text))
        if len(self._pending) == _CHUNK:
            self._send(self._pending)
            self._pending = []

    def write(self, folder: Path, name: str, rows: list[int]) -> FileStamp:
        self._send(self._pending)
        self._pending = []
        self._send((folder, name, rows))
        assert self._process.stdout
        try:
            answer = pickle.load(self._process.stdout)
        except EOFError as error:
            raise OSError("the process that analyses passages has ended") from error
        if isinstance(answer, OSError):
            raise answer
        stamp: FileStamp = answer
        return stamp

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.kill()
        self._process.stdout.close()
        # What is still buffered is not needed any more.
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()

    def _send(self, message: Any) -> None:
        assert self._process.stdin
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Runs in the second process. It reads lists of passages, and answers requests to write."""
    analysis = InProcessAnalysis()
    while True:
        try:
            message = pickle.load(requests)
        except EOFError:
            return
        if isinstance(message, list):
            for lang, text in message:
                analysis.add(lang, text)
            continue
        try:
            answer: FileStamp | OSError = analysis.write(*message)
        except OSError as error:
            answer = error
        try:
            pickle.dump(answer, answers)
            answers.flush()
        except BrokenPipeError:
            return  # the first process was killed; the next writer deletes the file


if __name__ == "__main__":
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles Ctrl-C
    serve(sys.stdin.buffer, sys.stdout.buffer)
