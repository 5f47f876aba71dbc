"""An index of manuals in eleven scripts, whose dense search a shift improves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import manuals

from anaphora.ingest.update import update


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manuals")
    for encoder in (manuals.hidden(), manuals.plain(), manuals.stopped()):
        name = encoder.name.partition(":")[2]
        update(folder / name, [manuals.write(folder / "manuals")], encoder)
    return folder


@pytest.fixture
def indexes(written: Path, tmp_path: Path) -> Path:
    """A copy of the folder of the indexes `hidden`, `plain` and `stopped`."""
    return shutil.copytree(written, tmp_path / "written")
