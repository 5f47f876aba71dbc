"""Reranking inside an evaluation: what it is given, what is kept, what it is blamed for."""

import json
import os

import pytest

from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.harness import Harness
from anaphora.evaluate.run_folder import read_run
from anaphora.evaluate.scoring import Success
from anaphora.evaluate.stages import _settings
from anaphora.evaluate.systems import parse_system
from anaphora.rerank.settings import JudgeSettings


@pytest.fixture
def measure(conversations, tmp_path, endpoint):
    """Runs a pipeline whose reranker puts the second hit first; gives its run and the endpoint."""
    served = endpoint({"do": "answer", "text": "[2]"})
    harness = Harness(
        tmp_path, last="retrieve", metrics=["P@1", "R@5"], success=Success.parse("P@1>=1")
    )

    def run(more=""):
        pipeline = parse_system(
            "worse: rewrite.method=none, rerank.method=llm, rerank.model=m, rerank.weight=1, "
            f"rerank.endpoint={served.url}{more}"
        )
        ((folder, found),) = harness.run(open_dataset(conversations), [pipeline])
        return folder, found, len(served.requests)

    return run


def test_a_reranker_is_measured_and_blamed(measure, anaphora):
    folder, run, asked = measure()
    turns = {one.example.id: one for one in run.outcomes}
    for id in ("ja-1", "ar-1", "ru-1", "th-1", "tr-1"):
        tried = turns[id].results["rewritten"]
        (gold,) = turns[id].example.relevant
        assert tried.hits[0][0] == gold
        assert tried.reranked is not None
        assert [name for name, _ in tried.reranked[:2]] == [tried.hits[1][0], gold]
        assert sorted(dict(tried.reranked)) == sorted(dict(tried.hits))
        assert tried.scores == {"P@1": 0.0, "R@5": 1.0}
        assert turns[id].cause == "reranking"
        assert "rerank" in tried.seconds
    assert read_run(folder) == run
    assert run.about["config"]["rerank"].get("rerank_ms", 0) == 0
    assert "reranking" in anaphora("blame", folder).out
    assert "reranking" in (folder / "report.html").read_text("utf-8")
    figures = json.loads((folder / "metrics.json").read_text("utf-8"))
    assert figures["culprits"]["reranking"] >= 5
    assert "rerank" in figures["seconds"]
    # Once more: from the cache. With other settings: anew.
    assert measure()[2] == asked
    assert measure(", rerank.top=3")[2] > asked


def test_a_wrong_first_hit_that_is_not_reranked_is_retrievals(measure):
    _, run, asked = measure(", rerank.top=1, retrieve.model=bm25, rewrite.method=history")
    assert asked > 0
    for one in run.outcomes:
        tried = one.results["rewritten"]
        if tried.reranked is not None:
            assert tried.reranked[:1] == () or tried.reranked[0][0] == tried.hits[0][0]
        assert one.cause != "reranking"


def test_a_model_trained_anew_in_its_folder_is_another(tmp_path):
    (tmp_path / "weights.bin").write_bytes(b"1")
    settings = JudgeSettings(model=str(tmp_path))
    before = _settings("rerank", settings)
    assert _settings("rerank", settings) == before
    os.utime(tmp_path / "weights.bin", ns=(1, 1))
    assert _settings("rerank", settings) != before
    assert _settings("rerank", JudgeSettings(model="some/name"))["model"] == "some/name"
