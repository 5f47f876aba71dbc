"""The commands in real processes, in locales other than UTF-8 and with names that are not text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.ingest_files import pdf

from anaphora.ingest.walk import path_text

QUERY = "Maschine 東京タワー мост หอคอย walrus seal harbour"
FILES: dict[bytes, str] = {
    "größe.md".encode(): "# Größe\n\nDie Maschine wiegt 20 kg.\n",
    "塔/東京.md".encode(): "# 塔\n\n東京タワーの高さは333メートルです。\n",
    "мост.txt".encode(): "Длина этого моста через реку — 500 метров.\n",
    "ไทย.txt".encode(): "หอคอยนี้สูง 88 เมตร\n",
    b"caf\xe9/caf\xe9.txt": "The walrus of the north weighs a ton.\n",
    b"caf\xe9/caf\xe8.txt": "The seal of the south weighs a hundred kilograms.\n",
}
DOC_IDS = {
    "docs/größe.md",
    "docs/塔/東京.md",
    "docs/мост.txt",
    "docs/ไทย.txt",
    "docs/caf\\xe9/caf\\xe9.txt",
    "docs/caf\\xe9/caf\\xe8.txt",
    "docs/drawing \\xfc 図.pdf",
}
STRICT = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(scope="session")
def latin_locales(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """A folder with the locale en_US.ISO-8859-1, or None where it cannot be made."""
    folder = tmp_path_factory.mktemp("locales")
    command = ["localedef", "-i", "en_US", "-f", "ISO-8859-1", str(folder / "en_US.ISO-8859-1")]
    try:
        made = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return None
    return folder if made.returncode == 0 else None


@pytest.fixture(params=["C.UTF-8", "C", "ISO-8859-1"])
def environment(request: pytest.FixtureRequest, latin_locales: Path | None) -> dict[str, str]:
    chosen = {
        "C.UTF-8": {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"},
        "C": {"LC_ALL": "C", **STRICT},
        "ISO-8859-1": {"LC_ALL": "en_US.ISO-8859-1", **STRICT, "LOCPATH": str(latin_locales)},
    }[request.param]
    if request.param == "ISO-8859-1" and latin_locales is None:
        pytest.skip("localedef cannot make the locale here")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **chosen}


def run(environment: dict[str, str], *arguments: str | bytes | Path, stdin: bytes = b"") -> Any:
    command = [sys.executable, "-c", "from anaphora.cli import main; main()", *arguments]
    return subprocess.run(command, env=environment, input=stdin, capture_output=True, check=False)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    for name, text in FILES.items():
        path = os.path.join(os.fsencode(folder), name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            pytest.skip("this file system takes no names that are not UTF-8")
    pdf(folder / "drawing.pdf", [["The drawing shows the harbour of Trieste."]])
    os.rename(
        folder / "drawing.pdf",
        os.fsencode(folder) + "/drawing \udcfc 図.pdf".encode("utf-8", "surrogateescape"),
    )
    return folder


def test_the_commands_work_in_any_locale(
    documents: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    index = os.fsencode(tmp_path) + b"/\xe9 \xe7\xb4\xa2\xe5\xbc\x95"
    indexed = run(environment, "index", "--lexical", "--json", documents, "--index", index)
    assert indexed.returncode == 0, indexed.stderr
    assert json.loads(indexed.stdout)["documents"] == len(DOC_IDS)

    searched = run(environment, "search", "--json", QUERY.encode(), "--index", index)
    assert searched.returncode == 0, searched.stderr
    assert {hit["doc_id"] for hit in json.loads(searched.stdout)["hits"]} == DOC_IDS

    question = "Wie schwer ist die Maschine in der größten Halle? 東京?"
    asked = run(environment, "ask", "--json", question.encode(), "--index", index)
    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout)["question"] == question

    chat = run(environment, "chat", "--index", index, stdin="Größe der Maschine?\n".encode())
    assert chat.returncode == 0, chat.stderr
    assert "20 kg" in chat.stdout.decode()

    # Bytes that are not UTF-8 are text in one locale; elsewhere they are refused in one sentence.
    latin = run(environment, "search", b"gr\xf6\xdfe", "--index", index)
    if environment["LC_ALL"] == "en_US.ISO-8859-1":
        assert "docs/größe.md" in latin.stdout.decode()
    else:
        assert latin.returncode == 2
        message = "anaphora: 'gr\\xf6\\xdfe' is not UTF-8: check the terminal's encoding\n"
        assert latin.stderr.decode() == message

    # Another locale finds the same files unchanged.
    utf8 = {**environment, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    again = run(utf8, "index", "--lexical", "--json", documents, "--index", index)
    report = json.loads(again.stdout)
    assert (report["unchanged"], report["documents"], report["removed"]) == (len(DOC_IDS), 0, 0)


def test_path_text_is_utf8_for_any_bytes() -> None:
    assert path_text(os.fsdecode("größe/東.md".encode())) == "größe/東.md"
    assert path_text(os.fsdecode(b"caf\xe9")) == "caf\\xe9"
