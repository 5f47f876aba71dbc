"""A test that one environment skips runs in another, or fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
WHOLE = "import pytest\n\npytest.importorskip('own_extra')\n\ndef test_one():\n    pass\n"
SINGLE = """\
import pytest

def test_always():
    pass

def test_with_the_extra():
    pytest.importorskip('own_extra')

@pytest.mark.xfail
def test_expected_to_fail():
    assert False
"""


@pytest.fixture
def run(tmp_path):
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_whole.py").write_text(WHOLE)
    (tmp_path / "test_single.py").write_text(SINGLE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    environment = {**os.environ, "PYTHONPATH": str(CONFTEST.parent), "PYTEST_ADDOPTS": ""}

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()[-1]

    return run


def test_skipped_tests_run_where_the_extra_is(run, tmp_path):
    code, line = run()
    assert (code, "1 passed, 2 skipped, 1 xfailed" in line) == (0, True), line
    (tmp_path / "own_extra.py").touch()
    code, line = run("--run-skipped")
    assert (code, "2 passed, 2 deselected" in line) == (0, True), line
    code, line = run()
    assert (code, "3 passed, 1 xfailed" in line) == (0, True), line


def test_a_test_that_runs_nowhere_fails(run):
    assert run()[0] == 0
    code, line = run("--run-skipped")
    assert code != 0
    assert "1 failed" in line or "1 error" in line
