"""Retrieval in chosen languages and with translated questions, on a real index."""

from __future__ import annotations

import json

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import UsageError
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import UNKNOWN, Query

TEXTS = {
    "en": "The boiler stands in the cellar of the town hall.",
    "fr": "La chaudière se trouve à la cave de la mairie.",
    "vi": "Nồi hơi đặt dưới tầng hầm của tòa thị chính.",
    "zh": "锅炉放在市政厅的地下室。",
}
QUESTION = Query("Où se trouve la chaudière de la mairie ?", "fr")
TRANSLATED = [
    ["chaudière", "Where is the boiler of the town hall?"],
    ["无", "无"],
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    lines = [
        {"_id": f"{lang}{number}", "text": f"{text} {number}", "lang": lang}
        for number in range(3)
        for lang, text in TEXTS.items()
    ]
    path = folder / "passages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    update(folder / "index", [path], None)
    opened = open_index(folder / "index")
    yield opened
    opened.close()


def retriever(index, model=None, **settings):
    tables = {"retrieve": {"model": "bm25", **settings}, "translate": model or {}}
    return Assistant(index, Config.of(tables)).retriever


def langs(found):
    return [hit.passage.lang for hit in found]


def test_passages_in_the_chosen_languages(index):
    wide = Query("boiler chaudière mairie Nồi 锅炉 town", "fr")
    everything = retriever(index).retrieve([wide], 50)[0]
    assert set(langs(everything)) == set(TEXTS)
    for languages, wanted in (("own", {"fr"}), ("english", {"en"}), ("both", {"en", "fr"})):
        (found,) = retriever(index, languages=languages).retrieve([wide], 2)
        expected = [hit for hit in everything if hit.passage.lang in wanted]
        assert [hit.passage for hit in found] == [hit.passage for hit in expected[:2]]
        assert [hit.rank for hit in found] == [1, 2]
    (more,) = retriever(index, languages="own").retrieve([wide], 50)
    assert langs(more) == ["fr"] * 3


def test_a_question_in_no_known_language_searches_all(index):
    asked = Query("boiler mairie", UNKNOWN)
    (found,) = retriever(index, languages="own").retrieve([asked], 10)
    assert found == retriever(index).retrieve([asked], 10)[0]
    assert set(langs(found)) == {"en", "fr"}


def test_a_translated_question_finds_passages_in_its_language(index, endpoint):
    served = endpoint({"do": "repeat", "texts": TRANSLATED})
    model = {"method": "llm", "endpoint": served.url, "model": "m", "timeout": 60}
    assert set(langs(retriever(index).retrieve([QUESTION], 10)[0])) == {"fr"}
    (found,) = retriever(index, model, translate="english").retrieve([QUESTION], 10)
    assert set(langs(found)) == {"en", "fr"}
    (only,) = retriever(index, model, translate="english", languages="english").retrieve(
        [QUESTION], 10
    )
    assert langs(only) == ["en"] * 3
    targets = [one["body"]["messages"][0]["content"] for one in served.requests]
    assert all("from French into English" in target for target in targets)


def test_into_the_languages_of_the_documents_that_are_searched(index, endpoint):
    served = endpoint({"do": "repeat", "texts": TRANSLATED})
    model = {"method": "llm", "endpoint": served.url, "model": "m", "timeout": 60}
    retriever(index, model, translate="documents").retrieve([QUESTION], 10)
    asked = [one["body"]["messages"][0]["content"] for one in served.requests]
    assert [line.split("into ")[1].split(".")[0] for line in asked] == [
        "English",
        "Vietnamese",
        "Chinese",
    ]
    retriever(index, model, translate="documents", languages="own").retrieve([QUESTION], 10)
    assert len(served.requests) == 3


def test_a_retriever_of_one_language_gets_the_translation_only(index, endpoint):
    served = endpoint({"do": "repeat", "texts": TRANSLATED})
    model = {"method": "llm", "endpoint": served.url, "model": "m", "timeout": 60}
    chosen = {"translate": "english", "translated_only": True}
    english = Query(TRANSLATED[0][1], "en")
    found = retriever(index, model, **chosen).retrieve([QUESTION, english], 10)
    expected = retriever(index).retrieve([english], 10)[0]
    assert found == [expected, expected]
    assert set(langs(expected)) == {"en"}
    assert len(served.requests) == 1


def test_where_the_translator_fails_the_question_alone_is_searched(index, endpoint, caplog):
    served = endpoint({"do": "status", "code": 403})
    model = {"method": "llm", "endpoint": served.url, "model": "m", "timeout": 60}
    for only in (False, True):
        settings = {"translate": "english", "translated_only": only}
        (found,) = retriever(index, model, **settings).retrieve([QUESTION], 10)
        assert found == retriever(index).retrieve([QUESTION], 10)[0]
    assert "the question is searched without translation" in caplog.text
    assert len(served.requests) == 2


def test_translation_needs_a_translator(index):
    with pytest.raises(UsageError, match=r"'retrieve\.translate' needs 'translate\.method'"):
        retriever(index, translate="english")
