from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models.cache import cache_folder, cached_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANAPHORA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "thing"


class Builder:
    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, folder: Path) -> None:
        self.runs += 1
        (folder / "a.bin").write_bytes(b"abc" * 1000)
        (folder / "b.txt").write_text("b")


def test_built_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "anaphora")
    build = Builder()
    for _ in range(3):
        assert cached_folder("thing", build) == folder
    assert build.runs == 1
    assert caplog.messages == ["preparing the language model, once"]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["thing"]


def test_a_file_cut_short_is_built_again(folder: Path) -> None:
    build = Builder()
    cached_folder("thing", build)
    status = (folder / "a.bin").stat()
    os.truncate(folder / "a.bin", 10)
    os.utime(folder / "a.bin", ns=(status.st_atime_ns, status.st_mtime_ns))
    cached_folder("thing", build)
    assert build.runs == 2
    assert (folder / "a.bin").read_bytes() == b"abc" * 1000


def test_an_altered_file_is_built_again(folder: Path) -> None:
    build = Builder()
    cached_folder("thing", build)
    (folder / "a.bin").write_bytes(b"abd" * 1000)
    cached_folder("thing", build)
    assert build.runs == 2


def test_a_touched_file_is_compared_and_kept(folder: Path) -> None:
    build = Builder()
    cached_folder("thing", build)
    os.utime(folder / "a.bin", ns=(1, 1))
    cached_folder("thing", build)
    assert build.runs == 1
    assert (folder / "a.bin").stat().st_mtime_ns > 1


@pytest.mark.parametrize("manifest", ["", "{}", "[]", "{", '{"a.bin": 3}', '{"../x": [1, 2, "3"]}'])
def test_a_bad_manifest_is_built_again(folder: Path, manifest: str) -> None:
    build = Builder()
    cached_folder("thing", build)
    (folder / "manifest.json").write_text(manifest)
    cached_folder("thing", build)
    assert build.runs == 2
    assert set(json.loads((folder / "manifest.json").read_text())) == {"a.bin", "b.txt"}


def test_the_folder_of_a_killed_process_is_removed(folder: Path) -> None:
    left = folder.parent / ".building-old"
    left.mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    os.utime(left, (1, 1))
    cached_folder("thing", Builder())
    assert not left.exists()


def test_no_room_is_one_sentence(folder: Path) -> None:
    def full(working: Path) -> None:
        (working / "half").write_bytes(b"x")
        raise OSError(28, "No space left on device")

    with pytest.raises(ModelUnavailable, match=r"No space left on device.*ANAPHORA_CACHE"):
        cached_folder("thing", full)
    assert not list(folder.iterdir())
    assert sorted(path.name for path in folder.parent.iterdir()) == ["thing"]


def test_a_cache_that_is_a_file_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ANAPHORA_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelUnavailable, match="ANAPHORA_CACHE"):
        cached_folder("thing", Builder())


def test_the_platform_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANAPHORA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "anaphora"


def test_two_processes_at_once(tmp_path: Path) -> None:
    script = (
        "from anaphora.models.backbone import Backbone\n"
        "b = Backbone()\n"
        "print(b.embed([b.tokens('query: two at once')]).tobytes().hex())\n"
    )
    environment = os.environ | {"ANAPHORA_CACHE": str(tmp_path / "new")}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    vectors = [run.communicate(timeout=300)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert vectors[0] == vectors[1] != ""
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["multilingual-e5-small-4"]
