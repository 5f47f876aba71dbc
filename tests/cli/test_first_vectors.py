"""What the command line says of an index that is searched by fast vectors."""

import pytest
from support.hash_encoder import HashEncoder

from anaphora.ingest import update as ingestion
from anaphora.ingest.update import update
from anaphora.retrieve.encoders import DEFAULT, fast_encoder


class Interrupted(HashEncoder):
    name = DEFAULT

    def encode_passages(self, texts, progress=None):
        raise KeyboardInterrupt


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setattr(ingestion, "FIRST_FROM", 1)
    page = tmp_path / "ngọn.md"
    page.write_text("Ngọn hải đăng được xây năm 1887.", "utf-8")
    return page


def test_indexing_says_when_the_index_can_be_searched(anaphora, page, tmp_path):
    ran = anaphora("index", page, "--index", tmp_path / "i")
    assert ran.code == 0
    assert ran.err.count("The index can be searched now, by fast vectors.") == 1
    again = anaphora("index", page, "--index", tmp_path / "i")
    assert again.err == ""


def test_an_interrupted_upgrade_is_told_and_continued(anaphora, page, tmp_path):
    index = tmp_path / "i"
    with pytest.raises(KeyboardInterrupt):
        update(index, [page], Interrupted(), first=fast_encoder())
    note = (
        "Note: searched by fast vectors until 1 more passage has vectors of multilingual-e5-small; "
        f"'anaphora index FOLDER... --index {index}' makes them.\n"
    )
    asked = ("hải đăng xây năm nào", "--index", index)
    ran = anaphora("search", *asked, "--model", "dense")
    assert (ran.code, ran.err) == (0, note)
    assert "1887" in ran.out
    form = anaphora("index", "list", "--index", index, "--json").json
    assert (form["encoder"], form["without_vectors"]) == ("fast-1", 0)
    assert form["upgrade"] == {"encoder": DEFAULT, "missing": 1}
    assert "until 1 more passage has those of" in anaphora("index", "list", "--index", index).out
    assert anaphora("index", "verify", "--index", index).code == 0
    assert anaphora("index", page, "--index", index).code == 0
    assert anaphora("search", *asked, "--model", "dense").err == ""
    assert anaphora("index", "list", "--index", index, "--json").json["upgrade"] is None
