"""The code passes its linters and type checker, and the tests follow the rules of the project."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
FILES = sorted(TESTS.rglob("test_*.py"))
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "timeit"}


@pytest.mark.parametrize(
    "command",
    ["ruff check --quiet .", "ruff format --check --quiet .", "mypy"],
    ids=["lint", "format", "types"],
)
def test_linters_and_types(command):
    run = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"


def called(node: ast.AST) -> Iterator[str]:
    """The names of the functions and methods that are called in a piece of code."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            if isinstance(call.func, ast.Attribute):
                yield call.func.attr
            elif isinstance(call.func, ast.Name):
                yield call.func.id


def checks(test: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(test)) or any(
        name in ("raises", "check", "expect") or name.startswith(("assert_", "check_"))
        for name in called(test)
    )


def test_every_test_checks_something():
    """With `assert`, `pytest.raises`, Playwright's `expect`, or a helper named `check…` or
    `assert_…`."""
    without = [
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not checks(node)
    ]
    assert without == []


def test_no_test_reads_a_clock():
    """A timed assertion fails on a busy machine: count operations instead, or measure in bench."""
    timed = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in FILES
        for name in called(ast.parse(file.read_text("utf-8")))
        if name in CLOCKS
    ]
    assert timed == []


def test_the_folders_of_tests_mirror_the_package():
    """Or another folder of the repository, such as `docs`."""
    folders = {file.parent.relative_to(TESTS) for file in FILES}
    places = ROOT / "src" / "anaphora", ROOT
    assert [
        str(folder)
        for folder in sorted(folders)
        if not any((place / folder).is_dir() for place in places)
    ] == []


def test_helpers_are_in_one_folder():
    """Other folders of tests hold tests and fixtures only."""
    names = [
        str(file.relative_to(TESTS))
        for file in TESTS.rglob("*.py")
        if not file.name.startswith(("test_", "conftest.", "__init__."))
    ]
    assert [name for name in names if not name.startswith("support/")] == []


STAGES = {"understand", "rewrite", "retrieve", "rerank", "read", "check", "translate"}
FLOORS = [
    {"records", "errors", "normal_form"},
    {"protocols", "registry", "validation"},
    {"language", "models"},
    {"index", "crossencoder"},
    {"ingest", *STAGES},
    {"pipeline", "config"},
    {"assistant", "serialization", "datasets"},
    {"evaluate"},
    {"adapt", "train", "serve"},
    {"cli"},
]
"""Packages and modules. Each may import those of lower floors; of its own floor, only itself.
`pipeline` imports no stage: it knows them by their protocols."""


def imported(file: Path) -> Iterator[str]:
    """The parts of anaphora that a file imports, within functions too, but not for types alone."""
    waiting: list[ast.AST] = [ast.parse(file.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "anaphora":
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("anaphora."):
            yield (node.module or "").split(".")[1]
        waiting += ast.iter_child_nodes(node)


def test_imports_point_to_lower_floors():
    package = ROOT / "src" / "anaphora"
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    wrong = []
    for file in sorted(package.rglob("*.py")):
        part = file.relative_to(package).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        for other in set(imported(file)) - {part, "__version__"}:
            allowed = floor[other] < floor[part]
            if not allowed or (part == "pipeline" and other in STAGES):
                wrong.append(f"{file.relative_to(package)} imports {other}")
    assert wrong == []
