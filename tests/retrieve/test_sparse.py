"""Sparse retrieval: alone, fused, with questions weighed by inverse document frequency."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from support.hash_encoder import HashEncoder
from support.hash_sparse import HashSparse

from anaphora import registry
from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import UsageError
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.sparse import IdfQueries, load_sparse_encoder

TEXTS = {
    "en": "The boiler stands in the cellar of the town hall.",
    "fr": "La chaudière se trouve à la cave de la mairie.",
    "ru": "Котёл стоит в подвале ратуши.",
    "th": "หม้อไอน้ำ อยู่ใน ชั้นใต้ดิน",
    "tr": "Kazan, belediyenin bodrum katındadır.",
    "vi": "Nồi hơi đặt dưới tầng hầm của tòa thị chính.",
    "zh": "锅炉 放在 市政厅 的地下室。",
}
NAME = f"{HashSparse.__module__}:HashSparse"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("sparse")
    lines = [{"_id": lang, "text": text, "lang": lang} for lang, text in TEXTS.items()]
    path = place / "passages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    encoder = load_sparse_encoder(NAME)
    report = update(place / "index", [path], HashEncoder(), sparse=encoder)
    assert (report.encoded, report.weighed) == (len(TEXTS), len(TEXTS))
    update(place / "words", [path], None)
    return place


@pytest.fixture
def opened(folder):
    index = open_index(folder / "index")
    yield index
    index.close()


def retriever(index, **settings):
    assistant = Assistant(index, Config.of({"retrieve": settings}))
    # The index names its encoders, which are classes of these tests.
    assistant.__dict__ |= {"encoder": HashEncoder(), "sparse_encoder": HashSparse()}
    return assistant.retriever


def ids(hits):
    return [hit.passage.passage_id for hit in hits]


@pytest.mark.parametrize("queries", ["model", "idf"])
@pytest.mark.parametrize("lang", TEXTS)
def test_a_passage_is_found_by_its_words(opened, lang, queries):
    asked = " ".join(TEXTS[lang].split()[:3])
    found = retriever(opened, model="sparse", sparse_queries=queries)
    (hits,) = found.retrieve([Query(asked, lang)], 3)
    assert ids(hits)[0] == lang
    assert set(hits[0].sources) == {"sparse"}


def test_a_question_without_a_letter_or_digit_finds_nothing(opened):
    found = retriever(opened, model="sparse").retrieve([Query("?!"), Query("cave")], 3)
    assert found[0] == []
    assert found[1]


def test_hybrid_retrieval_fuses_it_if_it_has_a_weight(opened):
    query = Query("chaudière cave", "fr")
    (without,) = retriever(opened).retrieve([query], 5)
    assert all("sparse" not in hit.sources for hit in without)
    (fused,) = retriever(opened, sparse_weight=1.0).retrieve([query], 5)
    assert set(fused[0].sources) == {"lexical", "dense", "sparse"}
    assert fused[0].passage.passage_id == "fr"
    only = {"lexical_weight": 0.0, "dense_weight": 0.0}
    (alone,) = retriever(opened, sparse_weight=2.0, **only).retrieve([query], 2)
    assert ids(alone) == ids(retriever(opened, model="sparse").retrieve([query], 2)[0])


def test_idf_of_a_token_is_over_the_passages_that_weigh_it(opened):
    encoder = IdfQueries(HashSparse(), opened)
    (found,) = encoder.encode_queries(["cellar la unseen"])
    expected = {}
    for token, df in zip(
        tokens := HashSparse().tokens(["cellar la unseen"])[0],
        opened.frequencies(tokens),
        strict=True,
    ):
        if df:
            expected[token] = math.log1p((len(TEXTS) - df + 0.5) / (df + 0.5))
    assert 0 < len(expected) <= 3
    assert dict(zip(found.terms.tolist(), found.weights.tolist(), strict=True)) == pytest.approx(
        expected
    )
    assert encoder.name == "hash-sparse"
    assert encoder.tokens(["a b"]) == HashSparse().tokens(["a b"])
    (passage,) = encoder.encode_passages(["cave"])
    assert passage.weights.tolist() == HashSparse().encode_passages(["cave"])[0].weights.tolist()


def test_weights_that_the_model_brings_come_first(opened):
    class Bringing(HashSparse):
        idf: Any = None

    encoder = Bringing()
    tokens = encoder.tokens(["cellar la"])[0]
    encoder.idf = {tokens[0]: 2.5}
    (found,) = IdfQueries(encoder, opened).encode_queries(["cellar la"])
    assert found.terms.tolist() == tokens[:1]
    assert np.allclose(found.weights, [2.5])


def test_an_index_without_weights_says_how_to_make_them(folder):
    index = open_index(folder / "words")
    for settings in ({"model": "sparse"}, {"sparse_weight": 1.0}):
        assistant = Assistant(index, Config.of({"retrieve": settings}))
        with pytest.raises(
            UsageError, match=r"has no sparse weights; index it with --sparse MODEL"
        ):
            _ = assistant.retriever
    index.close()


def test_settings_are_checked():
    with pytest.raises(UsageError, match=r"'retrieve\.sparse_weight'"):
        Config.of({"retrieve": {"sparse_weight": -1.0}})
    with pytest.raises(UsageError, match=r"'retrieve\.sparse_queries' must be one of"):
        Config.of({"retrieve": {"sparse_queries": "bm25"}})


def test_a_sparse_encoder_by_name():
    assert registry.names("sparse_encoder") == []
    assert isinstance(load_sparse_encoder(NAME), HashSparse)
    with pytest.raises(UsageError, match="cannot be imported"):
        load_sparse_encoder("no.such.module:Thing")
