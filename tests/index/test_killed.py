"""Killing `index` at a hundred random moments loses nothing and changes nothing."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from killed import HashEncoder

from anaphora.index.local.index import LocalIndex
from anaphora.index.local.writer import Writer
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.lexical import BM25, LMDirichlet

WORDS = [
    *("東京都", "ประเทศไทย", "ışık", "Straße", "كتاب", "đường", "дом"),
    *("server", "кот", "café", "서울", "हिन्दी", "42"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng = random.Random(5)
    folder = tmp_path_factory.mktemp("killed") / "docs"
    folder.mkdir()

    def text():
        return ". ".join(" ".join(rng.choices(WORDS, k=12)) for _ in range(rng.randint(5, 60)))

    for number in range(40):
        (folder / f"{number}.md").write_text(f"# Part {number}\n\n{text()}\n", "utf-8")
    lines = [f'{{"_id": "r{n}", "text": "{text()[:300]}"}}' for n in range(200)]
    (folder / "records.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def found(index):
    """Everything that scores, for words of every script: passages with their scores."""
    opened = LocalIndex(index)
    queries = [Query(word) for word in WORDS] + [Query(" ".join(WORDS))]
    rankings = [
        *opened.lexical(queries, 9999, BM25()),
        *opened.lexical(queries, 9999, LMDirichlet()),
        *opened.dense(HashEncoder().encode_queries(WORDS), 9999),
    ]
    results = [
        sorted(
            (passage.passage_id, passage.text, round(score, 4))
            for passage, score in zip(
                opened.passages(ranking.rows), ranking.scores.tolist(), strict=True
            )
        )
        for ranking in rankings
    ]
    opened.close()
    return results


def test_a_hundred_kills_leave_what_an_undisturbed_run_makes(folder, tmp_path):
    script = Path(__file__).with_name("killed.py")
    index = tmp_path / "index"
    ran = subprocess.run(
        [sys.executable, str(script), str(folder), str(index), "100", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    update(index, [folder], HashEncoder())
    with Writer(index) as writer:
        assert writer.verify() == []
    undisturbed = tmp_path / "undisturbed"
    update(undisturbed, [folder], HashEncoder())
    assert found(index) == found(undisturbed)
