"""Bringing an index up to date: incremental, and equal to one made afresh."""

import json
import os
import shutil
import sqlite3

import pytest
from support.hash_encoder import HashEncoder

from anaphora.errors import AnaphoraError, IndexDamaged, UsageError
from anaphora.index import BM25, Dense, LMDirichlet, open_index, open_writer
from anaphora.index.local import writer as local_writer
from anaphora.ingest.update import update
from anaphora.records import Query

PAGES = {
    "en.md": "# Packages\n\nThe apt tool installs packages from a repository.",
    "de.md": "# Pakete\n\nDas Werkzeug apt installiert Pakete aus einem Verzeichnis im Netz.",
    "tr.md": "# Paketler\n\nIstanbul'da İSTANBUL kışın ışıklarla aydınlatılır.",
    "zh.md": "# 软件包\n\n管理员可以用命令安装软件包，也可以把它们删除。",
    "ja.md": "# パッケージ\n\n東京都の利用者はパッケージを簡単に追加できます。",
    "th.md": "# แพ็กเกจ\n\nผู้ใช้สามารถติดตั้งโปรแกรมใหม่ได้อย่างง่ายดาย",
    "ar.md": "# الحزم\n\nيمكن للمستخدم تثبيت البرامج الجديدة بسهولة.",
    "vi.md": "# Gói phần mềm\n\nNgười dùng có thể cài đặt phần mềm mới dễ dàng.",
    "ru.md": "# Пакеты\n\nПользователь может легко установить новые программы.",
}
ASKED = [
    ("installing a package", "en.md"),
    ("Verzeichnisse im Netz", "de.md"),
    ("istanbul ışıkları", "tr.md"),
    ("怎样删除软件包", "zh.md"),
    ("東京の利用者", "ja.md"),
    ("ติดตั้งโปรแกรม", "th.md"),
    ("تَثْبِيت البرنامج", "ar.md"),
    ("cài đặt phần mềm", "vi.md"),
    ("установка программы", "ru.md"),
]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def search(index, text, k=20, mode=None):
    opened = open_index(index)
    (hits,) = opened.search([Query(text)], k, mode or BM25())
    opened.close()
    return [(hit.passage.passage_id, round(hit.score, 5)) for hit in hits]


@pytest.mark.parametrize(("question", "page"), ASKED, ids=[page for _, page in ASKED])
def test_every_language_is_found_by_its_own_words(folder, tmp_path, question, page):
    update(tmp_path / "index", [folder], None)
    assert search(tmp_path / "index", question)[0][0] == f"docs/{page}#1"


def test_unchanged_files_are_not_read_again(folder, tmp_path, monkeypatch):
    first = update(tmp_path / "index", [folder], None)
    assert (first.files, first.unchanged) == (9, 0)
    monkeypatch.setattr("anaphora.ingest.update.read", lambda *_: pytest.fail("read again"))
    monkeypatch.setattr("anaphora.ingest.update.digest_of", lambda *_: pytest.fail("opened again"))
    second = update(tmp_path / "index", [folder], None)
    assert (second.files, second.unchanged, second.removed) == (0, 9, 0)


def test_a_file_only_touched_is_not_read_again(folder, tmp_path, monkeypatch):
    update(tmp_path / "index", [folder], None)
    os.utime(folder / "en.md", ns=(1, 1))
    monkeypatch.setattr("anaphora.ingest.update.read", lambda *_: pytest.fail("read again"))
    assert update(tmp_path / "index", [folder], None).unchanged == 9


def test_changed_files_are_replaced_and_vanished_ones_removed(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    (folder / "en.md").write_text("# Kernel\n\nThe kernel schedules processes.", "utf-8")
    (folder / "ru.md").unlink()
    report = update(index, [folder], None)
    assert (report.files, report.unchanged, report.removed) == (1, 7, 1)
    assert search(index, "repository") == []
    assert search(index, "processes")[0][0] == "docs/en.md#1"
    assert search(index, "Пользователь") == []


def test_other_roots_are_left_alone(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("The scheduler is fair.", "utf-8")
    update(tmp_path / "index", [folder], None)
    update(tmp_path / "index", [other], None)
    assert search(tmp_path / "index", "repository")
    assert search(tmp_path / "index", "scheduler")


def test_an_index_brought_up_to_date_scores_like_one_made_afresh(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 1)
    lines = [json.dumps({"_id": str(n), "text": f"server {n % 7} answers {n}"}) for n in range(30)]
    (folder / "r.jsonl").write_text("\n".join(lines), "utf-8")
    update(tmp_path / "index", [folder], HashEncoder())
    changed = [*lines[3:10], lines[12].replace("server", "client"), *lines[15:]]
    (folder / "r.jsonl").write_text("\n".join(changed), "utf-8")
    (folder / "de.md").write_text("Ganz anderes steht jetzt hier.", "utf-8")
    report = update(tmp_path / "index", [folder], HashEncoder())
    assert report.documents == 2, "only the changed record and the changed page are new"
    update(tmp_path / "fresh", [folder], HashEncoder())
    for model in (BM25(), LMDirichlet(50)):
        for text in ("server answers", "client 3", "anderes", "packages", "软件包"):
            updated, fresh = (
                sorted(search(tmp_path / name, text, 50, model)) for name in ("index", "fresh")
            )
            assert updated == fresh


def test_a_second_document_with_an_id_is_reported_and_the_first_kept(folder, tmp_path):
    (folder / "a.jsonl").write_text('{"_id": "x", "text": "first words"}\n', "utf-8")
    (folder / "b.jsonl").write_text(
        '{"_id": "x", "text": "second words"}\n{"_id": "y", "text": "other"}\n'
        '{"_id": "y", "text": "again"}\n',
        "utf-8",
    )
    report = update(tmp_path / "index", [folder], None)
    assert len(report.skipped) == 2
    assert "'x'" in report.skipped[0].reason
    assert "a.jsonl" in report.skipped[0].reason
    assert "'y'" in report.skipped[1].reason
    assert search(tmp_path / "index", "words") == search(tmp_path / "index", "first words")[:1] or (
        search(tmp_path / "index", "second") == []
    )
    assert search(tmp_path / "index", "second") == []


def test_an_unreadable_file_is_reported_each_time_and_keeps_what_it_gave_before(folder, tmp_path):
    index = tmp_path / "index"
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4\n1 0 obj")
    for _ in range(2):
        report = update(index, [folder], None)
        assert [item.name for item in report.skipped] == ["docs/bad.pdf"]
    (folder / "en.md").write_bytes(bytes(range(256)) * 20)
    report = update(index, [folder], None)
    assert {item.name for item in report.skipped} == {"docs/bad.pdf", "docs/en.md"}
    assert search(index, "repository"), "the version indexed before is kept"


def test_a_missing_root_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        update(tmp_path / "index", [tmp_path / "nowhere"], None)


def test_many_commits_end_in_few_segments_however_small_the_last_one(tmp_path, monkeypatch):
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 40)
    lines = [json.dumps({"_id": str(n), "text": f"word {n}"}) for n in range(401)]
    (tmp_path / "r.jsonl").write_text("\n".join(lines), "utf-8")
    update(tmp_path / "index", [tmp_path / "r.jsonl"], None)
    assert len(list((tmp_path / "index" / "segments").iterdir())) == 1
    (tmp_path / "s.jsonl").write_text('{"_id": "new", "text": "one more"}', "utf-8")
    update(tmp_path / "index", [tmp_path / "s.jsonl"], None)
    assert len(list((tmp_path / "index" / "segments").iterdir())) == 2, "large ones are left alone"


def test_a_root_that_has_vanished_is_removed(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    shutil.rmtree(folder)
    report = update(index, [folder], None)
    assert (report.removed, report.held) == (9, 0)
    assert search(index, "repository") == []


def test_only_one_process_writes(folder, tmp_path):
    with open_writer(tmp_path / "index"), pytest.raises(AnaphoraError, match="another process"):
        open_writer(tmp_path / "index")
    open_writer(tmp_path / "index").__exit__(None, None, None)


def test_a_reader_sees_commits_made_while_it_is_open(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    opened = open_index(index)
    (folder / "new.md").write_text("Quasars shine brightly in distant galaxies.", "utf-8")
    assert opened.search([Query("quasars")], 5, BM25()) == [[]]
    update(index, [folder], None)
    assert len(opened.search([Query("quasars")], 5, BM25())[0]) == 1
    opened.close()


def test_readers_work_while_a_writer_is_in_the_middle(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    with open_writer(index) as writer:
        writer.delete("docs/en.md")
        assert search(index, "repository"), "not committed, not seen"


@pytest.mark.parametrize("kind", ["postings", "vectors"])
@pytest.mark.parametrize("harm", ["flip", "cut", "remove"])
def test_damage_is_detected_and_repaired(folder, tmp_path, kind, harm):
    index = tmp_path / "index"
    update(index, [folder], HashEncoder())
    before = search(index, "packages 软件包")
    vectors = search(index, PAGES["th.md"], 20, Dense(HashEncoder()))
    assert len(vectors) == 9
    path = next((index / "segments").glob(f"*.{kind}"))
    data = bytearray(path.read_bytes())
    if harm == "flip":
        data[-1] ^= 0xFF
        path.write_bytes(data)
    elif harm == "cut":
        path.write_bytes(data[: len(data) // 2])
    else:
        path.unlink()
    with pytest.raises(IndexDamaged, match="repair"):
        open_index(index)
    with open_writer(index) as writer:
        assert len(writer.verify()) == 1
        assert writer.repair() == [path.name]
        assert writer.verify() == []
        # Damaged postings are rebuilt without encoding the passages again.
        assert writer.without_vectors() == (9 if kind == "vectors" else 0)
    assert search(index, "packages 软件包") == before
    report = update(index, [folder], HashEncoder())
    assert report.encoded == (9 if kind == "vectors" else 0)
    assert search(index, PAGES["th.md"], 20, Dense(HashEncoder())) == vectors


def test_bit_rot_that_keeps_size_and_time_is_found_by_verify(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    path = next((index / "segments").glob("*.postings"))
    stat = path.stat()
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with open_writer(index) as writer:
        assert "is damaged" in writer.verify()[0]
        writer.repair()
        assert writer.verify() == []


def test_a_copied_index_works(folder, tmp_path):
    update(tmp_path / "index", [folder], None)
    shutil.copytree(tmp_path / "index", tmp_path / "copy", copy_function=shutil.copy)
    assert search(tmp_path / "copy", "packages") == search(tmp_path / "index", "packages")


def test_an_index_of_a_newer_format_is_refused_in_one_sentence(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    with sqlite3.connect(index / "store.sqlite") as db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    for use in (open_index, open_writer):
        with pytest.raises(AnaphoraError, match="newer"):
            use(index)


def test_other_rules_for_words_renew_the_lists(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], HashEncoder())
    before = search(index, "packages")
    with sqlite3.connect(index / "store.sqlite") as db:
        db.execute("UPDATE meta SET value = 'old' WHERE key = 'analysis'")
    with pytest.raises(AnaphoraError, match="other rules"):
        open_index(index)
    update(index, [folder], HashEncoder())
    assert search(index, "packages") == before


def test_no_index_is_one_sentence(tmp_path):
    with pytest.raises(AnaphoraError, match="there is no index"):
        open_index(tmp_path)


def test_a_damaged_database_is_one_sentence(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    (index / "store.sqlite").write_bytes(b"not a database at all" * 100)
    for leftover in ("store.sqlite-wal", "store.sqlite-shm"):
        (index / leftover).unlink(missing_ok=True)
    with pytest.raises(AnaphoraError, match="damaged"):
        open_index(index)


def test_a_changed_encoder_replaces_the_vectors(folder, tmp_path):
    index = tmp_path / "index"
    update(index, [folder], None)
    assert not open_index(index).encoder
    assert update(index, [folder], HashEncoder()).encoded == 9
    assert open_index(index).encoder == "hash"
    update(index, [folder], None)
    assert not open_index(index).encoder


TABLES = {
    "en": ("Option", "Default", "What is the default of the option?"),
    "ru": ("Параметр", "Значение по умолчанию", "значение по умолчанию"),
    "tr": ("Seçenek", "Varsayılan değer", "varsayılan değer"),
    "zh": ("选项", "默认设置", "默认设置是什么"),
    "ar": ("الخيار", "القيمة الافتراضية", "القيمة الافتراضية"),
    "th": ("ตัวเลือก", "ค่าเริ่มต้น", "ค่าเริ่มต้น"),
}


@pytest.mark.parametrize("lang", TABLES)
def test_the_rows_of_a_long_table_are_searched_with_its_header(tmp_path, lang):
    first, second, question = TABLES[lang]
    rows = "\n".join(
        f"| alpha{n} beta{n} gamma{n} | delta{n} epsilon{n} zeta{n} |" for n in range(90)
    )
    (tmp_path / "docs").mkdir()
    page = f"# A\n\n| {first} | {second} |\n|---|---|\n{rows}\n"
    (tmp_path / "docs" / "a.md").write_text(page, "utf-8")
    (tmp_path / "docs" / "b.md").write_text("# B\n\nSomething else, without a table.", "utf-8")
    update(tmp_path / "index", [tmp_path / "docs"], None)
    opened = open_index(tmp_path / "index")
    passages = opened.passages_of("docs/a.md")
    (hits,) = opened.search([Query(question)], 50, BM25())
    opened.close()
    assert len(passages) > 3
    assert {hit.passage.passage_id for hit in hits} == {one.passage_id for one in passages}
    assert all(f"{first} | {second}" in one.searched_text for one in passages)
    assert all(one.searched_text.count(second) == 1 for one in passages)


def test_a_header_does_not_grow_every_passage_without_limit(tmp_path):
    rows = "\n".join(f"| {n} | value {n} of the long table |" for n in range(200))
    header = "name " * 3_000
    (tmp_path / "a.md").write_text(f"# A\n\n| n | {header} |\n|---|---|\n{rows}\n")
    update(tmp_path / "index", [tmp_path / "a.md"], None)
    opened = open_index(tmp_path / "index")
    passages = opened.passages_of("a.md")
    opened.close()
    assert all(len(one.searched_text) < len(one.text) + 320 for one in passages)


def test_tables_of_an_older_index_are_indexed_again(tmp_path):
    rows = "\n".join(f"| alpha{n} beta{n} gamma{n} | delta{n} |" for n in range(90))
    (tmp_path / "a.md").write_text(f"# A\n\n| Option | Standard |\n|---|---|\n{rows}\n")
    (tmp_path / "b.md").write_text("# B\n\nNo table here.")
    update(tmp_path / "index", [tmp_path / "a.md", tmp_path / "b.md"], None)
    # As an older version has left it: read by other rules, with another digest of what has tables.
    with sqlite3.connect(tmp_path / "index" / "ledger.sqlite") as ledger:
        ledger.execute("PRAGMA user_version = 2")
        ledger.execute("UPDATE documents SET digest = x'00' WHERE doc_id = 'a.md'")
    report = update(tmp_path / "index", [tmp_path / "a.md", tmp_path / "b.md"], None)
    assert (report.files, report.documents) == (2, 1)
