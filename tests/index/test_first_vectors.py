"""Vectors of a fast encoder are searched until all passages have those of another one."""

import json
import sqlite3
from contextlib import closing

import pytest
from support.hash_encoder import FirstHashEncoder, HashEncoder

from anaphora.errors import IndexDamaged, UsageError
from anaphora.index import (
    BM25,
    Dense,
    FirstVectors,
    Upgradable,
    Upgrade,
    final_encoder,
    open_index,
    open_writer,
)
from anaphora.index.local import writer as local_writer
from anaphora.ingest import update as ingestion
from anaphora.ingest.update import update
from anaphora.records import Query

TEXTS = (
    "東京都の利用者はパッケージを追加できます。",
    "管理员可以用命令安装软件包。",
    "사용자는 프로그램을 설치할 수 있습니다.",
    "ผู้ใช้สามารถติดตั้งโปรแกรมใหม่ได้",
    "يمكن للمستخدم تثبيت البرامج الجديدة.",
    "उपयोगकर्ता नया प्रोग्राम स्थापित कर सकता है।",
    "Người dùng cài đặt phần mềm.",
    "Пользователь устанавливает программы.",
    "İstanbul'da kışın ışıklar yanar.",
    "Käyttäjä asentaa ohjelman.",
)
FIRST, FULL = FirstHashEncoder(), HashEncoder()


class Stops(HashEncoder):
    """Encodes a number of segments, and is then interrupted."""

    def __init__(self, segments):
        self.left = segments

    def encode_passages(self, texts, progress=None):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().encode_passages(texts, progress)


class StopsFirst(Stops, FirstHashEncoder):
    pass


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 4)
    monkeypatch.setattr(ingestion, "FIRST_FROM", 5)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        write(folder, number, text)
    return folder


def write(folder, name, text):
    record = {"_id": str(name), "text": text}
    (folder / f"{name}.jsonl").write_text(json.dumps(record, ensure_ascii=False), "utf-8")


def nearest(index, encoder, text):
    return index.search([Query(text)], 1, Dense(encoder))[0][0]


def found_by(location, encoder):
    """The texts that an index finds by their own vector, exactly."""
    with closing(open_index(location)) as index:
        hits = [nearest(index, encoder, text) for text in TEXTS]
        return [
            hit.passage.text
            for hit, text in zip(hits, TEXTS, strict=True)
            if hit.passage.text == text and hit.score > 0.99
        ]


def state(location):
    with closing(open_index(location)) as index:
        assert isinstance(index, Upgradable)
        return index.encoder, index.upgrade, final_encoder(index)


def interrupted(location, folder, encoder=FULL, first=FIRST):
    with pytest.raises(KeyboardInterrupt):
        update(location, [folder], encoder, first=first)


def test_an_interrupted_upgrade_is_searched_by_the_first_vectors_and_continued(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    assert state(location) == ("first", Upgrade("hash", 6), "hash")
    assert found_by(location, FIRST) == list(TEXTS)
    with closing(open_index(location)) as index, pytest.raises(UsageError, match="vectors of firs"):
        nearest(index, FULL, TEXTS[0])
    with open_writer(location) as writer:
        assert isinstance(writer, FirstVectors)
        assert writer.verify() == []
        assert writer.without_vectors() == 0
    report = update(location, [folder], FULL, first=FIRST)
    assert report.encoded == 6
    assert state(location) == ("hash", None, "hash")
    assert found_by(location, FULL) == list(TEXTS)
    assert not list((location / "segments").glob("*.first"))


def test_an_interrupted_first_encoding_is_continued(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, first=StopsFirst(2))
    assert state(location) == ("first", Upgrade("hash", 10), "hash")
    with closing(open_index(location)) as index:
        assert index.without_vectors() == 2
    interrupted(location, folder, Stops(0))
    assert found_by(location, FIRST) == list(TEXTS)


def test_changes_during_an_upgrade_are_found_by_both_vectors_in_turn(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(2))
    write(folder, 0, "การเปลี่ยนแปลง")
    (folder / "1.jsonl").unlink()
    interrupted(location, folder, Stops(0))
    for encoder in (FIRST, FULL):
        with closing(open_index(location)) as index:
            texts = ("การเปลี่ยนแปลง", *TEXTS[2:])
            assert [nearest(index, encoder, text).passage.text for text in texts] == list(texts)
            hits = index.search([Query(TEXTS[0])], 99, Dense(encoder))[0]
            assert sorted(hit.passage.text for hit in hits) == sorted(texts)
        update(location, [folder], FULL, first=FIRST)


def test_a_turn_that_began_before_the_end_of_an_upgrade_is_searched_as_before(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    with closing(open_index(location)) as index:
        before = index.fingerprint
        (folder / "9.jsonl").unlink()
        update(location, [folder], FULL, first=FIRST)
        assert index.encoder == "hash"
        assert index.fingerprint != before
        assert nearest(index, FIRST, TEXTS[2]).passage.text == TEXTS[2]
        assert nearest(index, FULL, TEXTS[2]).passage.text == TEXTS[2]
        # What was deleted since is not shown.
        hits = index.search([Query(TEXTS[9])], 99, Dense(FIRST))[0]
        assert sorted(hit.passage.text for hit in hits) == sorted(TEXTS[:9])


def test_few_new_passages_get_their_vectors_at_once(tmp_path, folder):
    location = tmp_path / "index"
    update(location, [folder], FULL, first=FIRST)
    write(folder, "new", "Neue Wörter.")
    interrupted(location, folder, Stops(0), StopsFirst(0))
    assert state(location)[:2] == ("hash", None)
    assert found_by(location, FULL) == list(TEXTS)


def test_many_new_passages_have_the_whole_index_searched_by_first_vectors(tmp_path, folder):
    location = tmp_path / "index"
    more = tmp_path / "more"
    more.mkdir()
    update(location, [more, folder / "0.jsonl"], FULL, first=FIRST)
    interrupted(location, folder, Stops(0))
    assert state(location)[:2] == ("first", Upgrade("hash", 9))
    assert found_by(location, FIRST) == list(TEXTS)
    # The vector that was there is kept.
    assert update(location, [folder], FULL, first=FIRST).encoded == 9
    assert found_by(location, FULL) == list(TEXTS)


def test_without_a_first_encoder_an_upgrade_goes_on_and_its_vectors_are_searched(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    interrupted(location, folder, Stops(1), None)
    assert state(location)[:2] == ("hash", None)
    with closing(open_index(location)) as index:
        assert index.without_vectors() == 2
    assert len(found_by(location, FULL)) == 8
    assert update(location, [folder], FULL).encoded == 2


def test_a_lexical_index_ends_an_upgrade(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    update(location, [folder], None, first=FIRST)
    assert state(location) == ("", None, "")
    with closing(open_index(location)) as index:
        assert index.search([Query("Istanbul")], 9, BM25())


@pytest.mark.parametrize("suffix", ["first", "vectors", "postings"])
def test_damage_during_an_upgrade_is_found_and_repaired(tmp_path, folder, suffix):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    path = next((location / "segments").glob(f"*.{suffix}"))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(IndexDamaged, match="repair"):
        open_index(location)
    with open_writer(location) as writer:
        assert writer.repair() == [path.name]
        assert writer.verify() == []
    update(location, [folder], FULL, first=FIRST)
    assert found_by(location, FULL) == list(TEXTS)


def test_new_rules_of_analysis_and_deletions_keep_both_kinds_of_vectors(tmp_path, folder):
    location = tmp_path / "index"
    interrupted(location, folder, Stops(1))
    with open_writer(location) as writer:
        writer.store.set_meta("analysis", "old")
        writer.commit()
    with open_writer(location) as writer:
        writer.delete("1")
        writer.commit()
        writer.compact()
        assert writer.verify() == []
    assert state(location)[:2] == ("first", Upgrade("hash", 6))
    assert found_by(location, FIRST) == [TEXTS[0], *TEXTS[2:]]


def stored_format(location):
    with closing(sqlite3.connect(location / "store.sqlite")) as db:
        return db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0]


def test_an_index_of_the_former_version_is_searched_and_upgraded(tmp_path, folder):
    location = tmp_path / "index"
    update(location, [folder], FULL)
    assert stored_format(location) == "3"
    other = HashEncoder()
    other.name = "other"
    with closing(open_index(location)) as index:
        assert index.upgrade is None
        assert nearest(index, FULL, TEXTS[3]).passage.text == TEXTS[3]
        update(location, [folder], other, first=FIRST)
        assert index.encoder == "other"
    # A version that knows no first vectors refuses the index.
    assert stored_format(location) == "4"
    assert found_by(location, other) == list(TEXTS)
