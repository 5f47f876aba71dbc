"""Sparse weights as impacts in the segments of a local index."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hash_encoder import HashEncoder
from support.hash_sparse import HashSparse

from anaphora.errors import AnaphoraError, IndexDamaged, UsageError
from anaphora.index import BM25, Dense, Sparse, open_index, open_writer
from anaphora.index.local import kernel, merging
from anaphora.index.local import writer as local_writer
from anaphora.index.local.impacts import PER_UNIT, impact_key, impact_postings, quantise
from anaphora.index.local.kernel import search, search_numpy
from anaphora.index.local.postings import merge
from anaphora.protocols import TermWeights
from anaphora.records import Document, Passage, Query

WORDS = [
    *("東京都", "ประเทศไทย", "ışık", "Straße", "كتاب", "đường", "дом", "水泵"),
    *("server", "кот", "café", "서울", "हिन्दी", "42"),
]
ASKED = [*WORDS, " ".join(WORDS), "42 дом", "…"]
WEIGHTS = st.dictionaries(st.integers(0, 300), st.floats(2**-10, 8, width=32), max_size=25)


def text_of(number: int) -> str:
    rng = random.Random(number)
    return f"{number} " + " ".join(rng.choices(WORDS, k=rng.randint(1, 30)))


def document(number: int, text: str | None = None):
    name, text = f"d{number}", text or text_of(number)
    passage = Passage(f"{name}#1", name, name, text, "xx", start=0, end=len(text))
    return Document(name, name, text, "xx"), [passage]


@pytest.fixture
def small(monkeypatch):
    """Segments of ten passages."""
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 10)


def fill(writer, numbers):
    for number in numbers:
        writer.upsert(*document(number))
        if writer.should_commit:
            writer.commit()
    writer.commit()


@pytest.fixture
def location(tmp_path, small):
    """40 passages in four segments, some of them deleted."""
    with open_writer(tmp_path / "index") as writer:
        writer.set_sparse_encoder("hash-sparse")
        fill(writer, range(40))
        assert writer.encode_sparse(HashSparse()) == 40
        for number in (0, 3, 17, 39):
            writer.delete(f"d{number}")
        writer.commit()
    return tmp_path / "index"


def found(location, k=99, asked=ASKED):
    index = open_index(location)
    try:
        queries = [Query(text) for text in asked]
        return [
            [(hit.passage.passage_id, hit.score) for hit in hits]
            for hits in index.search(queries, k, Sparse(HashSparse()))
        ]
    finally:
        index.close()


def by_brute_force(location, k=99, asked=ASKED):
    """Dot products of the query's weights and the rounded weights of every passage, best first."""
    index = open_index(location)
    passages = [one for at in range(80) for one in index.passages_of(f"d{at}")]
    index.close()
    encoder = HashSparse()
    stored = [
        dict(
            zip(
                one.terms.tolist(),
                np.rint(one.weights.astype(float) * PER_UNIT) / PER_UNIT,
                strict=True,
            )
        )
        for one in encoder.encode_passages([passage.searched_text for passage in passages])
    ]
    results = []
    for query in encoder.encode_queries(asked):
        weights = list(zip(query.terms.tolist(), query.weights.tolist(), strict=True))
        scores = [sum(w * row.get(term, 0.0) for term, w in weights) for row in stored]
        order = sorted(range(len(passages)), key=lambda at: -scores[at])
        results.append([(passages[at].passage_id, scores[at]) for at in order if scores[at] > 0])
    return [one[:k] for one in results]


def check_equal(mine, expected):
    assert [len(one) for one in mine] == [len(one) for one in expected]
    assert any(expected)
    for one, other in zip(mine, expected, strict=True):
        assert [score for _, score in one] == pytest.approx([score for _, score in other], rel=1e-5)
        # Equal scores may be in another order.
        rounded = [{(name, round(score, 3)) for name, score in hits} for hits in (one, other)]
        assert len(rounded[0] ^ rounded[1]) <= 2


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("k", [1, 7, 99])
def test_search_is_the_dot_product_of_every_passage(location, k, compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(kernel, "_kernel", None)
    check_equal(found(location, k), by_brute_force(location, k))


@settings(max_examples=80, deadline=None)
@given(st.lists(WEIGHTS, min_size=1, max_size=60), WEIGHTS, st.integers(1, 70), st.booleans())
def test_rounding_moves_a_score_by_less_than_its_bound(passages, query, k, deletes):
    def weights(values):
        terms = sorted(values)
        numbers = [values[term] for term in terms]
        return TermWeights(np.array(terms, np.int64), np.array(numbers, np.float32))

    lists = impact_postings([weights(one) for one in passages])
    wanted = [(lists.find(impact_key(term)), weight) for term, weight in query.items()]
    wanted = [(number, weight) for number, weight in wanted if number >= 0]
    live = (np.arange(len(passages)) % 3 > 0).astype(np.uint8) if deletes else None
    exact = np.array([sum(w * one.get(t, 0.0) for t, w in query.items()) for one in passages])
    bound = sum(query.values()) / PER_UNIT / 2 + 1e-4
    if not wanted:
        assert (exact <= bound).all()
        return
    numbers = [number for number, _ in wanted]
    tables = np.array([w * lists.code_tf / PER_UNIT for _, w in wanted], dtype=np.float32)
    ordinals, scores = search(lists, numbers, tables, live, k, 0.0)
    assert np.abs(scores - exact[ordinals]).max(initial=0) <= bound
    left_out = np.setdiff1d(np.arange(len(passages)), ordinals)
    left_out = left_out if live is None else left_out[live[left_out] == 1]
    last = scores[-1] if len(scores) == k else 0.0
    assert (exact[left_out] <= last + bound).all()
    reference = search_numpy(lists, numbers, tables, live, k, 0.0)
    assert (ordinals == reference[0]).all()
    assert (scores == reference[1]).all()


def test_weights_are_kept_in_hundredths():
    assert quantise(np.array([0.004, 0.006, 0.5, 3.014, 1e9])).tolist()[:4] == [0, 1, 50, 301]
    lists = impact_postings([TermWeights(np.array([7, 9]), np.array([0.004, 1.0]))])
    assert (lists.find(impact_key(7)), lists.find(impact_key(9))) == (-1, 0)
    assert impact_key(255) < impact_key(256) < impact_key(1 << 20)


def test_passages_without_weights_are_kept():
    nothing = TermWeights(np.empty(0, np.int64), np.empty(0, np.float32))
    lists = impact_postings([nothing, nothing])
    assert len(lists.lengths) == 2
    again = merge([lists, impact_postings([nothing])], [None, None])
    assert len(again.lengths) == 3


def test_merging_keeps_what_is_found(location):
    before = found(location)
    with open_writer(location) as writer:
        writer.compact()
        assert len(writer.store.segments()) == 1
        assert writer.verify() == []
        assert writer.without_sparse_weights() == 0
    assert found(location) == before
    check_equal(before, by_brute_force(location))


def test_passages_added_later_are_found_once_they_have_weights(location):
    before = found(location)
    with open_writer(location) as writer:
        fill(writer, range(50, 65))
        assert writer.without_sparse_weights() == 15
        writer.compact()
    assert found(location) == before
    index = open_index(location)
    assert index.without_sparse_weights() == 15
    index.close()
    with open_writer(location) as writer:
        assert writer.encode_sparse(HashSparse()) == 15
        assert writer.encode_sparse(HashSparse()) == 0
        writer.upsert(*document(51, "совсем другое 水泵"))
        writer.commit()
        writer.encode_sparse(HashSparse())
        writer.compact()
    check_equal(found(location), by_brute_force(location))


class Interrupted(HashSparse):
    """Encodes one segment, and is then interrupted."""

    calls = 0

    def encode_passages(self, texts, progress=None):
        self.calls += 1
        if self.calls > 1:
            raise KeyboardInterrupt
        return super().encode_passages(texts, progress)


def test_encoding_resumes(tmp_path, small):
    with open_writer(tmp_path / "index") as writer:
        writer.set_sparse_encoder("hash-sparse")
        fill(writer, range(40))
        with pytest.raises(KeyboardInterrupt):
            writer.encode_sparse(Interrupted())
    with open_writer(tmp_path / "index") as writer:
        assert writer.without_sparse_weights() == 30
        assert writer.verify() == []
        assert writer.encode_sparse(HashSparse()) == 30
    check_equal(found(tmp_path / "index"), by_brute_force(tmp_path / "index"))


@pytest.mark.parametrize("kind", ["postings", "impacts", "vectors", "both"])
def test_damage_is_found_and_repaired(tmp_path, small, monkeypatch, kind):
    monkeypatch.setattr(merging, "MOST_DELETED", 1)
    location = tmp_path / "index"
    with open_writer(location) as writer:
        writer.set_encoder("hash")
        writer.set_sparse_encoder("hash-sparse")
        fill(writer, range(35))
        writer.encode(HashEncoder())
        writer.encode_sparse(HashSparse())
        for number in (2, 11, 12):
            writer.delete(f"d{number}")
        writer.commit()
    before = found(location)
    kinds = ["postings", "impacts"] if kind == "both" else [kind]
    for suffix in kinds:
        for path in (location / "segments").glob(f"*.{suffix}"):
            content = bytearray(path.read_bytes())
            content[-1] ^= 0xFF
            path.write_bytes(content)
    with pytest.raises(IndexDamaged, match="run 'anaphora index repair"):
        open_index(location)
    lost = {"postings": (0, 0), "impacts": (0, 32), "vectors": (32, 0), "both": (0, 32)}[kind]
    with open_writer(location) as writer:
        assert len(writer.verify()) == 4 * len(kinds)
        assert len(writer.repair()) == 4 * len(kinds)
        assert writer.verify() == []
        assert (writer.without_vectors(), writer.without_sparse_weights()) == lost
        writer.encode(HashEncoder())
        writer.encode_sparse(HashSparse())
    assert found(location) == before
    index = open_index(location)
    assert len(index.search([Query(WORDS[0])], 99, Dense(HashEncoder()))[0]) == 32
    index.close()


def test_new_rules_of_analysis_keep_the_weights(location):
    before = found(location)
    with open_writer(location) as writer:
        writer.store.set_meta("analysis", "old")
        writer.commit()
    with open_writer(location) as writer:
        assert writer.without_sparse_weights() == 0
    assert found(location) == before


def test_another_encoder_drops_the_weights(location):
    index = open_index(location)
    named, before = index.sparse_encoder, index.fingerprint
    with open_writer(location) as writer:
        writer.set_sparse_encoder("another")
        assert writer.without_sparse_weights() == 36
        writer.commit()
    assert (named, index.sparse_encoder) == ("hash-sparse", "another")
    assert index.fingerprint != before
    assert index.without_sparse_weights() == 36
    with pytest.raises(UsageError, match="weights of another and cannot be searched with hash-sp"):
        index.search([Query("42")], 1, Sparse(HashSparse()))
    index.close()
    with open_writer(location) as writer:
        writer.set_sparse_encoder("")
        assert writer.without_sparse_weights() == 0
        writer.commit()
        writer.compact()
    assert not list((location / "segments").glob("*.impacts"))
    with pytest.raises(UsageError, match="has no sparse weights and cannot be searched with hash"):
        found(location)


def test_a_reader_that_is_open_sees_the_weights(tmp_path, small):
    with open_writer(tmp_path / "index") as writer:
        fill(writer, range(12))
    index = open_index(tmp_path / "index")
    assert index.frequencies([1, 2]) == [0, 0]
    with open_writer(tmp_path / "index") as writer:
        writer.set_sparse_encoder("hash-sparse")
        writer.commit()
        writer.encode_sparse(HashSparse())
    (hits,) = index.search([Query("7")], 99, Sparse(HashSparse()))
    assert hits
    assert hits[0].sources == {"sparse": hits[0].score}
    index.close()


def test_how_many_passages_hold_a_term(location):
    encoder = HashSparse()
    index = open_index(location)
    for word in WORDS:
        term = encoder.tokens([word])[0][0]
        holding = 0
        for number in range(40):
            for passage in index.passages_of(f"d{number}"):
                (one,) = encoder.encode_passages([passage.searched_text])
                weight = dict(zip(one.terms.tolist(), one.weights.tolist(), strict=True)).get(term)
                holding += weight is not None and weight * PER_UNIT > 0.5
        assert index.frequencies([term]) == [holding]
    index.close()


def test_an_index_without_weights_is_as_before(tmp_path, small):
    with open_writer(tmp_path / "index") as writer:
        fill(writer, range(12))
        writer.set_sparse_encoder("")
        writer.commit()
    with closing(sqlite3.connect(tmp_path / "index" / "store.sqlite")) as db:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        (version,) = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    assert "impacts" not in tables
    assert version == "3"
    index = open_index(tmp_path / "index")
    assert (index.sparse_encoder, index.without_sparse_weights()) == ("", 0)
    assert index.search([Query("42")], 9, BM25())[0]
    index.close()


def test_earlier_versions_refuse_an_index_with_weights(location):
    with closing(sqlite3.connect(location / "store.sqlite")) as db, db:
        (version,) = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        assert version == "4"
        db.execute("UPDATE meta SET value = '5' WHERE key = 'format'")
    with pytest.raises(AnaphoraError, match="newer Anaphora"):
        open_index(location)


def test_unnamed_files_are_swept(location):
    left = location / "segments" / "0123.impacts"
    left.write_bytes(b"half a file")
    with open_writer(location) as writer:
        assert writer.verify() == []
    assert not Path(left).exists()
