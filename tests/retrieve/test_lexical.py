"""Lexical retrieval over an index."""

import pytest

from anaphora.index import BM25, LMDirichlet, LMJelinekMercer, open_index
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.lexical import LexicalRetriever


@pytest.mark.parametrize("mode", [BM25(), LMDirichlet(), LMJelinekMercer()])
def test_it_searches_the_text_and_not_the_variants(tmp_path, mode):
    (tmp_path / "a.md").write_text("ปั๊มน้ำหยุดทำงาน", "utf-8")
    update(tmp_path / "index", [tmp_path / "a.md"], None)
    index = open_index(tmp_path / "index")
    queries = [Query("ปั๊มน้ำ", "th"), Query("other", "en", ("ปั๊มน้ำ",))]
    (hit,), none = LexicalRetriever(index, mode).retrieve(queries, 5)
    assert none == []
    assert hit.sources == {"lexical": hit.score}
    assert hit.cosine is None
    index.close()
