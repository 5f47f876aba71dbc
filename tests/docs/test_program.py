"""The installed program and the exit codes that docs/json.md lists."""

from __future__ import annotations

import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--version", 0),
        ("index verify", 0),
        ("ask Question --index nowhere", 1),
        ("search Query --model bm52", 2),
        ("ask Question --histories x", 2),
        ("ask Question --history nowhere.jsonl", 2),
        ("eval nowhere.jsonl", 2),
        ("blame nowhere", 2),
        ("blame --scores scores.jsonl --threshold 1", 2),
    ],
)
def test_exit_codes(place, line, code):
    program = Path(sysconfig.get_path("scripts")) / "anaphora"
    done = subprocess.run(
        [str(program), *shlex.split(line)],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert bool(done.stderr) == bool(code)
    assert "Traceback" not in done.stderr
