"""The ledger never claims that the index holds what it does not, whenever a run ends."""

import json

import pytest
from support.hash_encoder import HashEncoder

from anaphora.index import BM25, open_index, open_writer
from anaphora.index.local.writer import LocalWriter
from anaphora.ingest.ledger import Ledger
from anaphora.ingest.update import update, update_index
from anaphora.records import Query


class Stopped(BaseException):
    """The end of a process."""


class StopsBefore(LocalWriter):
    def commit(self):
        raise Stopped


class StopsAfter(LocalWriter):
    def commit(self):
        super().commit()
        raise Stopped


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("Pumps move water.", "utf-8")
    (folder / "b.md").write_text("水泵输送水。", "utf-8")
    write(folder / "c.jsonl", {"1": "first record", "2": "second record"})
    return folder


def write(path, records):
    lines = [json.dumps({"_id": name, "text": text}) for name, text in records.items()]
    path.write_text("\n".join(lines), "utf-8")


def texts(index):
    opened = open_index(index)
    (hits,) = opened.search([Query("Pumps water valves records second first 水泵")], 99, BM25())
    opened.close()
    return sorted(hit.passage.text for hit in hits)


@pytest.mark.parametrize("writer", [StopsBefore, StopsAfter])
@pytest.mark.parametrize("then", ["reverted", "deleted", "left"])
def test_a_run_that_ends_around_a_commit_does_not_mislead_the_next(folder, tmp_path, writer, then):
    index = tmp_path / "index"
    update(index, [folder], None)
    original = (folder / "a.md").read_text("utf-8")
    (folder / "a.md").write_text("Valves stop water.", "utf-8")
    (folder / "new.md").write_text("New valves.", "utf-8")
    write(folder / "c.jsonl", {"2": "second record, changed"})
    with pytest.raises(Stopped), writer(index) as stopping:
        update_index(stopping, [folder], None)
    if then == "reverted":
        (folder / "a.md").write_text(original, "utf-8")
        write(folder / "c.jsonl", {"1": "first record", "2": "second record"})
    elif then == "deleted":
        for name in ("a.md", "new.md", "c.jsonl"):
            (folder / name).unlink()
    update(index, [folder], None)
    update(tmp_path / "fresh", [folder], None)
    assert texts(index) == texts(tmp_path / "fresh")
    assert update(index, [folder], None).files == 0


def test_documents_that_are_in_the_index_are_not_encoded_again(folder, tmp_path):
    index = tmp_path / "index"
    with open_writer(index):
        pass
    with pytest.raises(Stopped), StopsAfter(index) as stopping:
        update_index(stopping, [folder], HashEncoder())
    report = update(index, [folder], HashEncoder())
    assert (report.files, report.documents, report.encoded) == (3, 0, 4)


def test_a_renamed_file_keeps_its_records(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    (folder / "c.jsonl").rename(folder / "d.jsonl")
    report = update(index, [folder], None)
    assert (report.removed, report.documents, report.skipped) == (1, 2, [])
    assert "first record" in texts(index)


def test_an_empty_index_is_filled_whatever_the_ledger_says(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    (index / "store.sqlite").unlink()
    assert update(index, [folder], None).documents == 4


def test_documents_by_file_and_their_owner(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    with Ledger(index) as ledger:
        assert ledger.paths() == sorted(str(path) for path in folder.iterdir())
        assert ledger.documents(str(folder / "c.jsonl")).keys() == {"1", "2"}
        assert all(ledger.documents(str(folder / "c.jsonl")).values())
        assert ledger.owner("docs/b.md") == str(folder / "b.md")
        assert ledger.owner("nothing") is None
