"""A browser and a server for the journeys through the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.browsing import LONGEST, Server, Visit, serving
from support.command import Ran

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SETTINGS = '[serve.configurations.quick.rerank]\nmethod = "none"\n'


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The journeys come last: while a browser is driven, no other test can run an event loop."""
    here = Path(__file__).parent
    items.sort(key=lambda item: here in item.path.parents)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    api.expect.set_options(timeout=LONGEST)
    with api.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="session")
def server(shared_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over a copy of the shared index, which journeys may change."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(shared_index, folder / "harbour")
    with serving(folder, SETTINGS, harbour=folder / "harbour") as running:
        yield running


@pytest.fixture
def key(server: Server, anaphora: Callable[..., Ran]) -> str:
    """The key of somebody else, who may ask and search."""
    done = anaphora("keys", "add", "guest", "--config", server.config)
    assert done.code == 0, done.err
    return done.out.strip()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visit]]:
    """Opens the page signed in: `visit(locale="ar", …)`, by the names of a browser's context.

    After the test nothing may be wrong on any page: no error or warning in the console, no
    violation of the content security policy, no request to another server.
    """
    visits: list[Visit] = []

    def begin(
        path: str = "/", signed: bool = True, allowed: tuple[str, ...] = (), **options: Any
    ) -> Visit:
        options = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **options}
        state = server.sign_in(browser) if signed else None
        context = browser.new_context(storage_state=state, **options)
        made = Visit(server, context, context.new_page(), allowed=allowed)
        made.watch()
        visits.append(made)
        made.open(path)
        return made

    yield begin
    faults = [fault for one in visits for fault in one.faults]
    for one in visits:
        one.context.close()
    assert faults == []
