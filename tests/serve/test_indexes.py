"""Indexes by name, and what happens to them while they are open."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support import endpoint
from support.hash_encoder import HashEncoder
from support.hash_sparse import NamedSparse

from anaphora.config import Config
from anaphora.errors import AnaphoraError, UsageError
from anaphora.index import open_writer
from anaphora.ingest.update import update
from anaphora.records import Claim, Conversation, Hit, Query, Rewrite, Support
from anaphora.serve.indexes import DEFAULT, Indexes, configurations
from anaphora.serve.ingestion import ingest
from anaphora.serve.problems import Problem
from anaphora.serve.running import named_folders


@pytest.fixture
def indexes(index: Path) -> Iterator[Indexes]:
    """One index that the test may change."""
    opened = Indexes({"港": index}, {DEFAULT: Config()})
    yield opened
    opened.close()


def found(indexes: Indexes, query: str) -> str:
    with indexes.use() as assistant:
        hits = assistant.search(query, 1)
    return hits[0].passage.text if hits else ""


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "new.md").write_text(text, "utf-8")
    return folder


def test_what_another_process_adds_is_found(indexes: Indexes, index: Path, tmp_path: Path) -> None:
    assert "水母" not in found(indexes, "水母")
    update(index, [write(tmp_path / "more", "# 水母\n\n水母在夏天出现。")], None)
    assert "水母" in found(indexes, "水母")


def test_an_index_that_was_replaced_is_opened_again(
    indexes: Indexes, index: Path, tmp_path: Path
) -> None:
    with indexes.use() as before:
        shutil.rmtree(index)
        with pytest.raises(Problem, match="there is no index"), indexes.use():
            pass
        assert indexes.status("港").state == "damaged"
        update(index, [write(tmp_path / "other", "# Sứa\n\nSứa xuất hiện vào mùa hè.")], None)
        assert "Sứa" in found(indexes, "sứa")
        # A turn that runs keeps the index with which it began.
        assert before.index
        assert before.index.counts().documents == 11
    assert indexes.status("港").documents == 1


def test_another_encoder_is_loaded(indexes: Indexes, index: Path) -> None:
    with indexes.use() as before:
        pass
    with open_writer(index) as writer:
        writer.set_encoder("")
        writer.commit()
    with indexes.use() as after:
        assert after is not before
        assert after.encoder is None


def test_another_model_of_sparse_weights_is_loaded(indexes: Indexes, index: Path) -> None:
    with indexes.use() as before:
        assert before.sparse_encoder is None
    with open_writer(index) as writer:
        writer.set_sparse_encoder(NamedSparse.name)
        writer.commit()
    with indexes.use() as after:
        assert isinstance(after.sparse_encoder, NamedSparse)


def test_uploads_get_the_sparse_weights_of_the_index(index: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "more", "# 水母\n\n水母在夏天出现。")
    ingest(lambda *_: None, index, None, folder, "", NamedSparse.name)
    with open_writer(index) as writer:
        assert writer.sparse_encoder == NamedSparse.name
        assert writer.without_sparse_weights() == 0


def test_an_index_that_is_written_is_updating(indexes: Indexes, index: Path) -> None:
    assert indexes.status("港").state == "ready"
    with open_writer(index):
        status = indexes.status("港")
        assert status.state == "updating"
        assert "another process" in status.detail
        assert found(indexes, "灯塔")
    assert indexes.status("港").state == "ready"


def test_missing_vectors_are_told(index: Path, tmp_path: Path) -> None:
    with open_writer(index) as writer:
        writer.set_encoder(HashEncoder.name)
        writer.commit()
    indexes = Indexes({"a": index}, {DEFAULT: Config.of({"retrieve": {"model": "bm25"}})})
    assert "passages have no vectors" in indexes.status("a").detail
    indexes.close()


def test_a_damaged_index_is_told(index: Path) -> None:
    (segment, *_) = (index / "segments").iterdir()
    segment.write_bytes(segment.read_bytes()[:-5])
    indexes = Indexes({"a": index}, {DEFAULT: Config()})
    status = indexes.status("a")
    assert status.state == "damaged"
    assert "repair" in status.detail
    with pytest.raises(AnaphoraError, match="repair"):
        indexes.load()
    indexes.close()


class Reranking:
    """Keeps the order, and remembers what it was given; so do the others."""

    def __init__(self) -> None:
        self.hits: list[Hit] = []

    def rerank(
        self, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
    ) -> list[list[Hit]]:
        self.hits += [hit for found in hits for hit in found]
        return list(hits)


class Rewriting:
    def __init__(self) -> None:
        self.conversations: list[Conversation] = []

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        self.conversations += conversations
        return [Rewrite(one.question.text, "en") for one in conversations]


class Checking:
    def __init__(self) -> None:
        self.claims: list[Claim] = []

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        self.claims += claims
        return [Support(True, 1.0) for _ in claims]


def test_the_local_models_are_warm_beside_an_endpoint(shared_index: Path, tmp_path: Path) -> None:
    asked = endpoint.start(tmp_path / "log")
    remote = Config.of({"read": {"method": "llm", "endpoint": asked.url, "model": "m"}})
    reranker, rewriter, checker = Reranking(), Rewriting(), Checking()
    config = Config(read=remote.read, rerank=reranker, rewrite=rewriter, check=checker)
    indexes = Indexes({"a": shared_index}, {DEFAULT: config})
    try:
        indexes.load()
        assert reranker.hits
        assert rewriter.conversations
        assert checker.claims
        assert asked.requests == []
    finally:
        indexes.close()
        asked.stop()


def test_names_that_do_not_exist_are_not_found(indexes: Indexes) -> None:
    for name in ("港口", "../港", "", "港/.."):
        with pytest.raises(Problem, match="there is no index") as missing:
            indexes.find(name)
        assert missing.value.status == 404
    assert indexes.find(None) == "港"


def test_new_settings_are_served_after_a_change(indexes: Indexes) -> None:
    with indexes.use() as before:
        indexes.change(indexes.folders, {DEFAULT: Config.of({"rerank": {"method": "none"}})})
        assert before.search("灯塔", 1)
        with indexes.use() as after:
            assert after.reranker is None


def test_a_configuration_replaces_tables() -> None:
    values = {"retrieve": {"model": "bm25"}, "read": {"length": 200}}
    found = configurations(values, {"brief": {"read": {"passages": 1}}})
    assert list(found) == ["default", "brief"]
    assert found["default"].read.length == 200
    assert (found["brief"].read.length, found["brief"].read.passages) == (700, 1)
    assert found["brief"].retrieve.model == "bm25"


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([], "'serve.configurations.x' must be a table"),
        ({"index": {"engine": "local"}}, "cannot differ"),
        ({"raed": {}}, "in serve.configurations.x: there is no setting 'raed'"),
    ],
)
def test_a_wrong_configuration_is_named(tables: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        configurations({}, {"x": tables})


def test_indexes_are_named() -> None:
    given = ["/srv/文档", ".anaphora", "handbook=/srv/hb", "/srv/a=b/c"]
    assert named_folders(given) == {
        "文档": Path("/srv/文档"),
        "anaphora": Path(".anaphora"),
        "handbook": Path("/srv/hb"),
        "c": Path("/srv/a=b/c"),
    }
    with pytest.raises(UsageError, match="two indexes are named 'a'"):
        named_folders(["x/a", "y/a"])
