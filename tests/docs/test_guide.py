"""The English guide is true: its commands, examples and settings are tried."""

from __future__ import annotations

import inspect
import json
import re
import sys
import types
from dataclasses import fields
from pathlib import Path

import pytest
import typer
from support import guide

import anaphora
from anaphora import cli, config, registry
from anaphora.config import Config
from anaphora.evaluate.metrics import ANSWER_METRICS, FAULTS, REWRITE_METRICS
from anaphora.serve.settings import ServeSettings
from tools.pages import GUIDE, README, blocks, commands

PAGES = sorted(GUIDE.glob("*.md"))


@pytest.mark.parametrize(
    "line",
    # A server runs until it is stopped: test_serve.py.
    [
        line
        for line in dict.fromkeys(line for page in [README, *PAGES] for line in commands(page))
        if not line.startswith("anaphora serve")
    ],
)
def test_a_command_works(place, line):
    done = guide.anaphora(line)
    assert done.code == 0, done.err
    if "--json" in line:
        assert [json.loads(form) for form in done.out.splitlines()]


@pytest.mark.parametrize(
    "page",
    [
        page
        for page in [README, *PAGES]
        # That program needs a server: test_clients.py.
        if page.stem != "clients" and any(block.kind == "python" for block in blocks(page))
    ],
    ids=lambda page: page.stem,
)
def test_the_python_examples_run(place, page, monkeypatch):
    """The examples of a page are one program; one that begins with `# NAME.py` is a module."""
    program = types.ModuleType("example")
    monkeypatch.setitem(sys.modules, "example", program)
    monkeypatch.syspath_prepend(place)
    code = ""
    for block in blocks(page):
        if block.kind == "python":
            file = re.match(r"# (\w+\.py)\n", block.text)
            if file:
                Path(file[1]).write_text(block.text, "utf-8")
            else:
                code += f"{block.text}\n"
    exec(compile(code, str(page), "exec", dont_inherit=True), vars(program))
    assert isinstance(program.answer, anaphora.Answer)


@pytest.mark.parametrize(
    "text",
    [
        block.text
        for page in [README, *PAGES]
        for block in blocks(page)
        if block.kind == "toml" and not block.text.startswith("[project")
    ],
)
def test_a_settings_example_loads(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8")
    assert isinstance(Config.load(file), Config)


def test_every_setting_is_listed_with_its_default(monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    text = (GUIDE / "settings.md").read_text("utf-8")
    listed = {
        key: config.tomllib.loads(f"value = {default.strip('`')}")["value"]
        for key, default in re.findall(r"^\| `(\w+\.\w+)` \| (`.*?`) \|", text, re.M)
    }
    known = {}
    for name, (kind, selector, default) in config._TABLES.items():
        for part in registry.names(kind):
            factory = registry.find(kind, part)
            settings = inspect.signature(factory).parameters.values()
            for setting in settings:
                known.setdefault(f"{name}.{setting.name}", []).append(setting.default)
        known[f"{name}.{selector}"] = [default]
    for setting in fields(ServeSettings):
        known[f"serve.{setting.name}"] = [getattr(ServeSettings(), setting.name)]
    listed |= {key: tuple(value) for key, value in listed.items() if isinstance(value, list)}
    listed["serve.folder"] = Path(listed["serve.folder"]).expanduser()
    assert set(listed) == set(known)
    assert [key for key, default in listed.items() if default not in known[key]] == []


def test_every_option_of_the_command_line_is_in_the_guide():
    text = "".join(page.read_text("utf-8") for page in PAGES)

    def check(name, command):
        assert f"`{name}`" in text or f"anaphora {name}" in text
        for inner, subcommand in getattr(command, "commands", {}).items():
            check(f"{name} {inner}", subcommand)
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-") and option != "--help":
                    assert option in text, f"{name} {option}"

    for name, command in typer.main.get_command(cli.app).commands.items():
        check(name, command)


def test_every_metric_is_in_the_guide():
    text = (GUIDE / "measuring.md").read_text("utf-8")
    assert [name for name in {**ANSWER_METRICS, **FAULTS} if f"`{name}`" not in text] == []
    assert set(REWRITE_METRICS) < set(ANSWER_METRICS)
