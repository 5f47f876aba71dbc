from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from anaphora.models.backbone import Backbone

collect_ignore = [] if find_spec("llama_cpp") else ["test_gguf.py"]
"""The extra `llama` is compiled for minutes, so no environment of `.ci/run` has it: see
CONTRIBUTING.md."""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for the whole run, so that the model is prepared once."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANAPHORA_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def backbone(cache: Path) -> Backbone:
    return Backbone()
