"""Dense retrieval over an index."""

import pytest
from support.hash_encoder import HashEncoder

from anaphora.errors import AnaphoraError
from anaphora.index import Adapter, open_index, open_writer
from anaphora.ingest.update import update
from anaphora.models.similarity import comparable
from anaphora.records import Query
from anaphora.retrieve.dense import DenseRetriever
from anaphora.retrieve.encoders import DEFAULT


class NamedAsDefault(HashEncoder):
    name = DEFAULT


@pytest.mark.parametrize("encoder", [HashEncoder(), NamedAsDefault()], ids=["other", "default"])
def test_the_cosine_of_the_default_encoder_is_on_the_hit(tmp_path, encoder):
    (tmp_path / "a.md").write_text("水泵停了。", "utf-8")
    update(tmp_path / "index", [tmp_path / "a.md"], encoder)
    index = open_index(tmp_path / "index")
    empty, (hit,) = DenseRetriever(index, encoder).retrieve([Query("?!"), Query("水泵")], 5)
    assert empty == []
    assert hit.sources == {"dense": hit.score}
    assert hit.cosine == (comparable(hit.score) if encoder.name == DEFAULT else None)
    index.close()


@pytest.mark.parametrize("encoder", [HashEncoder(), NamedAsDefault()], ids=["other", "default"])
def test_an_adapter_changes_the_score_and_not_the_cosine(tmp_path, encoder):
    for name, text in ("a", "水泵停了。"), ("b", "Насос остановился."), ("c", "توقفت المضخة."):
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    update(tmp_path / "index", [tmp_path], encoder)
    index = open_index(tmp_path / "index")
    asked = [Query("水泵"), Query("насос")]
    before = DenseRetriever(index, encoder).retrieve(asked, 3)
    shift = tuple((0.5 * encoder.encode_queries(["قفت"])[0]).tolist())
    with open_writer(tmp_path / "index") as writer:
        writer.set_adapter(Adapter(encoder.name, 0.5, shift))
        writer.commit()
    after = DenseRetriever(index, encoder).retrieve(asked, 3)
    for old, new in zip(before, after, strict=True):
        cosines = {hit.passage.doc_id: hit.cosine for hit in old}
        assert {hit.passage.doc_id: hit.cosine for hit in new} == cosines
        assert [hit.score for hit in new] != [hit.score for hit in old]
        assert all(hit.adapted for hit in new)
        assert not any(hit.adapted for hit in old)
    index.close()


def test_an_adapter_of_another_encoder_is_refused(tmp_path):
    (tmp_path / "a.md").write_text("Su pompası durdu.", "utf-8")
    update(tmp_path / "index", [tmp_path / "a.md"], HashEncoder())
    with (
        open_writer(tmp_path / "index") as writer,
        pytest.raises(AnaphoraError, match="has got other vectors in the meantime"),
    ):
        writer.set_adapter(Adapter("another", 0.5, (0.0,) * 16))
