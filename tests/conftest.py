"""Fixtures that several folders of tests share, and the rules for skipped tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from support import command
from support import endpoint as endpoints

# No deadline: how long an example takes depends on the machine and on what else it does. Under CI
# the examples are always the same, so that a change is never blamed for an example found by chance.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for the whole run, so that the model is prepared once, here; what servers keep
    goes to a folder of the run too."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANAPHORA_CACHE", str(folder))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield folder


@pytest.fixture
def anaphora() -> Callable[..., command.Ran]:
    """Runs the command in this process: `anaphora("ask", "…", stdin="…")`."""

    def run(*arguments: str | Path, stdin: str = "") -> command.Ran:
        return command.run(arguments, stdin)

    return run


@pytest.fixture
def endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., endpoints.Endpoint]]:
    """Starts chat completions endpoints: `endpoint({"do": …}, …)`."""
    monkeypatch.setenv("NO_PROXY", "*")
    running: list[endpoints.Endpoint] = []

    def start(*steps: dict[str, Any]) -> endpoints.Endpoint:
        log = tmp_path / f"requests-{len(running)}.jsonl"
        running.append(endpoints.start(log, *steps))
        return running[-1]

    yield start
    for server in running:
        server.stop()


class SkippedTests:
    """Remembers which tests the last runs skipped, in pytest's cache.

    `--run-skipped`, in an environment with more extras, runs these tests and no others. A test that
    is skipped there too runs nowhere, and fails.
    """

    KEY = "anaphora/skipped"

    def __init__(self, config: pytest.Config) -> None:
        self.cache = config.cache
        self.again: bool = config.getoption("--run-skipped")
        self.before = frozenset(self.cache.get(self.KEY, []))
        self.skipped = set(self.before)

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        if self.again:
            others = [item for item in items if not self.was_skipped(item)]
            items[:] = [item for item in items if self.was_skipped(item)]
            config.hook.pytest_deselected(items=others)

    def was_skipped(self, item: pytest.Item) -> bool:
        """A module that skips as a whole is skipped under its own name."""
        return bool({item.nodeid, item.nodeid.partition("::")[0]} & self.before)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.nodeid.endswith(".py"):
            self.note(report)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Any:
        report: pytest.TestReport = yield
        if report.when == "call" or report.skipped:
            self.note(report)
        return report

    def note(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if not report.skipped or hasattr(report, "wasxfail"):
            self.skipped.discard(report.nodeid)
            return
        self.skipped.add(report.nodeid)
        if self.again:
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid} runs in no environment: {report.longrepr[2]}"

    def pytest_sessionfinish(self) -> None:
        if not self.again:
            self.cache.set(self.KEY, sorted(self.skipped))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run-skipped",
        action="store_true",
        help="run only the tests that earlier runs skipped, and fail if they are skipped again",
    )


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "cache"):
        config.pluginmanager.register(SkippedTests(config), "skipped-tests")
