"""A server in a process of its own, and visits to its page with a real browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request

COMMAND = (sys.executable, "-c", "from anaphora.cli import main; main()")
LONGEST = 60_000
"""Milliseconds that an answer may take before a journey fails: far more than it takes."""


@dataclass
class Server:
    """A running `anaphora serve`.

    Attributes:
        start: the one-time address that signs in.
    """

    address: str
    start: str
    config: Path
    _cookies: Any = None

    def sign_in(self, browser: Browser) -> Any:
        """The cookies of the person who started the server and opened its one-time address."""
        if self._cookies is None:
            context = browser.new_context()
            context.new_page().goto(self.start)
            self._cookies = context.storage_state()
            context.close()
        return self._cookies


@contextmanager
def serving(folder: Path, settings: str, **indexes: Path) -> Iterator[Server]:
    """Runs the server on a free port over indexes by name; it keeps its files in the folder."""
    config = folder / "anaphora.toml"
    data = (folder / "data").as_posix()
    config.write_text(f'{settings}\n[serve]\nfolder = "{data}"\n', "utf-8")
    named = [part for name, folder in indexes.items() for part in ("--index", f"{name}={folder}")]
    process = subprocess.Popen(
        [*COMMAND, "serve", *named, "--config", str(config), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://\S+", line):
                start = found[0]
                yield Server(start.partition("/start")[0], start, config)
                return
        raise AssertionError(f"the server printed no address: {''.join(lines)}")
    finally:
        process.terminate()
        process.communicate()


@dataclass
class Visit:
    """One person's browser: the page, and what went wrong on it.

    Attributes:
        faults: errors and warnings of the console, violations of the content security policy, and
            requests to other servers.
        allowed: patterns of messages that the journey provokes.
    """

    server: Server
    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    allowed: Sequence[str] = ()

    def watch(self) -> None:
        """Begins to note faults."""
        self.context.on("request", self._request)
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.faults.append(str(error.error)))

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.server.address, "data:", "blob:")):
            self.faults.append(f"a foreign request: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        said = f"{message.type}: {message.text}"
        if message.type in ("error", "warning") and not any(
            re.search(pattern, said) for pattern in self.allowed
        ):
            self.faults.append(said)

    def open(self, path: str = "/") -> None:
        """Opens an address of the page and waits until it is drawn."""
        self.page.goto(self.server.address + path)
        self.page.wait_for_selector(".transcript > *, .sign-in")

    def ask(self, question: str) -> Locator:
        """Asks by keyboard; the turn with its answer."""
        field = self.page.locator("#question")
        field.fill(question)
        field.press("Enter")
        return self.answered()

    def answered(self) -> Locator:
        """The last turn, when no answer is arriving."""
        from playwright.sync_api import expect

        turns = self.page.locator(".turn")
        expect(turns).not_to_have_count(0)
        expect(self.page.locator(".turn[aria-busy=true]")).to_have_count(0, timeout=LONGEST)
        return turns.last

    def new(self) -> None:
        """Begins another conversation."""
        self.open("/")


def violations(page: Page) -> list[dict[str, Any]]:
    """What axe-core finds that is serious or critical."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        {"id": one["id"], "nodes": [node["html"] for node in one["nodes"]]}
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
