"""A folder with the documentation, an index of it, and the files that the examples read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.guide import anaphora

from tools.pages import GUIDE, ROOT, commands

INPUTS = Path(__file__).with_name("inputs")


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder: `docs`, its index as the first commands of the guide make it, and result files.

    The English pages, and a Spanish one for the questions of the README's session, are enough.
    """
    folder = tmp_path_factory.mktemp("guide")
    shutil.copytree(INPUTS, folder, dirs_exist_ok=True)
    shutil.copytree(GUIDE, folder / "docs" / "en")
    (folder / "docs" / "es").mkdir()
    shutil.copy(ROOT / "docs" / "es" / "search.md", folder / "docs" / "es")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        several = next(line for line in commands(GUIDE / "measuring.md") if line.count(" -p ") > 1)
        for line in ("anaphora index docs", several):
            done = anaphora(line)
            assert done.code == 0, done.err
    shutil.copytree(folder / ".anaphora", folder / "example-index")
    return folder


@pytest.fixture
def place(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs the test in that folder."""
    monkeypatch.delenv("ANAPHORA_INDEX", raising=False)
    monkeypatch.chdir(indexed)
    return indexed
