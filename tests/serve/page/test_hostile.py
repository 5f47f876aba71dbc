"""Documents and names that were written to harm: on the page they are text.

`visit` fails a test on an error of the console, a violation of the content security policy and a
request to another server; here a dialog does too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect
from support.browsing import Server, Visit, serving

from anaphora.ingest.update import update

if TYPE_CHECKING:
    pass

SETTINGS = '[rerank]\nmethod = "none"\n'
HARM = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<svg onload=alert(3)><style>body{display:none}</style></svg>",
    "<a href='javascript:alert(4)'>open</a>",
    "</p></div><iframe srcdoc='<script>alert(5)</script>'></iframe>",
    "![pixel](http://attacker.invalid/pixel.png)",
    "{{constructor.constructor('alert(6)')()}}",
)
NAME = "<img src=x onerror=alert(7)> \u202efdp.txt"
"""Of a file; the mark turns around what is behind it, so that it seems to end in "txt.pdf"."""
LONG = "W" * 3_000
HEADINGS = 1_000
INSIDE = "script, img, iframe, object, style, a[href^='javascript'], [onerror], [onload]"
"""What none of these texts may become."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    documents = folder / "documents"
    documents.mkdir()
    for number, harm in enumerate(HARM):
        text = f"The gauge number {number} shows {harm} bars, and {LONG}."
        (documents / f"gauge-{number}.txt").write_text(text, "utf-8")
    (documents / NAME).write_text("The valve of the boiler is in the cellar.", "utf-8")
    cells = "".join(f"| {harm.replace('|', '')} | {number} |\n" for number, harm in enumerate(HARM))
    escaped = cells.replace("<", "&lt;").replace("![", "!\\[")
    (documents / "table.md").write_text(
        f"# &lt;script&gt;alert(8)&lt;/script&gt;\n\nThe pump code is `{HARM[1]}`.\n\n"
        f"| Pump &lt;img src=x onerror=alert(9)&gt; | Number |\n|---|---|\n{escaped}",
        "utf-8",
    )
    many = "\n\n".join(f"# Chapter {n} <b onclick=alert(1)>\n\nText {n}." for n in range(HEADINGS))
    (documents / "many.md").write_text(many, "utf-8")
    update(folder / "library", [documents], None)
    return folder / "library"


@pytest.fixture(scope="module")
def server(library: Path) -> Iterator[Server]:
    with serving(library.parent, SETTINGS, library=library) as running:
        yield running


@pytest.fixture
def here(visit: Callable[..., Visit]) -> Iterator[Visit]:
    """The page; a dialog fails the test."""
    begun = visit()
    dialogs: list[str] = []

    def noted(dialog: Any) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    begun.context.on("dialog", noted)
    yield begun
    assert dialogs == []


def test_texts_and_questions_stay_texts(here):
    for number, harm in enumerate(HARM):
        question = f"What does the gauge number {number} show? {harm}"
        turn = here.ask(question)
        assert harm in turn.inner_text()
        assert turn.locator(INSIDE).count() == 0
        assert here.page.locator(f".entry:has-text({harm!r})").count() <= 1
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert here.page.evaluate(wide)
    assert here.page.locator(".conversations").locator(INSIDE).count() == 0


def test_names_tables_and_code_stay_texts(here):
    turn = here.ask("Where is the valve of the boiler?")
    assert "cellar" in turn.inner_text()
    turn.locator("a.mark").first.click()
    panel = here.page.locator("#panel")
    expect(panel.locator("mark")).to_contain_text("cellar")
    assert panel.locator(INSIDE).count() == 0
    here.page.keyboard.press("Escape")
    turn = here.ask("What is the pump code?")
    assert turn.locator(INSIDE).count() == 0
    turn.locator("a.mark").first.click()
    expect(panel.locator("mark").first).to_be_visible()
    assert HARM[1] in panel.inner_text()
    assert panel.locator(INSIDE).count() == 0


def test_a_name_cannot_turn_around_what_stands_beside_it(here):
    """Its own marks of direction are shown to be there, and end with it."""
    turn = here.ask("Where is the valve of the boiler?")
    shown = turn.locator(".source").first.inner_text()
    assert "\u202e" not in shown
    assert "\ufffdfdp.txt" in shown
    isolated = "node => getComputedStyle(node).unicodeBidi"
    assert "isolate" in turn.locator(".source-title").first.evaluate(isolated)


def test_many_headings_are_shown_in_parts(here):
    turn = here.ask("What is text 500 of chapter 500?")
    assert turn.locator(INSIDE).count() == 0
    assert here.page.locator("*").count() < 5_000
