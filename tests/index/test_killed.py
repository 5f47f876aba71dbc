"""Processes that are killed while they index at a hundred random moments lose nothing."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.hash_encoder import HashEncoder
from support.hash_sparse import HashSparse

from anaphora.index import BM25, Dense, LMDirichlet, Sparse, open_index, open_writer
from anaphora.ingest.update import update
from anaphora.records import Query

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
    """All hits, with their scores, for words of every script."""
    opened = open_index(index)
    queries = [Query(word) for word in WORDS] + [Query(" ".join(WORDS))]
    results = [
        sorted((hit.passage.passage_id, hit.passage.text, round(hit.score, 4)) for hit in hits)
        for mode in (BM25(), LMDirichlet(), Dense(HashEncoder()), Sparse(HashSparse()))
        for hits in opened.search(queries, 9999, mode)
    ]
    opened.close()
    return results


def test_a_hundred_kills_leave_what_an_undisturbed_run_makes(folder, tmp_path):
    script = Path(__file__).parents[1] / "support" / "kill_indexing.py"
    index = tmp_path / "index"
    ran = subprocess.run(
        [sys.executable, str(script), str(folder), str(index), "100", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    update(index, [folder], HashEncoder(), sparse=HashSparse())
    with open_writer(index) as writer:
        assert writer.verify() == []
    undisturbed = tmp_path / "undisturbed"
    update(undisturbed, [folder], HashEncoder(), sparse=HashSparse())
    assert found(index) == found(undisturbed)
