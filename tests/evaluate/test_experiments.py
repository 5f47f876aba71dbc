"""The pipelines of the papers' experiments: every file loads, and those that need a model alone are
run against a scripted server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import endpoint

from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.harness import Harness
from anaphora.evaluate.systems import parse_systems

ROOT = Path(__file__).parents[2] / "experiments"
FOLDERS = sorted({path.parent for path in ROOT.rglob("*.toml")})
MODEL = "read.model=m,read.endpoint=http://127.0.0.1:1/v1"
TRANSLATOR = "translate.model=m,translate.endpoint=http://127.0.0.1:1/v1"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.relative_to(ROOT).as_posix())
def test_the_pipelines_of_a_folder_load_and_the_readme_names_it(folder):
    shared = "" if folder.name in ("conversational-search", "multilingual-retrieval") else MODEL
    if folder.name == "options":
        # The file without a translator has no such setting and is left as it is.
        shared = f"{MODEL},{TRANSLATOR}"
    systems = parse_systems([str(folder)], shared)
    assert len(systems) > 2
    assert folder.relative_to(ROOT.parent).as_posix() in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("folder", ["dialogue-rag", "multilingual-rag/retrieval"])
def test_an_experiment(folder, tmp_path, conversations):
    server = endpoint.start(tmp_path / "log", {"do": "answer", "text": "The answer is 1969."})
    shared = f"read.model=m,read.endpoint={server.url},read.window=4096"
    systems = parse_systems([str(ROOT / folder)], shared)
    try:
        runs = Harness(tmp_path / "out", lexical=True, limit=2, metrics=["ROUGE-L"]).run(
            open_dataset(conversations), systems
        )
        requests = server.requests
    finally:
        server.stop()
    for (_, run), system in zip(runs, systems, strict=True):
        for one in run.outcomes:
            result = one.results["rewritten"]
            assert result.answer is not None
            assert result.answer.text == "The answer is 1969."
            closed = system.config.to_dict()["retrieve"]["model"] == "none"
            assert (not result.answer.citations) == (closed or not result.hits)
    assert len(requests) >= 2


def test_every_folder_of_the_readme_exists():
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"experiments/[a-z/-]+[a-z]", text))
    assert named == {one.relative_to(ROOT.parent).as_posix() for one in FOLDERS}
