"""The table `serve` of a configuration file."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from support.server import served

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


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no such signal")
def test_settings_that_need_a_restart_are_named(shared_index: Path, tmp_path: Path) -> None:
    config = tmp_path / "anaphora.toml"
    text = '[rerank]\nmethod = "none"\n[serve]\nfolder = "資料"\nwaiting = {}\n'
    config.write_text(text.format(32), "utf-8")
    with served(["--index", str(shared_index), "--config", str(config)], tmp_path) as server:
        assert server.process.stdout
        for waiting, further in (
            (32, "[read]\npassages = 2\n"),
            (64, 'hosts = ["東京.example"]\n'),
        ):
            config.write_text(text.format(waiting) + further, "utf-8")
            server.process.send_signal(signal.SIGHUP)
            assert "were read again" in server.process.stdout.readline()
        _, log = server.stop()
    assert log.count("need a restart") == 1
    assert "changed settings need a restart: serve.hosts, serve.waiting" in log
