"""Dense retrieval over an index."""

import pytest
from support.hash_encoder import HashEncoder

from anaphora.index import open_index
from anaphora.ingest.update import update
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
    assert hit.cosine == (hit.score if encoder.name == DEFAULT else None)
    index.close()
