from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.permissions import ordinary_user, public_folder

from anaphora.errors import UsageError
from anaphora.ingest.content import Skipped
from anaphora.ingest.walk import Found, find_files


def write(path: Path, text: str = "Text.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(*roots: Path, skip: Path = Path(".anaphora")) -> list[str]:
    return [found.doc_id for found in find_files(roots, skip) if isinstance(found, Found)]


def skipped(*roots: Path) -> dict[str, str]:
    every = find_files(roots, Path(".anaphora"))
    return {entry.name: entry.reason for entry in every if isinstance(entry, Skipped)}


def test_names_begin_with_the_root_and_come_sorted(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a/é.html", "c/README"):
        write(tmp_path / "docs" / name)
    assert names(tmp_path / "docs") == [
        "docs/a/z.txt",
        "docs/a/é.html",
        "docs/b.md",
        "docs/c/README",
    ]


def test_a_root_may_be_a_file(tmp_path: Path) -> None:
    [found] = find_files([write(tmp_path / "a" / "one.md", "12345")], tmp_path / ".anaphora")
    assert isinstance(found, Found)
    assert (found.doc_id, found.size) == ("one.md", 5)


def test_the_root_may_be_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "docs" / "a.md")
    monkeypatch.chdir(tmp_path / "docs")
    assert names(Path(".")) == ["docs/a.md"]


def test_a_missing_root_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere does not exist"):
        list(find_files([tmp_path / "nowhere"], tmp_path))


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert list(find_files([tmp_path], tmp_path / "index")) == []


def test_hidden_files_caches_and_the_index_are_passed_over(tmp_path: Path) -> None:
    for name in (".git/x.md", ".hidden.md", "node_modules/x.md", "__pycache__/x.txt", "idx/x.md"):
        write(tmp_path / "docs" / name)
    write(tmp_path / "docs" / "seen.md")
    assert names(tmp_path / "docs", skip=tmp_path / "docs" / "idx") == ["docs/seen.md"]
    assert skipped(tmp_path / "docs") == {}


def test_other_files_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "photo.PNG")
    assert skipped(tmp_path / "docs") == {"docs/photo.PNG": ".png files are not read"}


def test_a_link_loop_ends(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a" / "one.md")
    (tmp_path / "docs" / "a" / "up").symlink_to(tmp_path / "docs")
    (tmp_path / "docs" / "self").symlink_to(tmp_path / "docs" / "self")
    (tmp_path / "docs" / "gone.md").symlink_to(tmp_path / "nowhere.md")
    assert names(tmp_path / "docs") == ["docs/a/one.md"]
    assert skipped(tmp_path / "docs") == {
        "docs/a/up": "is the same folder as docs",
        "docs/gone.md": "is a link to nothing",
        "docs/self": "is a link that leads back to itself",
    }


def test_links_are_followed_once_and_last(tmp_path: Path) -> None:
    outside = write(tmp_path / "elsewhere" / "b.md").parent
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a_link").symlink_to(outside)
    (tmp_path / "docs" / "a.md").symlink_to(write(tmp_path / "docs" / "real.md"))
    assert names(tmp_path / "docs") == ["docs/real.md", "docs/a_link/b.md"]
    assert skipped(tmp_path / "docs") == {"docs/a.md": "is the same file as docs/real.md"}


def test_overlapping_roots_give_each_file_once(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "one.md")
    assert names(tmp_path / "a", tmp_path / "a" / "b") == ["a/b/one.md"]
    assert names(tmp_path / "a", tmp_path / "a") == ["a/b/one.md"]


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert list(skipped(tmp_path).values()) == ["is not a regular file"]


def test_a_name_that_is_not_utf8_becomes_storable(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.md"
    with open(path, "wb") as file:
        file.write(b"Text.")
    [name] = names(tmp_path)
    assert name.endswith("/caf\\xe9.md")


def test_a_closed_folder_is_reported() -> None:
    with public_folder() as folder:
        closed = folder / "docs" / "closed"
        write(closed / "a.md")
        closed.chmod(0)
        try:
            with ordinary_user():
                found = skipped(folder / "docs")
        finally:
            closed.chmod(0o700)
    assert found == {"docs/closed": "may not be read (permission denied)"}


def test_folders_may_nest_deep(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder /= "d"
    write(folder / "a.md")
    assert len(names(tmp_path / "d")) == 1


def test_copies_of_sources_beside_built_pages_are_ignored(tmp_path: Path) -> None:
    for name in ("built/_sources/a.txt", "built/_static/x.txt", "own/_sources/b.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("Text.")
    found = [item.doc_id for item in find_files([tmp_path], skip=tmp_path / "none")]
    assert [name.partition("/")[2] for name in found] == [
        "built/_static/x.txt",
        "own/_sources/b.txt",
    ]
