"""The source viewer: the quote in its place, in the text and on the pages of a PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from support.library import write

pytest.importorskip("playwright")

from playwright.sync_api import expect
from support.browsing import Server, Visit, serving, violations

from anaphora.index import Index, open_index
from anaphora.ingest.update import update

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETTINGS = '[rerank]\nmethod = "none"\n'
KINDS = {"en": "pdf", "ar": "md", "zh": "html", "vi": "docx", "th": "epub", "ja": "txt"}
TABLES = {
    "en": [("Pier", "Goal", "Price"), ("1", "Old town", "4"), ("2", "Seal island", "12")],
    "ar": [("الرصيف", "الوجهة", "السعر"), ("1", "المدينة القديمة", "4"), ("2", "الجزيرة", "12")],
    "zh": [("码头", "目的地", "票价"), ("1", "旧城", "4"), ("2", "海豹岛", "12")],
    "th": [("ท่าเรือ", "ปลายทาง", "ราคา"), ("1", "เมืองเก่า", "4"), ("2", "เกาะแมวน้ำ", "12")],
    "vi": [("Bến", "Điểm đến", "Giá"), ("1", "Phố cổ", "4"), ("2", "Đảo hải cẩu", "12")],
}
LONG = 20_000
"""Sentences of a long document, of about a megabyte."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of a guide in several languages, each in another format, and a long document."""
    folder = tmp_path_factory.mktemp("viewer")
    (folder / "guide").mkdir()
    for lang, kind in KINDS.items():
        write(folder / "guide" / f"{lang}.{kind}", kind, lang)
    for lang, rows in TABLES.items():
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        table = f"<table>{cells.replace('td>', 'th>', 2 * len(rows[0]))}</table>"
        (folder / "guide" / f"table-{lang}.html").write_text(
            f"<!doctype html><meta charset=utf-8><h1>1 {lang}</h1>{table}<h2>2</h2>{table}", "utf-8"
        )
    lines = (f"Sentence {n} is 𝒏𝒐𝒕 about the pump." for n in range(LONG))
    (folder / "guide" / "long.txt").write_text("\n\n".join(lines), "utf-8")
    update(folder / "library", [folder / "guide"], None)
    return folder / "library"


@pytest.fixture(scope="module")
def server(library: Path) -> Iterator[Server]:
    with serving(library.parent, SETTINGS, library=library) as running:
        yield running


@pytest.fixture(scope="module")
def index(library: Path) -> Iterator[Index]:
    index = open_index(library)
    yield index
    index.close()


def address(index: Index, doc_id: str, number: int, start: int, end: int) -> tuple[str, str]:
    """The address of a quote, and the quote."""
    passage = index.passages_of(doc_id)[number]
    place = {"index": "library", "passage": passage.passage_id, "start": start, "end": end}
    return f"/source?{urlencode(place)}", passage.text[start:end]


def quoted(page: Page) -> str:
    return "".join("".join(page.locator("mark.viewer-quote").all_text_contents()).split())


@pytest.mark.parametrize("lang", KINDS)
def test_the_quote_is_marked_in_its_place(
    visit: Callable[..., Visit], index: Index, lang: str
) -> None:
    path, quote = address(index, f"guide/{lang}.{KINDS[lang]}", 2, 3, 45)
    page = visit(path).page
    if KINDS[lang] == "pdf":
        page.get_by_role("button", name="Text", exact=True).click()
    mark = page.locator("mark.viewer-quote").first
    expect(mark).to_be_in_viewport()
    assert quoted(page) == "".join(quote.split())
    direction = mark.evaluate("mark => getComputedStyle(mark).direction")
    assert direction == ("rtl" if lang == "ar" else "ltr")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()


def test_a_pdf_shows_its_pages_with_the_quote_marked(
    visit: Callable[..., Visit], index: Index
) -> None:
    number = next(
        n for n, one in enumerate(index.passages_of("guide/en.pdf")) if "step 18" in one.text
    )
    path, _ = address(index, "guide/en.pdf", number, 0, 5_000)
    page = visit(path).page
    image = page.locator(".viewer-image")
    expect(page.locator(".viewer-box").first).to_be_visible()
    assert image.evaluate("async image => (await image.decode(), image.naturalWidth)") >= 400
    expect(page.locator(".viewer-number")).to_have_value("1")
    sheet = page.locator(".viewer-sheet").bounding_box()
    assert sheet
    for box in page.locator(".viewer-box").all():
        place = box.bounding_box()
        assert place
        assert sheet["x"] < place["x"] < sheet["x"] + sheet["width"]
        assert sheet["y"] < place["y"] < sheet["y"] + sheet["height"]
    page.get_by_role("button", name="Next page").click()
    expect(page.locator(".viewer-number")).to_have_value("2")
    expect(page.locator(".viewer-box").first).to_be_visible()
    page.get_by_role("button", name="Larger").click()
    wider = page.locator(".viewer-sheet").bounding_box()
    assert wider
    assert wider["width"] > 1.2 * sheet["width"]


@pytest.mark.parametrize("lang", TABLES)
def test_a_table_is_a_grid_with_the_quoted_row_marked(
    visit: Callable[..., Visit], index: Index, lang: str
) -> None:
    number, row = next(
        (number, block)
        for number, passage in enumerate(index.passages_of(f"guide/table-{lang}.html"))
        for block in passage.blocks
        if block.kind == "row" and passage.text[block.start :].startswith("2 |")
    )
    path, _ = address(index, f"guide/table-{lang}.html", number, row.start, row.end)
    page = visit(path).page
    tables = page.locator(".viewer-table")
    expect(tables).to_have_count(2)
    table = tables.first
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tr").all()]
    assert rows == [list(row) for row in TABLES[lang]]
    assert table.locator("thead th[scope=col]").count() == 3
    assert page.locator("mark.viewer-quote").all_inner_texts() == list(TABLES[lang][2])
    first, second = (table.locator("tbody td").nth(at).bounding_box() for at in (0, 1))
    assert first
    assert second
    assert (first["x"] > second["x"]) is (lang == "ar")
    assert first["y"] == second["y"]


def test_a_document_of_the_list_is_shown_from_its_beginning(visit: Callable[..., Visit]) -> None:
    here = visit()
    here.page.get_by_role("button", name="Documents").click()
    entry = here.page.locator(".document-list li", has_text="guide/long.txt")
    entry.get_by_role("button").first.click()
    expect(here.page.locator(".viewer-text")).to_contain_text("Sentence 0 is 𝒏𝒐𝒕")
    expect(here.page.locator(".viewer-path")).to_have_text("guide/long.txt")
    expect(here.page.locator("mark.viewer-quote")).to_have_count(0)
    assert here.page.locator(".viewer-text").evaluate("text => text.scrollTop") == 0


def test_a_long_document_is_loaded_around_the_quote(
    visit: Callable[..., Visit], index: Index
) -> None:
    doc_id = "guide/long.txt"
    document = index.document(doc_id)
    assert document
    middle = document.passages // 2
    path, quote = address(index, doc_id, middle, 2, 40)
    here = visit()
    asked: list[str] = []
    here.page.on("request", lambda request: asked.append(request.url))
    here.open(path)
    page = here.page
    expect(page.locator("mark.viewer-quote").first).to_be_in_viewport()
    assert quoted(page) == "".join(quote.split())
    loaded = page.locator(".viewer-text").inner_text()
    assert len(loaded) < document.length / 5
    assert "𝒏𝒐𝒕" in loaded
    # What is above and below comes when it is scrolled to, without a gap or a repetition.
    for edge in ("Home", "End", "End", "End"):
        page.locator(".viewer-text").press(edge)
        page.wait_for_load_state("networkidle")
    numbers = [
        int(line.split()[1])
        for line in page.locator(".viewer-text").inner_text().splitlines()
        if line.startswith("Sentence")
    ]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert page.locator(".viewer-part").count() <= 8
    assert all("size=" in url for url in asked if "/document?" in url)


def test_a_quote_is_copied_and_asked_about(visit: Callable[..., Visit], index: Index) -> None:
    path, quote = address(index, "guide/vi.docx", 0, 0, 30)
    here = visit(path, permissions=["clipboard-read", "clipboard-write"])
    page = here.page
    page.get_by_role("button", name="Copy the quote with its source").click()
    expect(page.locator("#announcements")).to_have_text("The quote is copied with its source.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert quote in copied
    assert "guide/vi.docx" in copied
    assert f"{here.server.address}/source?" in copied
    page.get_by_role("button", name="Ask about this").click()
    question = page.locator("#question")
    expect(question).to_be_focused()
    assert quote.strip() in question.input_value()


def test_the_arrow_keys_move_between_the_citations_of_an_answer(
    visit: Callable[..., Visit],
) -> None:
    here = visit()
    turn = here.ask("水泵")
    marks = turn.locator("a.source, a.nearest-title")
    assert marks.count() >= 2
    marks.first.click()
    page = here.page
    counter = page.locator(".viewer-head .hint", has_text=" of ")
    expect(counter).to_have_text(f"1 of {marks.count()}")
    page.keyboard.press("ArrowRight")
    expect(counter).to_have_text(f"2 of {marks.count()}")
    page.keyboard.press("ArrowLeft")
    expect(counter).to_have_text(f"1 of {marks.count()}")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()


def test_a_passage_that_is_gone(visit: Callable[..., Visit]) -> None:
    here = visit("/source?index=library&passage=gone%231", allowed=("404",))
    dialog = here.page.get_by_role("dialog")
    expect(dialog).to_contain_text("he index holds no passage 'gone#1'")


@pytest.mark.parametrize("lang", ["en", "ar"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_it_covers_the_page_and_is_accessible(
    visit: Callable[..., Visit], index: Index, lang: str, scheme: str
) -> None:
    path, _ = address(index, f"guide/{lang}.{KINDS[lang]}", 1, 0, 40)
    here = visit(
        path,
        viewport={"width": 390, "height": 800},
        locale=lang,
        color_scheme=scheme,
        has_touch=True,
    )
    panel = here.page.locator("#panel")
    expect(panel).to_be_visible()
    expect(here.page.locator(".viewer-image, mark.viewer-quote").first).to_be_visible()
    assert panel.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 800}
    assert here.page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(here.page) == []
