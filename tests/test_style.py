"""The code is as its linters and its types say."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    ["ruff check --quiet .", "ruff format --check --quiet .", "mypy"],
    ids=["lint", "format", "types"],
)
def test_style(command):
    run = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"
