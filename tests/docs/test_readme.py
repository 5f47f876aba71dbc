"""The README's commands work, and the links of all pages lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from support.guide import anaphora

from anaphora.language import identify
from tools import transcript
from tools.pages import README, ROOT, marked


def test_the_setup_commands_are_one_line_and_their_anaphora_works(place):
    (test,) = marked("test")
    assert test.endswith(" -m pytest")
    (setup,) = marked("run")
    own = [part for part in setup.split(" && ") if part.startswith(".venv/bin/anaphora ")]
    assert [shlex.split(part)[1] for part in own] == ["index", "ask"]
    for part in own:
        done = anaphora(part)
        assert done.code == 0, done.err


def test_ci_runs_the_test_command():
    assert shutil.which("awk"), "awk is part of every POSIX system"
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    program = script.partition("awk '")[2].partition("' README.md")[0]
    found = subprocess.run(
        ["awk", program, str(README)], capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.splitlines() == marked("test")


def test_the_transcript_still_runs(place):
    for command, questions in transcript.SESSION:
        shown = transcript.run(command, questions)
        assert shown.startswith(f"$ {command}\n")
        for question in questions:
            assert f"> {question}" in shown
        if questions or " ask " in command:
            assert "[1]" in shown
    assert len({identify(line) for _, questions in transcript.SESSION for line in questions}) > 1


def test_the_picture_shows_the_session():
    picture = ElementTree.parse(transcript.PICTURE)
    shown = "".join(picture.getroot().itertext()).replace("\xa0", " ")
    for command, questions in transcript.SESSION:
        assert f"$ {command}" in shown
        for question in questions:
            assert f"> {question}" in shown


@pytest.mark.parametrize(
    "page",
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    files = [page.parent / target for target in targets if "://" not in target]
    assert [file for file in files if not file.exists()] == []
