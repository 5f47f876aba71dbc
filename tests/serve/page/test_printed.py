"""PDFs with embedded fonts, which a browser prints, are read with their structure and their boxes.

Fonts of other scripts than these are not on every machine; Arabic is tried where there is one.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.blocks import check_blocks

from anaphora.ingest.pdf import boxes, read_pdf

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = {
    "en": (
        "Pumps",
        "The pump moves water from the well to the tank. It stops by itself when the tank is full, "
        "and it starts again as soon as somebody opens the tap.",
        ("Open the valve.", "Press the green key."),
    ),
    "de": (
        "Pumpen",
        "Die Pumpe fördert Wasser in den Behälter. Sie hält von selbst an, wenn der Behälter voll "
        "ist, und läuft größtenteils geräuschlos.",
        ("Öffnen Sie das Ventil.", "Drücken Sie die grüne Taste."),
    ),
    "ru": (
        "Насосы",
        "Насос подаёт воду из колодца в бак. Он останавливается сам, когда бак полон, и снова "
        "включается, как только открывают кран.",
        ("Откройте вентиль.", "Нажмите зелёную кнопку."),
    ),
    "tr": (
        "Pompalar",
        "Pompa suyu kuyudan depoya taşır. Depo dolunca kendiliğinden durur, musluk açılınca "
        "yeniden çalışır.",
        ("Vanayı açın.", "Yeşil düğmeye basın."),
    ),
    "vi": (
        "Máy bơm",
        "Máy bơm đưa nước từ giếng lên bể. Nó tự dừng khi bể đầy và chạy lại khi có người mở vòi.",
        ("Mở van.", "Nhấn phím màu xanh."),
    ),
}
CODE = "pump --start\n    --quiet"


def printed(browser: Browser, path: Path, lang: str) -> Path:
    title, prose, steps = PAGES[lang]
    items = "".join(f"<li>{step}</li>" for step in steps)
    page = browser.new_page()
    page.set_content(
        f"<html lang={lang}><title>{title}</title><h1>{title}</h1><p>{prose}</p><ol>{items}</ol>"
        f'<pre style="font-family: monospace">{CODE}</pre><p>{prose}</p></html>'
    )
    page.pdf(path=path, format="A5")
    page.close()
    return path


@pytest.mark.parametrize("lang", PAGES)
def test_a_printed_page_keeps_its_structure(browser: Browser, tmp_path: Path, lang: str) -> None:
    title, prose, steps = PAGES[lang]
    content = read_pdf(printed(browser, tmp_path / "a.pdf", lang))
    composed = check_blocks(content.elements)
    shown = [
        (block.kind, composed.text[block.start : block.end].strip()) for block in composed.blocks
    ]
    assert [section.path for section in composed.sections] == [(title,)]
    assert shown == [
        ("paragraph", prose),
        *(("item", step) for step in steps),
        ("code", CODE),
        ("paragraph", prose),
    ]


@pytest.mark.parametrize("lang", PAGES)
def test_words_of_embedded_fonts_have_their_boxes(
    browser: Browser, tmp_path: Path, lang: str
) -> None:
    _, prose, steps = PAGES[lang]
    path = printed(browser, tmp_path / "a.pdf", lang)
    (whole,) = boxes(path, [1], prose)
    (first,), (second,) = (boxes(path, [1], step) for step in steps)
    assert len(whole.boxes) >= 2, "one for each line"
    assert len(first.boxes) == len(second.boxes) == 1
    for above, below in ((whole, first), (first, second)):
        assert below.boxes[0][3] < above.boxes[-1][1], "the lower left corner is the origin"
    assert all(0 < left < right < first.width for left, _, right, _ in whole.boxes)


def fonts_of(lang: str) -> str:
    if not shutil.which("fc-list"):
        return ""
    return subprocess.run(["fc-list", f":lang={lang}"], capture_output=True, text=True).stdout


ARABIC = ["تنقل المضخة الماء من البئر إلى الخزان.", "تتوقف تلقائيا عندما يمتلئ الخزان."]


@pytest.mark.parametrize("sentence", ARABIC if fonts_of("ar") else ["The pump stops."])
def test_words_from_right_to_left_are_not_reversed(
    browser: Browser, tmp_path: Path, sentence: str
) -> None:
    page = browser.new_page()
    page.set_content(f"<html><p dir=auto>{sentence}</p><p dir=auto>{sentence}</p></html>")
    page.pdf(path=tmp_path / "a.pdf", format="A5")
    page.close()
    composed = check_blocks(read_pdf(tmp_path / "a.pdf").elements)
    assert composed.text.split() == 2 * sentence.split()
