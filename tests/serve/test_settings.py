"""The table `serve` of a configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from anaphora.errors import UsageError
from anaphora.serve.settings import ServeSettings


def test_settings_come_from_a_table() -> None:
    values = {"port": 0, "hosts": ["文档.example"], "folder": "~/données", "turn_seconds": 3}
    settings = ServeSettings.of(values)
    assert settings.port == 0
    assert settings.hosts == ("文档.example",)
    assert settings.folder == Path.home() / "données"
    assert settings.turn_seconds == 3.0
    assert settings.conversations


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"prot": 80}, "'serve.prot'; did you mean"),
        ({"port": "80"}, "'serve.port' must be of type int, not '80'"),
        ({"port": True}, "must be of type int"),
        ({"hosts": "a"}, "must be a list of texts"),
        ({"folder": 3}, "must be a path"),
        ({"configurations": []}, "must be of type dict"),
    ],
)
def test_a_wrong_setting_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ServeSettings.of(values)
