"""The local engine behind the protocols of `anaphora.index`."""

import re
from pathlib import Path

import pytest
from support.hash_encoder import HashEncoder

import anaphora
from anaphora.errors import AnaphoraError, UsageError
from anaphora.index import (
    BM25,
    Dense,
    LMDirichlet,
    LMJelinekMercer,
    Maintenance,
    TermStatistics,
    open_index,
    open_writer,
)
from anaphora.index.local import merging
from anaphora.index.local import writer as local_writer
from anaphora.records import Document, Passage, Query

TEXTS = {
    "ja": "東京都の利用者はパッケージを追加できます。",
    "tr": "İstanbul'da kışın ışıklar yanar.",
    "ru": "Пользователь устанавливает программы.",
    "vi": "Người dùng cài đặt phần mềm.",
}


class OtherEncoder(HashEncoder):
    name = "other"


def document(name, text, lang="en"):
    passage = Passage(f"{name}#1", name, name, text, lang, start=0, end=len(text))
    return Document(name, name, text, lang), [passage]


@pytest.fixture
def location(tmp_path):
    with open_writer(tmp_path / "index") as writer:
        writer.set_encoder("hash")
        for lang, text in TEXTS.items():
            assert writer.upsert(*document(lang, text, lang))
        writer.commit()
        assert writer.encode(HashEncoder()) == 4
    return tmp_path / "index"


def test_nothing_outside_the_engine_imports_from_it():
    source = Path(anaphora.__file__).parent
    imports = re.compile(r"^\s*(from|import) anaphora\.index\.local\b", re.MULTILINE)
    users = [
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if imports.search(path.read_text("utf-8"))
    ]
    assert users
    assert all(Path(user).parts[:2] == ("index", "local") for user in users), users


def test_it_has_both_capabilities(location):
    index = open_index(location)
    assert isinstance(index, TermStatistics)
    with open_writer(location) as writer:
        assert isinstance(writer, Maintenance)
    assert (index.location, index.encoder) == (str(location), "hash")
    assert index.languages == ("ja", "ru", "tr", "vi")
    assert index.counts() == (4, 4)
    assert index.collection.passages == 4
    assert [one.df for one in index.statistics(["東京", "ışıklar", "nothing"])] == [1, 1, 0]
    index.close()


@pytest.mark.parametrize("mode", [BM25(), LMDirichlet(), LMJelinekMercer(), Dense(HashEncoder())])
@pytest.mark.parametrize("lang", TEXTS)
def test_every_mode_finds_a_text_by_itself(location, mode, lang):
    index = open_index(location)
    query = TEXTS[lang] if not isinstance(mode, Dense) else f"{lang}\n{TEXTS[lang]}"
    assert index.search([], 3, mode) == []
    first, *_ = index.search([Query(query, lang)], 3, mode)[0]
    assert (first.passage.passage_id, first.rank) == (f"{lang}#1", 1)
    source = "dense" if isinstance(mode, Dense) else "lexical"
    assert first.sources == {source: first.score}
    if source == "dense":
        assert first.score == pytest.approx(1, abs=0.01)
    index.close()


def test_what_cannot_be_searched_is_one_sentence(location, tmp_path):
    index = open_index(location)
    with pytest.raises(UsageError, match="at least 1"):
        index.search([Query("a")], 0, BM25())
    with pytest.raises(UsageError, match="vectors of hash and cannot be searched with other"):
        index.search([Query("a")], 1, Dense(OtherEncoder()))
    index.close()
    with pytest.raises(AnaphoraError, match="there is no index"):
        open_writer(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "values",
    [lambda: BM25(-1), lambda: BM25(b=2), lambda: LMDirichlet(0), lambda: LMJelinekMercer(1)],
)
def test_parameters_of_a_mode_are_checked(values):
    with pytest.raises(UsageError, match="needs"):
        values()


def test_passages_by_id(location):
    index = open_index(location)
    found = index.passages(["ja#1", "none", "vi#1"])
    assert {name: one.text for name, one in found.items()} == {
        "ja#1": TEXTS["ja"],
        "vi#1": TEXTS["vi"],
    }
    index.close()


def test_upsert_replaces_only_what_differs_and_the_fingerprint_shows_it(location):
    index = open_index(location)
    before = index.fingerprint
    with open_writer(location) as writer:
        assert not writer.upsert(*document("tr", TEXTS["tr"], "tr"))
        writer.commit()
        writer.compact()
    assert index.fingerprint == before
    with open_writer(location) as writer:
        assert writer.upsert(*document("tr", "Yazın güneş açar.", "tr"))
        writer.delete("ru")
        writer.delete("unknown")
        writer.commit()
    assert index.fingerprint != before
    assert index.search([Query("ışıklar программы")], 3, BM25()) == [[]]
    assert index.search([Query("güneş")], 3, BM25())[0][0].passage.doc_id == "tr"
    assert index.counts() == (3, 3)
    index.close()


def test_what_was_not_committed_is_rolled_back(location):
    with open_writer(location) as writer:
        writer.delete("ja")
    index = open_index(location)
    assert index.counts() == (4, 4)
    index.close()


class StopsEncoding(HashEncoder):
    """Encodes one segment, and is then interrupted."""

    def __init__(self):
        self.segments = 0

    def encode_passages(self, texts, progress=None):
        if self.segments:
            raise KeyboardInterrupt
        self.segments += 1
        return super().encode_passages(texts, progress)


def test_encoding_resumes_and_its_gaps_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 10)
    with open_writer(tmp_path / "index") as writer:
        writer.set_encoder("hash")
        for number in range(40):
            writer.upsert(*document(str(number), f"текст {number} 文章"))
            if writer.should_commit:
                writer.commit()
        writer.delete("39")
        writer.commit()
        assert writer.without_vectors() == 39
        with pytest.raises(KeyboardInterrupt):
            writer.encode(StopsEncoding())
    with open_writer(tmp_path / "index") as writer:
        assert writer.verify() == []
        assert writer.without_vectors() == 29
        assert writer.encode(HashEncoder()) == 30
        assert writer.without_vectors() == 0
        assert writer.encode(HashEncoder()) == 0


@pytest.mark.parametrize("deleted", [[], [3, 17]])
def test_repair_of_postings_keeps_vectors_also_after_deletions(tmp_path, monkeypatch, deleted):
    monkeypatch.setattr(local_writer, "COMMIT_PASSAGES", 8)
    monkeypatch.setattr(merging, "MOST_DELETED", 1)
    location = tmp_path / "index"
    with open_writer(location) as writer:
        writer.set_encoder("hash")
        for number in range(20):
            writer.upsert(*document(str(number), f"текст {number} 文章"))
        writer.commit()
        writer.encode(HashEncoder())
        for number in deleted:
            writer.delete(str(number))
        writer.commit()
    queries = [Query(f"текст {number} 文章") for number in range(20)]

    def found():
        index = open_index(location)
        modes = (BM25(), Dense(HashEncoder()))
        results = [index.search(queries, 30, mode) for mode in modes]
        index.close()
        return [
            sorted((hit.passage.passage_id, round(hit.score, 5)) for hit in hits)
            for of_mode in results
            for hits in of_mode
        ]

    before = found()
    for path in (location / "segments").glob("*.postings"):
        path.write_bytes(path.read_bytes()[:-5])
    with open_writer(location) as writer:
        assert len(writer.repair()) == 1
        assert writer.without_vectors() == 0
        assert writer.verify() == []
    assert found() == before


def test_the_vectors_of_passages_survive_new_rules_of_analysis(location):
    with open_writer(location) as writer:
        writer.store.set_meta("analysis", "old")
        writer.commit()
    with open_writer(location) as writer:
        assert writer.without_vectors() == 0
    index = open_index(location)
    assert len(index.search([Query("東京都")], 9, Dense(HashEncoder()))[0]) == 4
    index.close()


NAMES = {
    "docs/đường.md": "Đường về nhà",
    "docs/maybom.pdf": "Máy bơm nước",
    "docs/насос.html": "НАСОС и Ёмкость",
    "docs/水泵.txt": "水泵手册",
    "docs/ปั๊ม.md": "คู่มือปั๊ม",
    "docs/مضخة.md": "دَليل المضخّة",
    "docs/ısı.md": "IŞIK VE ISI",
}


@pytest.fixture
def shelf(tmp_path):
    with open_writer(tmp_path / "shelf") as writer:
        for doc_id, title in NAMES.items():
            texts = ["One.", "Two.", "Three."][: 1 + len(doc_id) % 3]
            passages = [
                Passage(f"{doc_id}#{n}", doc_id, title, text, "en", (), 10 * n, 10 * n + len(text))
                for n, text in enumerate(texts)
            ]
            writer.upsert(Document(doc_id, title, "", "en"), passages)
        writer.commit()
    index = open_index(tmp_path / "shelf")
    yield index
    index.close()


@pytest.mark.parametrize(
    ("matching", "found"),
    [
        ("may bom", "docs/maybom.pdf"),
        ("MÁY BƠM", "docs/maybom.pdf"),
        ("duong ve", "docs/đường.md"),
        ("насос и емкость", "docs/насос.html"),
        ("泵手", "docs/水泵.txt"),
        ("ปั๊ม", "docs/ปั๊ม.md"),
        ("دليل المضخة", "docs/مضخة.md"),
        ("ışık ve ısı", "docs/ısı.md"),
        ("nothing", None),
        ("%", None),
    ],
)
def test_documents_are_filtered_in_every_script(shelf, matching, found):
    assert [one.doc_id for one in shelf.documents(matching)] == ([found] if found else [])


def test_documents_are_listed_in_pages(shelf):
    listed, page = [], shelf.documents(limit=3)
    while page:
        listed += page
        page = shelf.documents(after=page[-1].doc_id, limit=3)
    assert [one.doc_id for one in listed] == sorted(NAMES)
    for one in listed:
        texts = shelf.passages_of(one.doc_id)
        assert (one.title, one.lang) == (NAMES[one.doc_id], "en")
        assert (one.passages, one.length) == (len(texts), texts[-1].end)
        assert shelf.document(one.doc_id) == one
    assert shelf.document("docs/") is None


def test_the_passages_of_a_document_by_range(shelf):
    doc_id = next(one.doc_id for one in shelf.documents() if one.passages == 3)
    every = shelf.passages_of(doc_id)
    assert [one.text for one in every] == ["One.", "Two.", "Three."]
    assert shelf.passages_of(doc_id, 13) == every[1:]
    assert shelf.passages_of(doc_id, 14, 20) == []
    assert shelf.passages_of(doc_id, 3, 11) == every[:2]
    assert shelf.passages_of("unknown") == []


def test_a_document_without_passages_is_listed(tmp_path):
    with open_writer(tmp_path / "index") as writer:
        writer.upsert(Document("a", "", "", "en"), [])
        writer.commit()
    index = open_index(tmp_path / "index")
    assert index.documents() == [("a", "", "en", 0, 0)]
    index.close()
