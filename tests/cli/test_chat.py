"""The chat as somebody types into a terminal."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

CHAT = "import sys; from anaphora.cli import main; sys.argv[0] = 'anaphora'; main()"
PROMPT = "\x1b[?2004h"
"""What a prompt that waits for typing switches on."""


class Terminal:
    """A chat in a pseudo-terminal of its own process."""

    def __init__(self, *arguments: str | Path) -> None:
        main, side = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHAT, "chat", *map(str, arguments)],
            stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True,
            preexec_fn=_control,
        )  # fmt: skip
        os.close(side)
        self._main = main
        self.shown = ""

    def type(self, keys: str) -> None:
        os.write(self._main, keys.encode())

    def wait_for(self, text: str) -> None:
        """Reads what is shown until `text` has appeared; forgets what came before."""
        while text not in self.shown:
            ready, _, _ = select.select([self._main], [], [], 60)
            assert ready, self.shown
            self.shown += os.read(self._main, 4096).decode(errors="replace")
        self.shown = self.shown.partition(text)[2]

    def close(self) -> int:
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()
            os.close(self._main)


def _control() -> None:
    """Makes the pseudo-terminal the one whose Ctrl-C the process gets."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def index(anaphora, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("The lighthouse was built in 1887.", "utf-8")
    (tmp_path / "docs" / "b.md").write_text("The ferry leaves at noon.", "utf-8")
    assert anaphora("index", tmp_path / "docs", "--lexical", "--index", tmp_path / "i").code == 0
    return tmp_path / "i"


SLOW = """
import time

class Slow:
    def rerank(self, queries, hits, k):
        time.sleep(3600)
"""


def test_ctrl_c_stops_an_answer_and_leaves_at_the_prompt(index, tmp_path, monkeypatch):
    (tmp_path / "slow_part.py").write_text(SLOW, "utf-8")
    (tmp_path / "slow.toml").write_text('[rerank]\nmethod = "slow_part:Slow"\n', "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    chat = Terminal("--index", index, "--config", tmp_path / "slow.toml")
    chat.wait_for(PROMPT)
    chat.type("When was the lighthouse built?\r")
    chat.wait_for("Ranking the passages")
    chat.type("\x03")
    chat.wait_for("Stopped.")
    chat.wait_for(PROMPT)
    chat.type("x")
    chat.wait_for("x")
    chat.type("\x03")
    chat.wait_for(PROMPT)
    chat.type("/why\r")
    chat.wait_for("Nothing has been asked yet.")
    chat.wait_for(PROMPT)
    chat.type("\x03")
    assert chat.close() == 0


def test_json_lines_to_a_pipe_show_no_sign_of_life(index):
    ran = subprocess.run(
        [sys.executable, "-c", CHAT, "ask", "When was the lighthouse built?", "--json"],
        env={**os.environ, "ANAPHORA_INDEX": str(index)},
        capture_output=True,
        check=True,
    )
    assert ran.stderr == b""
    assert "1887" in json.loads(ran.stdout)["answer"]


def test_one_document_is_no_documents(anaphora, tmp_path):
    (tmp_path / "a.md").write_text("The lighthouse was built in 1887.", "utf-8")
    assert anaphora("index", tmp_path / "a.md", "--lexical", "--index", tmp_path / "i").code == 0
    assert "1 document, 1 passage." in anaphora("index", "verify", "--index", tmp_path / "i").out
    chat = anaphora("chat", "--index", tmp_path / "i", stdin="/quit\n")
    assert "1 document, 1 passage in en." in chat.err + chat.out
