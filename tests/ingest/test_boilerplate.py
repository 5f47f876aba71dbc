"""Text that pages repeat at their beginning and end is left out; what stands between stays."""

import shutil
from dataclasses import replace

import pytest

from anaphora.index import BM25, open_index
from anaphora.ingest.boilerplate import shared, without
from anaphora.ingest.update import update
from anaphora.records import Block, Document, Query, Section

# Home line, warning, page lines: in each language as pages without markup for navigation have them.
PAGES = {
    "en": ("Back to the start page", "Switch the power off first.", "Next: see the overview"),
    "de": ("Zurück zur Startseite", "Zuerst den Strom abschalten.", "Weiter zur Übersicht"),
    "ru": ("Назад к содержанию", "Сначала отключите питание.", "Далее: обзор руководства"),
    "tr": ("Ana sayfaya dön", "Önce gücü kesin.", "Sonraki: genel bakış"),
    "vi": ("Quay về trang chủ", "Hãy tắt nguồn trước.", "Tiếp theo: tổng quan"),
    "zh": ("返回首页", "请先切断电源。", "下一页：概述"),
    "ja": ("目次に戻る", "最初に電源を切ってください。", "次へ：概要"),
    "th": ("กลับไปหน้าแรก", "ปิดเครื่องก่อน", "ถัดไป: ภาพรวม"),
    "ar": ("العودة إلى الصفحة الرئيسية", "افصل التيار أولا.", "التالي: نظرة عامة"),
}


def page(lang, number):
    home, warning, following = PAGES[lang]
    return (
        f"<title>{number}</title><p>{home}</p><h1>Part {number}</h1><p>Screw {number} is loose.</p>"
        f"<p>{warning}</p><p>Tighten screw {number}.</p><p>{following}</p>"
    )


def write(folder, lang, numbers):
    folder.mkdir(exist_ok=True)
    for number in numbers:
        (folder / f"{number}.html").write_text(page(lang, number), "utf-8")


def texts(index):
    opened = open_index(index)
    found = {
        document.doc_id: [passage.text for passage in opened.passages_of(document.doc_id)]
        for document in opened.documents()
    }
    opened.close()
    return found


@pytest.mark.parametrize("lang", PAGES)
def test_what_pages_begin_and_end_with_is_left_out(tmp_path, lang):
    write(tmp_path / "docs", lang, range(8))
    update(tmp_path / "index", [tmp_path / "docs"], None)
    home, warning, following = PAGES[lang]
    kept = "\n".join(texts(tmp_path / "index")["docs/0.html"])
    assert home in kept
    assert following in kept
    for number in range(1, 8):
        text = "\n".join(texts(tmp_path / "index")[f"docs/{number}.html"])
        assert home not in text
        assert following not in text
        assert f"Screw {number} is loose.\n\n{warning}" in text
    opened = open_index(tmp_path / "index")
    (hits,) = opened.search([Query(following)], 5, BM25())
    opened.close()
    assert {hit.passage.doc_id for hit in hits if following in hit.passage.text} == {"docs/0.html"}


def test_four_pages_are_no_collection(tmp_path):
    write(tmp_path / "docs", "en", range(4))
    update(tmp_path / "index", [tmp_path / "docs"], None)
    assert all(PAGES["en"][2] in "\n".join(found) for found in texts(tmp_path / "index").values())


def test_an_updated_index_equals_one_made_afresh(tmp_path):
    write(tmp_path / "docs", "en", range(4))
    update(tmp_path / "index", [tmp_path / "docs"], None)
    write(tmp_path / "docs", "en", range(4, 12))
    report = update(tmp_path / "index", [tmp_path / "docs"], None)
    assert report.documents == 11, "three of the first four change"
    update(tmp_path / "fresh", [tmp_path / "docs"], None)
    assert texts(tmp_path / "index") == texts(tmp_path / "fresh")
    again = update(tmp_path / "index", [tmp_path / "docs"], None)
    assert (again.files, again.unchanged) == (0, 12)
    for number in range(3):
        (tmp_path / "docs" / f"{number}.html").unlink()
    update(tmp_path / "index", [tmp_path / "docs"], None)
    kept = [name for name, found in texts(tmp_path / "index").items() if PAGES["en"][0] in found[0]]
    assert kept == ["docs/10.html"], "the first by name"
    for number in range(4, 12):
        (tmp_path / "docs" / f"{number}.html").unlink()
    update(tmp_path / "index", [tmp_path / "docs"], None)
    shutil.rmtree(tmp_path / "fresh")
    update(tmp_path / "fresh", [tmp_path / "docs"], None)
    assert texts(tmp_path / "index") == texts(tmp_path / "fresh")
    assert PAGES["en"][0] in texts(tmp_path / "index")["docs/3.html"][0]


def document(*paragraphs, lang="en"):
    blocks, at = [], 0
    for one in paragraphs:
        blocks.append(Block("paragraph", at, at + len(one)))
        at += len(one) + 2
    text = "\n\n".join(paragraphs)
    return Document("a", "A", text, lang, (Section(0, ("One",)),), blocks=tuple(blocks))


def test_each_language_of_a_folder_counts_for_itself():
    pages = [document("Zurück", f"Seite {n}", lang="de") for n in range(6)]
    pages += [document(f"Page {n}", f"{n} ends") for n in range(30)]
    assert shared(pages) == {"zurück": "a"}


def test_copies_of_one_page_keep_their_text():
    pages = [document("Only this.", "And that.") for _ in range(9)]
    found = shared(pages)
    other = replace(pages[0], doc_id="b")
    assert len(found) == 2
    assert without(other, found) == other


def test_blocks_and_sections_keep_their_places():
    home = document("Home", "First part.", "Home", "Second part.", "Bye", "Home")
    left = without(home, {"home": "b", "bye": "b"})
    assert left.text == "First part.\n\nHome\n\nSecond part."
    assert [left.text[one.start : one.end] for one in left.blocks] == left.text.split("\n\n")
    assert left.sections == (Section(0, ("One",)),)
