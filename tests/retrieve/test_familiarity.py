"""How much lexical retrieval counts for a question whose words the documents hardly have."""

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.fusion import Fusion
from anaphora.retrieve.lexical import LexicalRetriever, familiarity
from anaphora.retrieve.settings import RetrieverSettings

TEXTS = {
    "en": "The pump in the cellar stopped, and the caretaker cleaned the filter ERR-4711.",
    "vi": "Máy bơm dưới tầng hầm ngừng chạy, người quản lý lau bộ lọc ERR-4711.",
    "th": "ปั๊มน้ำในห้องใต้ดินหยุดทำงาน ผู้ดูแลทำความสะอาดตัวกรอง ERR-4711",
    "tr": "Bodrumdaki pompa durdu, görevli ERR-4711 filtresini temizledi.",
}
ASKED = {
    "en": "Who cleaned the filter of the pump?",
    "vi": "Ai lau bộ lọc của máy bơm?",
    "th": "ใครทำความสะอาดตัวกรอง",
    "tr": "Pompa neden durdu?",
}


@pytest.fixture(scope="module", params=TEXTS)
def index(request, tmp_path_factory):
    place = tmp_path_factory.mktemp(request.param)
    (place / "a.md").write_text(TEXTS[request.param], "utf-8")
    update(place / "index", [place / "a.md"], None)
    with_language = open_index(place / "index")
    yield request.param, with_language
    with_language.close()


def test_words_of_the_documents_count_in_full_and_others_less(index):
    lang, opened = index
    for asked, question in ASKED.items():
        share = familiarity(opened, Query(question, asked))
        assert share == 1 if asked == lang else share < 0.5


def test_a_code_alone_or_stop_words_alone_count_in_full(index):
    _, opened = index
    assert familiarity(opened, Query("ERR-4711", "ru")) == 1
    assert familiarity(opened, Query("the of and", "en")) == 1
    assert familiarity(opened, Query("", "zh")) == 1


def test_two_known_words_of_five_count_four_fifths(index):
    _, opened = index
    assert familiarity(opened, Query("ERR-4711 xylo qwert zvuk", "en")) == pytest.approx(0.8)


def test_a_ranking_is_weighed_by_its_trust_for_each_phrasing(index):
    _, opened = index
    query = Query("ERR-4711", "en", variants=("filter ERR-4711",))
    trust = {"lexical": lambda asked: 0.25 if asked.text == query.text else 1.0}
    retriever = LexicalRetriever(opened, RetrieverSettings().mode)
    plain, less = (
        Fusion([retriever], "weighted", trust=one).retrieve([query], 5)[0][0].score
        for one in ({}, trust)
    )
    assert plain == pytest.approx(1 + 0.5)
    assert less == pytest.approx(0.25 + 0.5)


def test_hybrid_retrieval_weighs_words_by_what_the_index_knows(index):
    lang, opened = index
    assistant = Assistant(opened, Config.of({"retrieve": {"model": "hybrid"}}))
    trust = assistant.retriever.trust["lexical"]
    assert trust(Query(ASKED[lang], lang)) == 1
    alone = Assistant(opened, Config.of({"retrieve": {"model": "bm25"}}))
    assert alone.retriever.trust == {}
