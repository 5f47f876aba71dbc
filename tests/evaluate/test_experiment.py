"""What is blamed where answers are long, and where the reader never received a right passage."""

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.procedures import QUESTIONS, steps, visits

from anaphora.assistant import Assistant
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.harness import Harness
from anaphora.evaluate.run_folder import read_figures, read_run
from anaphora.evaluate.scoring import Success
from anaphora.evaluate.systems import System
from anaphora.index import open_index
from anaphora.protocols import no_progress
from anaphora.records import Answer

OTHERS = 7
LONG = 1000
EXTRACT = 400


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """A question with a long answer and one with a short answer in each language."""
    folder = tmp_path_factory.mktemp("procedures")
    passages, turns = [], []
    for lang, question in QUESTIONS.items():
        text = steps(lang, LONG)
        passages.append({"_id": f"{lang}-right", "text": text, "lang": lang})
        for number in range(OTHERS):
            other = f"{question} {visits(lang, 100 * (number + 1))}"
            passages.append({"_id": f"{lang}-other-{number}", "text": other, "lang": lang})
        for kind, answer in (("long", text), ("short", steps(lang, 1))):
            turns.append(
                {
                    "id": f"{lang}-{kind}",
                    "turns": [{"role": "user", "text": question}],
                    "lang": lang,
                    "answer": answer,
                    "relevant": [f"{lang}-right"],
                }
            )
    turns.append({**turns[0], "id": "unjudged", "relevant": []})
    for name, records in (("passages", passages), ("turns", turns)):
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return open_dataset(folder / "turns.jsonl")


@dataclass
class Arranged:
    """A retriever that finds the relevant passages first, or not at all."""

    inner: Any
    finds: bool

    def retrieve(self, queries, k):
        return [self._arranged(hits) for hits in self.inner.retrieve(queries, k)]

    def _arranged(self, hits):
        right = [hit for hit in hits if hit.passage.passage_id.endswith("-right")]
        others = [hit for hit in hits if hit not in right]
        return _ranked([*right, *others] if self.finds else others)


class Sinking:
    """A reranker that puts the relevant passages last."""

    def rerank(self, queries, hits, k):
        return [
            _ranked(sorted(found, key=lambda hit: hit.passage.passage_id.endswith("-right")))
            for found in hits
        ]


@dataclass
class Quoting:
    """A reader that quotes the beginning of its first hit, or of its last."""

    place: int

    def read(self, queries, hits):
        return [
            Answer(found[self.place].passage.text[:EXTRACT], query.lang, 0.5)
            for query, found in zip(queries, hits, strict=True)
        ]


def _ranked(hits):
    return [replace(hit, rank=rank, score=1 / rank) for rank, hit in enumerate(hits, 1)]


@pytest.fixture(scope="module")
def measure(dataset, tmp_path_factory):
    """Runs a pipeline of such parts."""
    out = tmp_path_factory.mktemp("runs")
    index = index_documents(out / "collections", dataset.documents(), None, no_progress)
    assistant = Assistant(open_index(index))

    def run(name, finds, place, reranker=None, success=None):
        usual = assistant.pipeline
        retriever = Arranged(usual.retriever, finds)
        own = replace(usual, retriever=retriever, reader=Quoting(place), reranker=reranker, k=5)
        harness = Harness(out, index=index, success=success)
        [(folder, found)] = harness.run(dataset, [System(name, pipeline=own)])
        return folder, found

    yield run
    assistant.index.close()


def outcomes(run):
    return {one.example.id: (one.cause, one.search_failed) for one in run.outcomes}


def test_an_extract_of_a_long_answer_is_right(measure):
    _, run = measure("right", finds=True, place=0)
    assert run.success == ("capped 3-gram recall", ">=0.5")
    judged = {id: found for id, found in outcomes(run).items() if id != "unjudged"}
    assert {id for id, found in judged.items() if found != (None, False)} == set()


def test_a_threshold_that_is_given_stays_as_it_is(measure):
    success = Success.parse("3-gram recall>=0.5")
    _, run = measure("fixed", finds=True, place=0, success=success)
    for lang in QUESTIONS:
        assert outcomes(run)[f"{lang}-long"] == ("reading", False)
        assert outcomes(run)[f"{lang}-short"] == (None, False)


def test_a_reader_that_passes_over_what_was_found_is_at_fault(measure):
    _, run = measure("distracted", finds=True, place=-1)
    for lang in QUESTIONS:
        for kind in ("long", "short"):
            assert outcomes(run)[f"{lang}-{kind}"] == ("reading", False)


def test_a_reader_that_received_nothing_relevant_is_not_at_fault(measure):
    # The reader would fail with the relevant passages first, too, but it never had one.
    _, run = measure("lost", finds=False, place=-1)
    for lang in QUESTIONS:
        for kind in ("long", "short"):
            assert outcomes(run)[f"{lang}-{kind}"] == ("retrieval", True)


def test_a_reranker_that_kept_them_from_the_reader_is_at_fault(measure):
    _, run = measure("sunk", finds=True, place=-1, reranker=Sinking())
    for lang in QUESTIONS:
        for kind in ("long", "short"):
            assert outcomes(run)[f"{lang}-{kind}"] == ("reranking", True)


def test_the_failure_of_the_search_is_reported_beside_the_culprit(measure, anaphora):
    folder, run = measure("lost", finds=False, place=-1)
    assert read_run(folder) == run
    assert outcomes(run)["unjudged"][1] is None
    lines = (folder / "scores.jsonl").read_text("utf-8").splitlines()
    known = {one["id"]: one["search_failed"] for one in map(json.loads, lines)}
    assert known == {id: failed for id, (_, failed) in outcomes(run).items()}
    count = 2 * len(QUESTIONS)
    figures = read_figures(folder)
    assert figures["culprits"] == figures["search_failures"] == {"retrieval": count}
    blamed = anaphora("blame", folder).out
    assert "no relevant passage in the first 5" in blamed
    (row,) = [line.split() for line in blamed.splitlines() if line.startswith("retrieval")]
    assert row == ["retrieval", str(count), str(count)]
