"""The file of the database: private, migrated, shared by processes, and whole whatever happens."""

from __future__ import annotations

import sqlite3
import stat
import threading

import pytest
from support.stored_answers import answer

from anaphora.errors import AnaphoraError
from anaphora.serve.problems import problem_of
from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.database import Database, StoreBusy, StoreDamaged, StoreFull, connect
from anaphora.serve.store.migrations import MIGRATIONS


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def tables(path):
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    finally:
        connection.close()


def test_only_the_user_can_read_it(tmp_path):
    database = Database(tmp_path / "a" / "b")
    Conversations(database).keep("a", None, "docs", answer("?"))
    assert mode(database.path.parent) == 0o700
    assert {mode(file) for file in database.path.parent.iterdir()} == {0o600}
    database.close()
    database.path.chmod(0o644)
    Database(tmp_path / "a" / "b").close()
    assert mode(database.path) == 0o600


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
def test_every_former_version_is_brought_up_to_date(tmp_path, version):
    Database(tmp_path / "new").close()
    (tmp_path / "old").mkdir()
    path = tmp_path / "old" / "serve.sqlite"
    connection = connect(path)
    for statements in MIGRATIONS[:version]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")
    if version:
        connection.execute(
            "INSERT INTO conversations VALUES (1, 'c', 'a', 'T', 't', 'docs', 1, 1, 1, NULL)"
        )
        connection.execute("INSERT INTO turns VALUES (1, 't', 1, NULL, 1, 'x', '?', '{}')")
    connection.close()
    database = Database(tmp_path / "old")
    found, _ = Conversations(database).listed("a")
    assert [(one["title"], one["turns"]) for one in found] == [("T", 1)][: bool(version)]
    database.close()
    assert tables(path) == tables(tmp_path / "new" / "serve.sqlite")


def test_a_version_from_the_future_is_left_alone(tmp_path):
    database = Database(tmp_path)
    with database.writing() as connection:
        connection.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(AnaphoraError, match=r"newer version.*update Anaphora"):
        Database(tmp_path)


def test_a_full_disk_loses_nothing(tmp_path):
    """SQLite's own limit on the pages of a file fails as a full disk does."""
    database = Database(tmp_path)
    conversations = Conversations(database)
    kept = conversations.keep("a", None, "docs", answer("before"))
    with database.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull, match="is full or fails, and nothing was stored") as caught:
        conversations.keep("a", None, "docs", answer("x" * 100_000))
    assert problem_of(caught.value).status == 507
    assert [one["title"] for one in conversations.listed("a")[0]] == ["before"]
    with database.reading() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    conversations.keep(
        "a", conversations.place("a", kept[0], None, newest=True), "docs", answer("after")
    )
    assert conversations.listed("a")[0][0]["turns"] == 2


def test_a_damaged_file_is_one_sentence(tmp_path):
    (tmp_path / "serve.sqlite").write_bytes(b"not a database, but long enough to be read" * 100)
    with pytest.raises(StoreDamaged, match=r"serve.sqlite is damaged; move it away") as caught:
        Database(tmp_path)
    assert problem_of(caught.value).status == 503


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AnaphoraError, match=r"cannot be written: .*'serve.folder'"):
        Database(tmp_path / "file")


def test_another_writer_is_waited_for_and_then_named(tmp_path, monkeypatch):
    monkeypatch.setattr("anaphora.serve.store.database.WAIT_SECONDS", 0.01)
    database = Database(tmp_path)
    other = connect(database.path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="another process is writing") as caught:
        Conversations(database).keep("a", None, "docs", answer("?"))
    assert problem_of(caught.value).status == 503
    other.execute("ROLLBACK")
    Conversations(database).keep("a", None, "docs", answer("?"))
    other.close()


def test_an_error_undoes_the_transaction(tmp_path):
    database = Database(tmp_path)
    conversations = Conversations(database)
    conversations.keep("a", None, "docs", answer("kept"))

    def fail():
        with database.writing() as connection:
            connection.execute("DELETE FROM conversations")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [one["title"] for one in conversations.listed("a")[0]] == ["kept"]


def test_two_servers_and_many_threads_on_one_file(tmp_path):
    """Every thread finds its own turns, in its own conversation."""
    databases = [Database(tmp_path), Database(tmp_path)]
    wrong = []

    def talk(number):
        conversations = Conversations(databases[number % 2])
        owner = f"owner {number}"
        conversation = None
        for turn in range(6):
            place = conversation and conversations.place(owner, conversation, None, newest=True)
            form = answer(f"{owner}: {turn}")
            conversation, _ = conversations.keep(owner, place or None, "docs", form)
        found = [one["question"] for one in conversations.turns(owner, conversation)]
        if found != [f"{owner}: {turn}" for turn in range(6)]:
            wrong.append(found)

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    for database in databases:
        database.close()
    assert [file.name for file in tmp_path.iterdir()] == ["serve.sqlite"]
