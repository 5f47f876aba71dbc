"""An index of the first version opens, answers, and is updated without reading files again."""

import sqlite3
from contextlib import closing

import pytest
from support.format1 import to_format_1
from support.hash_encoder import HashEncoder

from anaphora.index import BM25, Dense, has_index, open_index, open_writer
from anaphora.ingest.update import update
from anaphora.records import Query

TEXTS = {
    "en.md": "The apt tool installs packages.",
    "zh.md": "管理员可以用命令安装软件包。",
    "th.md": "ผู้ใช้สามารถติดตั้งโปรแกรมใหม่ได้อย่างง่ายดาย",
    "ar.md": "يمكن للمستخدم تثبيت البرامج الجديدة بسهولة.",
}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def index(folder, tmp_path):
    (folder / "last.md").write_text("This page is deleted again.", "utf-8")
    update(tmp_path / "index", [folder], HashEncoder())
    (folder / "last.md").unlink()
    update(tmp_path / "index", [folder], HashEncoder())
    to_format_1(tmp_path / "index")
    with closing(sqlite3.connect(tmp_path / "index" / "truth.sqlite")) as db, db:
        # Documents of format 1 had no blocks, so that their digests were others.
        db.execute("UPDATE documents SET digest = x'00'")
    return tmp_path / "index"


def found(opened):
    queries = [Query(text) for text in TEXTS.values()]
    return [opened.search(queries, 9, mode) for mode in (BM25(), Dense(HashEncoder()))]


def test_it_is_read_as_it_is(index):
    assert has_index(index)
    opened = open_index(index)
    assert opened.counts() == (4, 4)
    assert all(hits for results in found(opened) for hits in results)
    opened.close()
    assert not (index / "store.sqlite").exists()


def test_an_update_reads_the_files_again_for_their_blocks(folder, index):
    opened = open_index(index)
    before = found(opened)
    assert not any(hit.passage.blocks for results in before for hits in results for hit in hits)
    report = update(index, [folder], HashEncoder())
    assert (report.files, report.encoded, report.held) == (4, 4, 4)
    after = found(opened)
    assert all(hit.passage.blocks for results in after for hits in results for hit in hits)
    assert {path.name for path in index.iterdir()} >= {"store.sqlite", "ledger.sqlite"}
    assert not (index / "truth.sqlite").exists()
    assert [[[hit.passage.text for hit in hits] for hits in results] for results in after] == [
        [[hit.passage.text for hit in hits] for hits in results] for results in before
    ], "an open reader changes to the new database"
    (folder / "new.md").write_text("Quasars are bright.", "utf-8")
    (folder / "en.md").unlink()
    report = update(index, [folder], HashEncoder())
    assert (report.files, report.unchanged, report.removed) == (1, 3, 1)
    assert opened.search([Query("quasars")], 3, BM25())[0]
    opened.close()


def test_rows_of_deleted_passages_are_not_used_again(folder, index):
    with closing(sqlite3.connect(index / "truth.sqlite")) as db:
        ((highest,),) = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
    assert highest == 5
    (folder / "new.md").write_text("Quasars are bright.", "utf-8")
    update(index, [folder], HashEncoder())
    with closing(sqlite3.connect(index / "store.sqlite")) as db:
        assert db.execute("SELECT max(id) FROM passages").fetchone() == (10,)


def test_the_ledger_is_carried_over_after_a_repair_and_an_interrupted_conversion(folder, index):
    (index / "store.sqlite.new").write_bytes(b"a conversion that was killed")
    with open_writer(index) as writer:
        assert writer.verify() == []
    report = update(index, [folder], HashEncoder())
    assert (report.files, report.unchanged) == (4, 0)
    assert not (index / "truth.sqlite").exists()


def test_the_first_version_refuses_a_converted_index(index):
    with open_writer(index):
        pass
    with closing(sqlite3.connect(index / "truth.sqlite")) as db:
        assert db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone() == ("3",)
