"""Processes that create, write and read the same index at the same time."""

import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.index import open_index, open_writer

SCRIPT = Path(__file__).parents[1] / "support" / "index_together.py"
ALLOWED = ("another process is writing", "there is no index in")


@pytest.mark.parametrize("number", range(6))
def test_a_new_index_is_created_by_one_process_and_never_called_damaged(tmp_path, number):
    folder, index, start = (tmp_path / name for name in ("docs", "index", "start"))
    folder.mkdir()
    for page in range(20):
        (folder / f"{page}.md").write_text(f"The server {page} answers. 服务器 {page}。", "utf-8")
    processes = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), task, str(folder), str(index), str(start)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for task in ("write", "write", "write", "read")
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    start.touch()
    results = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, results
    refused = 0
    for place, (out, _) in enumerate(results):
        for line in out.splitlines():
            assert any(text in line for text in ALLOWED), line
            assert "delete" not in line
            refused += place < 3
    assert refused < 3, "one process writes"
    with open_writer(index) as writer:
        assert writer.verify() == []
        assert writer.counts() == (20, 20)
    opened = open_index(index)
    assert opened.counts() == (20, 20)
    opened.close()
