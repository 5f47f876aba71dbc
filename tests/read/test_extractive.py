"""The extractive reader with the real index; with the real encoder where languages differ."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.assemble import Workshop
from anaphora.index.local.index import LocalIndex
from anaphora.indexing import update
from anaphora.language import not_in_documents
from anaphora.passage import Hit, Passage, Query
from anaphora.read.evidence import Evidence, gather
from anaphora.read.extractive import ExtractiveReader, preference, support
from anaphora.read.nearest import best_passages
from anaphora.retrieve.encoders import load_encoder
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


ECHOES = {
    "en": "Where is the key kept?",
    "es": "¿Dónde se guarda la llave?",
    "vi": "Chìa khóa được cất ở đâu?",
    "zh": "钥匙保存在哪里？",
    "ja": "鍵はどこに保管されていますか？",
    "ar": "أين يحفظ المفتاح؟",
    "ru": "Где хранится ключ?",
}


@pytest.fixture(scope="module")
def echoes(tmp_path_factory):
    """Pages that show how to ask a question, and do not answer it."""
    folder = tmp_path_factory.mktemp("echoes")
    (folder / "docs").mkdir()
    for lang, question in ECHOES.items():
        said = f"```sh\nask {question.rstrip('?？؟')}\nask '{question}'\n```"
        (folder / "docs" / f"{lang}.md").write_text(
            f"{PAGES.get(lang, PAGES['en'])}\n\n{said}", "utf-8"
        )
    update(folder / "index", [folder / "docs"], None)
    opened = LocalIndex(folder / "index")
    yield opened
    opened.close()


@pytest.mark.parametrize("lang", ECHOES)
def test_the_question_said_again_is_no_answer(echoes, lang):
    given, hits = answer(echoes, ECHOES[lang], lang)
    assert any(ECHOES[lang] in hit.passage.text for hit in hits)
    assert not any(ECHOES[lang].rstrip("?？؟") in one.quote for one in given.citations)
    assert given.abstained


TABLE = (
    "Name | Size | Meaning\nvalve | 20 | It closes the gas pipe.\nboiler | 300 | It stands below."
)


def test_a_row_of_a_table_is_one_quote_and_its_header_none(index):
    reader = ExtractiveReader(index, None, sentences=1)
    given = reader.read([Query("size of the valve", "en")], [[hit(TABLE)]])[0]
    assert [one.quote for one in given.citations] == ["valve | 20 | It closes the gas pipe."]
    quotes = [one.text for one in gather(Query("size meaning", "en"), [hit(TABLE)], index, None)]
    assert sorted(quotes) == [
        "boiler | 300 | It stands below.",
        "valve | 20 | It closes the gas pipe.",
    ]


def test_the_rest_of_a_cut_table_keeps_its_first_row(index):
    rest = "valve | 20 | It closes the gas pipe.\nboiler | 300 | It stands below."
    assert len(gather(Query("size meaning", "en"), [hit(rest)], index, None)) == 2


def test_a_carried_word_counts_half(index):
    passage = [hit("Xanthan needs much water.\nYttrium needs an engineer.")]
    alone = gather(Query("xanthan yttrium", "en"), passage, index, None)
    carried = gather(Query("xanthan yttrium", "en", ("xanthan",)), passage, index, None)
    assert [one.coverage for one in alone] == pytest.approx([0.5, 0.5])
    assert [one.coverage for one in carried] == pytest.approx([2 / 3, 1 / 3])


def test_pieces_of_stop_words_are_no_words(index):
    passage = [hit("参数默认值等于一千。\n是多少次都可以重复。", "zh")]
    found = gather(Query("默认值是多少？", "zh"), passage, index, None)
    assert {one.text: one.coverage for one in found} == {
        "参数默认值等于一千。": pytest.approx(1.0),
        "是多少次都可以重复。": 0.0,
    }


def test_words_say_nothing_across_languages():
    held, missing = (
        Evidence(hit("x", "de"), 0, 1, False, share, share, 0.9) for share in (1.0, 0.0)
    )
    assert support(held) == support(missing)
    native = Evidence(hit("x", "en"), 0, 1, True, 1.0, 1.0, 0.9)
    assert support(native) > support(Evidence(hit("x", "en"), 0, 1, True, 0.0, 0.0, 0.9))


def test_one_language_does_not_crowd_out_the_users():
    langs = ["es", "fr", "en", "vi", "de", "zh", "pt"]
    hits = [hit("x", lang, rank) for rank, lang in enumerate(langs, 1)]
    chosen = [one.passage.lang for one in best_passages(Query("?", "zh"), hits, 5)]
    assert chosen == ["es", "fr", "en", "zh", "vi"]
    assert best_passages(Query("?", "ko"), hits, 5) == hits[:5]


@pytest.mark.parametrize(
    ("code", "prose"),
    [
        ("boiler valve pipe", "boiler valve pipe."),
        ("锅炉 阀门", "锅炉阀门。"),
    ],
)
def test_a_sentence_stands_before_a_fragment(code, prose):
    fragment, whole = (Evidence(hit(t), 0, len(t), True, 1.0, 1.0) for t in (code, prose))
    assert preference(whole) > preference(fragment)


@pytest.fixture(scope="module")
def english(tmp_path_factory):
    """One page in English, with vectors."""
    folder = tmp_path_factory.mktemp("english")
    page = folder / "start.md"
    page.write_text(
        "# Start\n\n## Languages\n\nSixteen languages are supported, Arabic and Chinese among "
        "them.\n\n## Boiler\n\nThe boiler stands in the cellar.",
        "utf-8",
    )
    update(folder / "index", [page], load_encoder())
    workshop = Workshop(folder / "index")
    yield workshop
    workshop.index.close()


@pytest.mark.parametrize(
    "question",
    [
        ("Welche Sprachen werden unterstützt?", "de"),
        ("Какие языки поддерживаются?", "ru"),
        ("ما هي اللغات المدعومة؟", "ar"),
        ("支持哪些语言？", "zh"),
        ("どの言語がサポートされていますか？", "ja"),
    ],
)
def test_an_answer_in_another_language(english, question):
    query = Query(*question)
    hits = english.retriever.retrieve([query], 10)
    given = ExtractiveReader(english.index, english.encoder, sentences=1).read([query], hits)[0]
    assert given.text.startswith("Sixteen languages are supported")
    assert given.lang == "en"


@pytest.mark.parametrize(
    "question",
    [
        ("Wer gewann 1972 die Schachweltmeisterschaft?", "de"),
        ("Кто выиграл чемпионат мира по шахматам?", "ru"),
        ("谁赢得了1972年的国际象棋冠军？", "zh"),
    ],
)
def test_no_answer_in_another_language(english, question):
    query = Query(*question)
    hits = english.retriever.retrieve([query], 10)
    assert ExtractiveReader(english.index, english.encoder).read([query], hits)[0].abstained
