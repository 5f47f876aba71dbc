"""Takes the pictures of the page and draws its icons: `python -m tools.screenshots`.

The answers are those to questions about the project's own guide. It needs the extra `browser` and
Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools.pages import ROOT

PICTURES = ROOT / "assets"
ICONS = ROOT / "src" / "anaphora" / "serve" / "page" / "icons"
PROGRAM = (sys.executable, "-c", "from anaphora.cli import main; main()")
DESKTOP = {"width": 1280, "height": 800}
PANEL = {"width": 1040, "height": 640}
PHONE = {"width": 390, "height": 780}
LANGUAGES = ("en", "fr", "zh")
LONGEST = 60_000
"""Milliseconds that an answer may take."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The one-time address of a server over the guide."""
    for lang in LANGUAGES:
        shutil.copytree(ROOT / "docs" / lang, folder / "docs" / lang)
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    arguments = ("index", *(f"docs/{lang}" for lang in LANGUAGES), "--index", "guide")
    subprocess.run([*PROGRAM, *arguments], cwd=folder, env=environment, check=True)
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--index", "guide=guide", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # the log of requests
        text=True,
    )
    try:
        assert process.stdout
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
    finally:
        process.terminate()
        process.communicate()


def ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.press("#question", "Enter")
    expect(page.locator(".turn[aria-busy=true]")).to_have_count(0, timeout=LONGEST)
    expect(page.locator(".turn .answered").last).not_to_be_empty()


def save(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(500)  # milliseconds, for scrolling and images to settle
    page.screenshot(path=PICTURES / f"{name}.png")


def draw_icons(browser: Browser) -> None:
    for size in (192, 512):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.goto((ICONS / "anaphora.svg").as_uri())
        page.screenshot(path=ICONS / f"anaphora-{size}.png", omit_background=True)
        page.close()


def take(browser: Browser, start: str) -> None:
    first = browser.new_context()
    first.new_page().goto(start)
    state = first.storage_state()
    address = start.partition("/start")[0]

    def opened(**options: Any) -> Page:
        page = browser.new_context(storage_state=state, **options).new_page()
        page.goto(address)
        page.wait_for_selector(".transcript > *")
        return page

    page = opened(viewport=DESKTOP, locale="zh-CN", color_scheme="dark")
    ask(page, "如何修复损坏的索引？")
    save(page, "page-dark")
    page = opened(viewport=PHONE, locale="fr-FR", has_touch=True)
    ask(page, "Comment réparer un index endommagé ?")
    save(page, "page-phone")
    page = opened(viewport=DESKTOP, locale="en-GB")
    ask(page, "How do I index a folder?")
    ask(page, "And how do I remove it again?")
    save(page, "page")
    page.set_viewport_size(PANEL)
    page.keyboard.press("i")
    expect(page.locator("#panel")).to_be_visible()
    save(page, "page-inspector")
    page.keyboard.press("Escape")
    page.locator(".turn").last.locator("a.mark").first.click()
    expect(page.locator("#panel mark").first).to_be_visible()
    save(page, "page-source")


def main() -> None:
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        draw_icons(browser)
        with served(Path(folder)) as start:
            take(browser, start)


if __name__ == "__main__":
    main()
