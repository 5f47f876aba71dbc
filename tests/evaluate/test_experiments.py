"""The pipelines of the papers' experiments: every file loads, and those that need a model alone are
run against a scripted server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support import endpoint as endpoints
from support import tiny_mlm

from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.harness import Harness
from anaphora.evaluate.systems import parse_systems

ROOT = Path(__file__).parents[2] / "experiments"
FOLDERS = sorted({path.parent for path in ROOT.rglob("*.toml")})
WITHOUT_ENDPOINT = (
    "conversational-search",
    "dialogue-rag-retrieval",
    "multilingual-retrieval",
    "rewriting",
)
MODEL = "read.model=m,read.endpoint=http://127.0.0.1:1/v1"
TRANSLATOR = "translate.model=m,translate.endpoint=http://127.0.0.1:1/v1"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.relative_to(ROOT).as_posix())
def test_the_pipelines_of_a_folder_load_and_the_readme_names_it(folder):
    shared = "" if folder.name in WITHOUT_ENDPOINT else MODEL
    if folder.name == "options":
        # The file without a translator has no such setting and is left as it is.
        shared = f"{MODEL},{TRANSLATOR}"
    systems = parse_systems([str(folder)], shared)
    assert len(systems) > 2
    assert folder.relative_to(ROOT.parent).as_posix() in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("folder", ["dialogue-rag", "multilingual-rag/retrieval"])
def test_an_experiment(folder, tmp_path, conversations):
    server = endpoints.start(tmp_path / "log", {"do": "answer", "text": "The answer is 1969."})
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


def test_splade_with_translated_questions(tmp_path, endpoint):
    """The row "SPLADE + QT" with a small random masked-language model."""
    asked = {
        "fr": "Où se trouve la chaudière ?",
        "zh": "锅炉在哪里？",
        "en": "Where is the boiler?",
    }
    texts = {
        "a": "The boiler stands in the cellar.",
        "b": "Le chat dort.",
        "c": "Roses need water.",
    }
    model = tiny_mlm.make(tmp_path / "mlm", [*asked.values(), *texts.values()])
    with (tmp_path / "passages.jsonl").open("w", encoding="utf-8") as file:
        for name, text in texts.items():
            lang = "fr" if name == "b" else "en"
            file.write(json.dumps({"_id": name, "text": text, "lang": lang}) + "\n")
    with (tmp_path / "turns.jsonl").open("w", encoding="utf-8") as file:
        for lang, text in asked.items():
            turns = [{"role": "user", "text": text, "lang": lang}]
            record = {"id": lang, "turns": turns, "rewrite": text, "relevant": ["a"]}
            file.write(json.dumps(record) + "\n")
    served = endpoint({"do": "repeat", "texts": [[text, asked["en"]] for text in asked.values()]})
    shared = f"translate.model=m,translate.endpoint={served.url},{MODEL}"
    file = ROOT / "multilingual-rag/options/splade-translated.toml"
    ((_, run),) = Harness(
        tmp_path / "out", last="retrieve", lexical=True, sparse=model, metrics=["MRR@10"]
    ).run(open_dataset(tmp_path / "turns.jsonl"), parse_systems([str(file)], shared))
    found = [one.results["rewritten"].hits for one in run.outcomes]
    assert found[0] == found[1] == found[2]
    assert {name for name, _ in found[0]} == {"a", "c"}
    requests = [one["body"]["messages"][0]["content"] for one in served.requests]
    assert {text.split(" into ")[0].rsplit(" ", 1)[-1] for text in requests} == {
        "French",
        "Chinese",
    }


def test_every_folder_of_the_readme_exists():
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"experiments/[a-z/-]+[a-z]", text))
    assert named == {one.relative_to(ROOT.parent).as_posix() for one in FOLDERS}
