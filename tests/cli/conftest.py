"""The language model is prepared before the first command: what commands print to standard error
does not depend on which test runs first."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.models.backbone import shared_backbone


@pytest.fixture(scope="session", autouse=True)
def prepared(cache: Path) -> None:
    assert cache.is_dir()
    shared_backbone()
