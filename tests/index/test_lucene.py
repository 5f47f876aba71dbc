"""Scores against Lucene's own, recorded by bench/lucene_reference.py."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.segments import make_segment, statistics

from anaphora.index import BM25, LMDirichlet, LMJelinekMercer
from anaphora.index.local.postings import term_key
from anaphora.index.local.ranking import look_up, rank

REFERENCE = json.loads(Path(__file__).with_name("lucene_reference.json").read_text("utf-8"))
MODELS = {"bm25": BM25, "lmd": LMDirichlet, "lmjm": LMJelinekMercer}
DOCUMENTS = [[REFERENCE["vocabulary"][t] for t in doc] for doc in REFERENCE["documents"]]


@pytest.mark.parametrize("cuts", [[], [20], [1, 7, 31, 32]], ids=["one", "two", "five"])
@pytest.mark.parametrize(
    "recorded", REFERENCE["models"], ids=lambda m: f"{m['model']}{m['parameters']}"
)
def test_scores_and_order_are_lucenes_however_the_index_is_cut(recorded, cuts):
    segments = [
        make_segment(part, first)
        for first, part in zip([0, *cuts], np.split(np.arange(len(DOCUMENTS)), cuts), strict=True)
        for part in [[DOCUMENTS[i] for i in part]]
    ]
    model = MODELS[recorded["model"]](*recorded["parameters"])
    for query, expected in zip(REFERENCE["queries"], recorded["rankings"], strict=True):
        words = [
            look_up(segments, {"xx": [term_key("xx", token)]}, query.count(token))
            for token in dict.fromkeys(query)
        ]
        found = rank(segments, statistics(segments), words, len(DOCUMENTS), model)
        assert dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True)) == pytest.approx(
            dict(expected), rel=1e-4, abs=1e-7
        )
        assert np.all(np.diff(found.scores) <= 0)
        for k in (1, 3, 10):
            top = rank(segments, statistics(segments), words, k, model)
            assert top.rows.tolist() == found.rows.tolist()[:k]
