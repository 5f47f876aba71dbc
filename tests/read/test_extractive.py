"""The extractive reader with the real index; the encoder is tested with it in test_pipeline."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.index.local.index import LocalIndex
from anaphora.indexing import update
from anaphora.language import not_in_documents
from anaphora.passage import Hit, Passage, Query
from anaphora.read.extractive import ExtractiveReader
from anaphora.retrieve.lexical import BM25, LexicalRetriever

PAGES = {
    "en": "# Boiler\n\nThe boiler stands in the cellar. The red valve closes the gas pipe. "
    "Call the plumber in March.\n\n# Garden\n\nRoses need water in July.",
    "de": "# Heizung\n\nDer Heizkessel steht im Keller. Das rote Ventil schließt die Gasleitung.",
    "zh": "# 锅炉\n\n锅炉放在地下室。红色阀门关闭煤气管道。三月请打电话给水管工。",
    "ja": "# ボイラー\n\nボイラーは地下室にあります。赤いバルブはガス管を閉めます。",
    "th": "# หม้อไอน้ำ\n\nหม้อไอน้ำอยู่ที่ชั้นใต้ดิน วาล์วสีแดงปิดท่อแก๊ส",
    "ar": "# الغلاية\n\nتوجد الغلاية في القبو. الصمام الأحمر يغلق أنبوب الغاز.",
    "vi": "# Nồi hơi\n\nNồi hơi đặt dưới tầng hầm. Van màu đỏ đóng đường ống khí đốt.",
    "ru": "# Котёл\n\nКотёл стоит в подвале. Красный вентиль закрывает газовую трубу.",
    "tr": "# Kazan\n\nKazan bodrumda duruyor. Kırmızı vana gaz borusunu kapatır.",
}
ASKED = {
    "en": ("What does the red valve close?", "gas pipe"),
    "de": ("Was schließt das rote Ventil?", "Gasleitung"),
    "zh": ("红色阀门关闭什么？", "煤气管道"),
    "ja": ("赤いバルブは何を閉めますか？", "ガス管"),
    "th": ("วาล์วสีแดงปิดอะไร", "ท่อแก๊ส"),
    "ar": ("ماذا يغلق الصمام الأحمر؟", "أنبوب الغاز"),
    "vi": ("Van màu đỏ đóng gì?", "đường ống khí đốt"),
    "ru": ("Что закрывает красный вентиль?", "газовую трубу"),
    "tr": ("Kırmızı vana neyi kapatır?", "gaz borusunu"),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("read")
    (folder / "docs").mkdir()
    for lang, text in PAGES.items():
        (folder / "docs" / f"{lang}.md").write_text(text, "utf-8")
    update(folder / "index", [folder / "docs"], None)
    opened = LocalIndex(folder / "index")
    yield opened
    opened.close()


def answer(index, question, lang, **settings):
    query = Query(question, lang)
    hits = LexicalRetriever(index, BM25()).retrieve([query], 10)
    return ExtractiveReader(index, None, **settings).read([query], hits)[0], hits[0]


@pytest.mark.parametrize("lang", ASKED)
def test_the_answer_is_quoted_with_its_place(index, lang):
    question, expected = ASKED[lang]
    given, hits = answer(index, question, lang, sentences=1)
    assert not given.abstained
    assert expected in given.text
    assert given.lang == lang
    (citation,) = given.citations
    passage = next(h.passage for h in hits if h.passage.passage_id == citation.passage_id)
    assert passage.text[citation.start : citation.end] == citation.quote
    assert given.text.endswith("[1]")


@pytest.mark.parametrize("lang", ASKED)
def test_a_question_about_something_else_gets_no_answer(index, lang):
    other = {"en": "Who painted the ceiling of the chapel?", "zh": "谁画了教堂的天花板？"}
    question = other.get(lang, "Xylophon quetzal zymurgy?")
    given, _ = answer(index, question, lang)
    assert given.abstained
    assert given.citations == ()
    assert given.text == not_in_documents(lang)
    assert given.confidence < 0.5


def test_no_hits_no_answer(index):
    given = ExtractiveReader(index, None).read([Query("valve", "en")], [[]])[0]
    assert (given.abstained, given.confidence) == (True, 0.0)


def test_sentences_in_reading_order_and_neighbours_in_one_quote(index):
    given, _ = answer(index, "stands cellar closes valve", "en")
    assert given.text == ("The boiler stands in the cellar. The red valve closes the gas pipe. [1]")


def test_marks_and_citations_agree(index):
    given, _ = answer(index, "boiler cellar plumber March roses July", "en", sentences=3)
    marks = [int(mark) for mark in re.findall(r"\[(\d+)\]", given.text)]
    assert marks == list(range(1, len(given.citations) + 1))


def hit(text, lang="en", rank=1):
    return Hit(Passage(f"p{rank}", "d", "", text, lang, (), 0, len(text)), 1.0, rank, {})


def test_among_equals_the_users_language(index):
    both = [hit("boiler cellar", "de", 1), hit("boiler  cellar", "en", 2)]
    reader = ExtractiveReader(index, None)
    for lang in ("en", "de"):
        assert reader.read([Query("boiler cellar", lang)], [both])[0].lang == lang


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=300), max_size=4), st.text(max_size=60))
def test_quotes_are_in_their_passages_whatever_they_hold(index, texts, question):
    hits = [hit(text, "xx", rank) for rank, text in enumerate(texts, 1)]
    given = ExtractiveReader(index, None).read([Query(question)], [hits])[0]
    passages = {one.passage.passage_id: one.passage.text for one in hits}
    for citation in given.citations:
        assert passages[citation.passage_id][citation.start : citation.end] == citation.quote
        assert citation.quote.strip()


def test_a_passage_of_a_million_characters(index):
    text = "The red valve closes the gas pipe. " + "x" * 1_000_000
    given = ExtractiveReader(index, None).read([Query("red valve", "en")], [[hit(text)]])[0]
    assert "gas pipe" in given.text
    assert len(given.text) < 3000
