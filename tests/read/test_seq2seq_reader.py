"""Readers by sequence-to-sequence models, on tiny random models. tests/train trains some."""

from __future__ import annotations

import json

import pytest
from support import tiny_seq2seq
from support.dialogues import FACTS, LETTERS, hits

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import ModelUnavailable
from anaphora.language import not_in_documents
from anaphora.read.seq2seq import describe, described_form
from anaphora.records import Query
from anaphora.registry import build

QUERIES = [
    Query(question, lang)
    for (_, question, _), lang in zip(FACTS[:3], ("fr", "zh", "ja"), strict=True)
]
FOUND = hits(*(text for text, _, _ in FACTS))


@pytest.fixture(scope="module", params=tiny_seq2seq.KINDS)
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / request.param
    return tiny_seq2seq.make(place, [LETTERS], request.param)


def reader(folder, method="seq2seq", check="none", **settings):
    settings = {"model": str(folder), "max_length": 24, "min_length": 4, **settings}
    config = Config.of({"read": {"method": method, **settings}, "check": {"method": check}})
    return build(config.read, Assistant(None, config))


@pytest.mark.parametrize("method", ["seq2seq", "fid"])
def test_an_answer_is_deterministic_does_not_depend_on_its_batch_and_cites_what_was_read(
    folder, method
):
    one = reader(folder, method, passages=3)
    answers = one.read(QUERIES, [FOUND, FOUND[2:], FOUND[:1]])
    for query, found, answer in zip(QUERIES, [FOUND, FOUND[2:], FOUND[:1]], answers, strict=True):
        (again,) = one.read([query], [found])
        assert (again.text, again.citations) == (answer.text, answer.citations)
        assert answer.text
        assert not answer.abstained
        assert 0 < answer.confidence <= 1
        assert [citation.quote for citation in answer.citations] == [
            hit.passage.text for hit in found[:3]
        ]


def test_fusion_over_one_passage_is_ordinary_reading(folder):
    found = [FOUND[:1]] * len(QUERIES)
    fused = reader(folder, "fid").read(QUERIES, found)
    assert fused == reader(folder, "seq2seq").read(QUERIES, found)
    more = [FOUND[:4]] * len(QUERIES)
    assert reader(folder, "fid").read(QUERIES, more) != fused


def test_without_passages_nothing_is_generated(folder):
    (answer,) = reader(folder).read(QUERIES[:1], [[]])
    assert (answer.text, answer.abstained) == (not_in_documents("fr"), True)


def test_a_question_that_is_too_long_for_the_window_is_not_cut(folder):
    asked = Query("Où est la chaudière ? " * 5000, "fr")
    (answer,) = reader(folder).read([asked], [FOUND])
    assert (answer.text, answer.abstained) == (not_in_documents("fr"), True)


def test_the_defaults_are_the_decoding_of_the_paper():
    settings = Config.of({"read": {"method": "seq2seq", "model": "x"}}).read
    assert (settings.beams, settings.no_repeat) == (4, 3)
    assert (settings.min_length, settings.max_length) == (20, 120)
    assert Config.of({"read": {"method": "fid", "model": "x"}}).read.min_length == 0


def test_a_checkpoint_says_what_it_was_trained_on(tmp_path):
    assert described_form(str(tmp_path)) is None
    assert described_form("some/name") is None
    describe(tmp_path, "fid", "history")
    assert described_form(str(tmp_path)) == "history"
    for damaged in ("{", "[]", "{}", json.dumps({"input": "poem"})):
        (tmp_path / "reader.json").write_text(damaged)
        with pytest.raises(ModelUnavailable, match=r"reader\.json (is damaged|names an unknown)"):
            described_form(str(tmp_path))


def test_a_model_that_is_not_there(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"nothing.* (cannot be loaded|needs transformers)"):
        reader(tmp_path / "nothing")


def test_what_did_not_fit_is_noted(folder):
    long = "La chaudière est à la cave. " * 40
    (answer,) = reader(folder).read(QUERIES[:1], [[*hits(long, long)]])
    (note,) = answer.writing.notes
    assert note.startswith("1 passage ")
    assert note.endswith("did not fit into the model's window")
    assert answer.writing.model == str(folder)


def test_checked_it_shows_nothing_that_a_random_model_writes(folder):
    text = "The library was founded in the old town in 1923."
    query = Query("When was the library founded?", "en")
    (answer,) = reader(folder, check="support").read([query], [hits(text)])
    assert [citation.quote for citation in answer.citations] == [text]
    assert answer.writing.fallback.startswith(f"the model {folder} ")
    assert all(one.fate == "struck" for one in answer.writing.statements)
