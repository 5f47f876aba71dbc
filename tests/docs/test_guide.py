"""The English guide is true: its commands, examples and settings are tried."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest
import typer
from support.guide import anaphora

from anaphora import cli, config
from anaphora.evaluate.metrics import ANSWER_METRICS, FAULTS, REWRITE_METRICS
from tools.pages import GUIDE, README, blocks, commands

PAGES = sorted(GUIDE.glob("*.md"))


@pytest.mark.parametrize(
    "line", list(dict.fromkeys(line for page in [README, *PAGES] for line in commands(page)))
)
def test_a_command_works(place, line):
    done = anaphora(line)
    assert done.code == 0, done.err
    if "--json" in line:
        assert [json.loads(form) for form in done.out.splitlines()]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.kind == "python" for block in blocks(page))],
    ids=lambda page: page.stem,
)
def test_the_python_examples_run(place, page):
    """The examples of a page are one program."""
    names = {"__name__": "example"}
    examples = [block.text for block in blocks(page) if block.kind == "python"]
    exec(compile("\n".join(examples), str(page), "exec"), names)
    assert len(names) > len(examples)


@pytest.mark.parametrize(
    "text",
    [block.text for page in [README, *PAGES] for block in blocks(page) if block.kind == "toml"],
)
def test_a_settings_example_loads(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8")
    assert isinstance(config.load(file), config.Config)


def test_every_setting_is_listed_with_its_default():
    text = (GUIDE / "settings.md").read_text("utf-8")
    listed = {
        key: config.tomllib.loads(f"value = {default.strip('`')}")["value"]
        for key, default in re.findall(r"^\| `(\w+\.\w+)` \| (`.*?`) \|", text, re.M)
    }
    assert listed == {
        f"{part.name}.{setting.name}": getattr(getattr(config.Config(), part.name), setting.name)
        for part in fields(config.Config)
        for setting in fields(getattr(config.Config(), part.name))
    }


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
