"""The extractive reader on the shipped cross-encoder."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.crossencoder.model import shared_crossencoder
from anaphora.language import message
from anaphora.read.extractive import ExtractiveReader
from anaphora.read.nearest import best_passages
from anaphora.records import Block, Evidence, Hit, Passage, Query, Span
from anaphora.retrieve.encoders import load_encoder

TOLD = {
    "en": ("The boiler stands in the cellar. The red valve closes the gas pipe.",
           "Where does the boiler stand?", "cellar"),
    "de": ("Der Heizkessel steht im Keller. Das rote Ventil schließt die Gasleitung.",
           "Wo steht der Heizkessel?", "Keller"),
    "es": ("La caldera está en el sótano. La válvula roja cierra el gas.",
           "¿Dónde está la caldera?", "sótano"),
    "fr": ("La chaudière se trouve à la cave. La vanne rouge ferme le gaz.",
           "Où se trouve la chaudière ?", "cave"),
    "zh": ("锅炉放在地下室。红色阀门关闭煤气管道。", "锅炉放在哪里？", "地下室"),
    "ja": ("ボイラーは地下室にあります。赤いバルブはガス管を閉めます。",
           "ボイラーはどこにありますか？", "地下室"),
    "th": ("หม้อไอน้ำอยู่ที่ชั้นใต้ดิน วาล์วสีแดงปิดท่อแก๊ส", "หม้อไอน้ำอยู่ที่ไหน", "ชั้นใต้ดิน"),
    "ar": ("توجد الغلاية في القبو. الصمام الأحمر يغلق أنبوب الغاز.",
           "أين توجد الغلاية؟", "القبو"),
    "vi": ("Nồi hơi đặt dưới tầng hầm. Van màu đỏ đóng đường ống khí đốt.",
           "Nồi hơi đặt ở đâu?", "tầng hầm"),
    "ru": ("Котёл стоит в подвале. Красный вентиль закрывает газовую трубу.",
           "Где стоит котёл?", "подвале"),
    "tr": ("Kazan bodrumda duruyor. Kırmızı vana gaz borusunu kapatır.",
           "Kazan nerede duruyor?", "bodrumda"),
    "ko": ("보일러는 지하실에 있다. 빨간 밸브는 가스관을 잠근다.",
           "보일러는 어디에 있습니까?", "지하실"),
    "hi": ("यह पुल 1932 में बना था। इसकी लंबाई 503 मीटर है।", "यह पुल कब बना था?", "1932"),
}  # fmt: skip


def hits(*passages: tuple[str, str, str]) -> list[Hit]:
    """Of (id, language, text), the best first."""
    return [
        Hit(Passage(id, id, "", text, lang), 1.0 / rank, rank)
        for rank, (id, lang, text) in enumerate(passages, 1)
    ]


@pytest.fixture(scope="module")
def reader() -> ExtractiveReader:
    return ExtractiveReader(shared_crossencoder())


def read(reader, question, lang, found):
    (answer,) = reader.read([Query(question, lang)], [found])
    texts = {hit.passage.passage_id: hit.passage.text for hit in found}
    for citation in answer.citations:
        assert texts[citation.passage_id][citation.start : citation.end] == citation.quote
        start, end = citation.span
        assert citation.start <= start < end <= citation.end
        assert citation.answer == texts[citation.passage_id][start:end]
    return answer


@pytest.mark.parametrize("lang", TOLD)
def test_the_span_stands_in_its_sentence(reader, lang):
    text, question, span = TOLD[lang]
    answer = read(reader, question, lang, hits(("a", lang, text)))
    assert span in answer.span
    assert answer.lang == lang
    assert answer.confidence > 0.5
    assert answer.text.endswith("[1]")


@pytest.mark.parametrize("lang", TOLD)
def test_what_the_passages_do_not_say_is_not_answered(reader, lang):
    others = [one for one in TOLD if one != lang]
    question = {
        "en": "Who won the election of 1987?", "de": "Wer gewann die Wahl von 1987?",
        "es": "¿Quién ganó las elecciones de 1987?", "fr": "Qui a gagné l’élection de 1987 ?",
        "zh": "谁赢得了1987年的选举？", "ja": "1987年の選挙で勝ったのは誰ですか？",
        "th": "ใครชนะการเลือกตั้งปี 1987", "ar": "من فاز في انتخابات عام 1987؟",
        "vi": "Ai thắng cuộc bầu cử năm 1987?", "ru": "Кто победил на выборах 1987 года?",
        "tr": "1987 seçimlerini kim kazandı?", "ko": "1987년 선거에서 누가 이겼습니까?",
        "hi": "1987 का चुनाव किसने जीता?",
    }[lang]  # fmt: skip
    found = hits(("a", lang, TOLD[lang][0]), ("b", others[0], TOLD[others[0]][0]))
    answer = read(reader, question, lang, found)
    assert answer.abstained
    assert answer.text.startswith(message("nearest", lang))
    assert [one.passage_id for one in answer.citations] == ["a", "b"]
    assert answer.confidence < 0.5


class FixedEvidence:
    """Spans and their support by the text of the passage."""

    name = "fixed"

    def __init__(self, known):
        self.known = known

    def score(self, pairs):
        return [
            Evidence(
                0.0,
                tuple(
                    Span(at := passage.text.index(span), at + len(span), support)
                    for span, support in self.known.get(passage.text, ())
                ),
            )
            for _, passage in pairs
        ]

    def support(self, relevance, span, cross_lingual):
        return span


@pytest.mark.parametrize(
    ("lang", "cosine", "said"), [("de", 0.80, True), ("de", 0.65, False), ("en", 0.85, True)]
)
def test_what_is_far_in_another_language_is_no_answer(lang, cosine, said):
    text = "The lamp is lit at sunset."
    known = FixedEvidence({text: [("at sunset", 2.0)]})
    passage = Passage("p", "p", "", text, "en")
    hit = Hit(passage, 1.0, 1, cosine=cosine)

    def answered(hit, **more):
        (answer,) = ExtractiveReader(known, **more).read(
            [Query("Wie wird das Wetter?", lang)], [[hit]]
        )
        return not answer.abstained

    assert answered(hit, encoder=load_encoder()) is said
    assert answered(hit)


@pytest.mark.parametrize(
    ("lang", "question"),
    [("de", "Wann brennt die Lampe?"), ("zh", "灯几点亮？"), ("ar", "متى يُضاء المصباح؟")],
)
@pytest.mark.parametrize(("cosine", "said"), [(0.87, True), (0.78, False)])
def test_doubtful_evidence_in_another_language_answers_if_it_is_near(lang, question, cosine, said):
    text = "The lamp is lit at sunset."
    reader = ExtractiveReader(FixedEvidence({text: [("at sunset", -0.5)]}))
    hit = Hit(Passage("p", "p", "", text, "en"), 1.0, 1, cosine=cosine)
    (answer,) = reader.read([Query(question, lang)], [[hit]])
    assert answer.abstained is not said


@pytest.mark.parametrize(
    ("lang", "question", "said"),
    [
        ("de", "Wann wird die Lampe angezündet?", True),
        ("de", "Wie viel kostet ein Brot in Rom?", False),
        ("zh", "灯什么时候点亮？", True),
        ("zh", "罗马的面包多少钱？", False),
        ("ar", "متى يُضاء المصباح؟", True),
        ("ar", "كم ثمن الخبز في روما؟", False),
        ("en", "How much is bread in Rome?", True),
    ],
)
def test_a_passage_in_another_language_without_a_cosine_gets_one(lang, question, said):
    text = "The lamp is lit at sunset."
    known = FixedEvidence({text: [("at sunset", 2.5)]})
    hit = Hit(Passage("p", "p", "", text, "en"), 1.0, 1, {"lexical": 3.0})
    reader = ExtractiveReader(known, encoder=load_encoder())
    (answer,) = reader.read([Query(question, lang)], [[hit]])
    assert answer.abstained is not said


def told(known, lang="en", **more):
    """The answer from passages of which `known` tells the spans."""
    found = hits(*((f"p{at}", lang, text) for at, text in enumerate(known)))
    return read(ExtractiveReader(FixedEvidence(known), **more), "When was it?", lang, found)


PAGE = {
    "en": ("The lamp", "The keeper cleans the lens every week. ", "It is lit at sunset."),
    "de": (
        "Die Lampe",
        "Der Wärter putzt die Linse jede Woche. ",
        "Sie brennt ab Mitternacht.",
    ),
    "zh": ("灯", "守塔人每周擦拭透镜。", "日落时点亮。"),
    "ar": ("المصباح", "ينظف الحارس العدسة كل أسبوع. ", "يُضاء عند الغروب."),
}


@pytest.mark.parametrize("lang", PAGE)
@pytest.mark.parametrize(("support", "whole"), [(-2.0, True), (-6.0, False)])
def test_an_abstention_shows_more_of_a_section_that_may_answer(lang, support, whole):
    title, sentence, last = PAGE[lang]
    first = (200 // len(sentence) * sentence).strip()
    text = f"{first}\n\n{last}"
    known = FixedEvidence({text: [(last, support)]})
    hit = Hit(Passage("p", "p", title, text, lang), 1.0, 1, cosine=0.8)
    (answer,) = ExtractiveReader(known).read([Query("Lamp?", lang)], [[hit]])
    assert answer.abstained
    assert (answer.citations[0].quote == text) is whole
    assert (f"• {title}:\n{first}\n\n{last} [1]" in answer.text) is whole
    assert answer.text.endswith(f"{last} [1]")


def test_no_span_begins_or_ends_inside_a_grapheme():
    answer = told({"ไปที่น้ำตกเสมอ": [("้", 3.0)]}, "th")
    assert answer.span == "น้ำ"


@pytest.mark.parametrize("question", ["", " ", "?!", "👍", "…"])
def test_a_question_without_words_has_no_answer(question):
    model = FixedEvidence({"It was 1887.": [("1887", 9.0)]})
    answer = read(ExtractiveReader(model), question, "en", hits(("a", "en", "It was 1887.")))
    assert (answer.abstained, answer.confidence) == (True, 0.0)


def test_a_question_is_answered_from_another_language(reader):
    answer = read(reader, "Where does the boiler stand?", "en", hits(("a", "de", TOLD["de"][0])))
    assert answer.span == "Keller" or "Keller" in answer.span
    assert answer.lang == "de"


def test_no_hits_are_no_answer(reader):
    answer = read(reader, "Where is it?", "en", [])
    assert answer.abstained
    assert answer.confidence == 0.0


def test_hits_in_the_language_of_the_question_come_first():
    found = hits(("a", "de", "eins"), ("b", "de", "zwei"), ("c", "fr", "un"), ("d", "de", "vier"))
    assert [hit.passage.passage_id for hit in best_passages(Query("?", "fr"), found, 3)] == [
        "c",
        "a",
        "b",
    ]


@pytest.mark.parametrize(("relevance", "first"), [(1.0, "de"), (6.0, "en")])
def test_a_page_on_something_else_is_not_first_because_of_its_language(relevance, first):
    found = [
        replace(hit, evidence=Evidence(score, (), "m"))
        for hit, score in zip(
            hits(("a", "en", "The password is live."), ("b", "de", "Metadaten"), ("c", "de", "X")),
            (relevance, 0.0, -1.0),
            strict=True,
        )
    ]
    considered = best_passages(Query("Was ist das Passwort?", "de"), found, 3)
    assert considered[0].passage.lang == first
    assert [hit.passage.passage_id for hit in considered if hit.passage.lang == "de"] == ["b", "c"]


def test_passages_of_headings_come_last():
    listing = Passage("a", "a", "", "Install\nRemove", "en", blocks=(Block("heading", 0, 14),))
    found = [Hit(listing, 1.0, 1), *hits(("b", "en", "Insert the disk."))]
    assert [hit.passage.passage_id for hit in best_passages(Query("?", "en"), found, 2)] == [
        "b",
        "a",
    ]


STEPS = {
    "en": ("How do I install it?", ["To install it:", "Insert the disk.", "Press Start."]),
    "de": (
        "Wie installiere ich es?",
        ["So wird es installiert:", "CD einlegen.", "Start drücken."],
    ),
    "zh": ("如何安装？", ["安装步骤：", "放入光盘。", "按开始键。"]),
    "ja": ("インストール方法は？", ["手順：", "ディスクを入れます。", "開始を押します。"]),
    "th": ("ติดตั้งอย่างไร", ["วิธีติดตั้ง:", "ใส่แผ่นดิสก์", "กดปุ่มเริ่ม"]),
    "ar": ("كيف أثبته؟", ["للتثبيت:", "أدخل القرص.", "اضغط ابدأ."]),
    "vi": ("Cài đặt thế nào?", ["Để cài đặt:", "Cho đĩa vào.", "Nhấn Bắt đầu."]),
    "ru": ("Как установить?", ["Чтобы установить:", "Вставьте диск.", "Нажмите «Пуск»."]),
    "tr": ("Nasıl kurulur?", ["Kurmak için:", "Diski takın.", "Başlat'a basın."]),
}


@pytest.mark.parametrize("lang", STEPS)
def test_a_list_is_shown_with_its_lead_in_and_its_numbers(lang):
    question, (lead, *items) = STEPS[lang]
    text = "\n".join((lead, *items))
    blocks = [Block("paragraph", 0, len(lead))]
    for number, item in enumerate(items, 1):
        start = blocks[-1].end + 1
        blocks.append(Block("item", start, start + len(item), 1, f"{number}."))
    passage = Passage("p", "p", "", text, lang, blocks=tuple(blocks))
    known = FixedEvidence({text: [(items[1], 3.0)]})
    answer = read(ExtractiveReader(known), question, lang, [Hit(passage, 1.0, 1)])
    assert answer.text == f"{lead}\n1. {items[0]}\n2. {items[1]} [1]"
    assert [block.kind for block in answer.citations[0].blocks] == ["paragraph", "item", "item"]


def test_the_first_hit_is_shown_first_and_another_section_apart():
    known = {"It opened in 1974.": [("1974", 2.5)], "They say 1976 it was.": [("1976", 4.0)]}
    answer = told(known)
    assert [one.answer for one in answer.citations] == ["1974", "1976"]
    assert answer.text == (
        f"It opened in 1974. [1]\n\n{message('also', 'en')}\n\nThey say 1976 it was. [2]"
    )


@pytest.mark.parametrize(
    ("lang", "asked"),
    [("en", "en"), ("fr", "fr"), ("zh", "zh"), ("ja", "ja"), ("th", "th"), ("ar", "ar"),
     ("vi", "vi"), ("ru", "ru"), ("tr", "tr"), ("en", "tr")],
)  # fmt: skip
def test_others_are_introduced_once_for_the_asker_and_each_section_has_its_heading(lang, asked):
    facts = FACTS.get(lang, FACTS["en"])
    sections = [("Rooms",), ("Tools", "Oil"), ("Tools", "Oil"), ()]
    found = [
        Hit(Passage(fact, fact, "Guide", fact, lang, section), 1.0, rank)
        for rank, (fact, section) in enumerate(zip(facts, sections, strict=True), 1)
    ]
    known = FixedEvidence({fact: [(fact, 2.0)] for fact in facts})
    answer = read(ExtractiveReader(known), "?a", asked, found)
    headings = {2: "Tools › Oil", 4: "Guide"}
    expected = [f"{facts[0]} [1]", message("also", asked)]
    for number, citation in enumerate(answer.citations[1:], 2):
        if number in headings:
            assert citation.has_heading(headings[number])
            expected.append(headings[number])
        expected.append(f"{citation.quote} [{number}]")
    assert len(answer.citations) == 4
    assert answer.text.split("\n\n") == expected


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "It opened in the year 1974.", "It opened in the year 1974!"),
        ("zh", "它于一九七四年开业。", "它于一九七四年开业！"),
        ("ru", "Он открыт в 1974 году.", "Он открыт в 1974 году!"),
    ],
)
def test_a_copy_is_not_shown_again(lang, one, other):
    answer = told({one: [(one[:-1], 2.0)], other: [(one[:-1], 2.0)]}, lang)
    assert [citation.passage_id for citation in answer.citations] == ["p0"]


@pytest.mark.parametrize("lang", TOLD)
def test_a_doubtful_answer_says_so(lang):
    text, question, span = TOLD[lang]
    known = FixedEvidence({text: [(span, -2.1)]})
    answer = read(ExtractiveReader(known), question, lang, hits(("a", lang, text)))
    assert not answer.abstained
    assert answer.text.startswith(message("unsure", lang))
    assert text.split()[0] in answer.text


def test_an_answer_is_short_however_long_its_passages_are():
    long = {f"{n} " + "The cellar is deep and cold. " * 200: [("deep", 2.0)] for n in "ab"}
    answer = told(long)
    assert len(answer.text) <= 800
    assert all("deep" in one.quote for one in answer.citations)


@pytest.mark.parametrize(("header", "extracts"), [("Depth", 2), ("Depth " * 200, 1)])
def test_a_second_extract_is_left_out_where_its_headers_would_make_the_answer_long(
    header, extracts
):
    row = "Cellar | deep"
    block = Block("row", 0, len(row), header=("Room", header))
    first = Passage("a", "a", "", "The house is deep. " + "It is old and cold. " * 20, "en")
    second = Passage("b", "b", "", row, "en", blocks=(block,))
    known = FixedEvidence({first.text: [("deep", 2.0)], row: [("deep", 1.0)]})
    found = [Hit(first, 1.0, 1), Hit(second, 0.5, 2)]
    answer = read(ExtractiveReader(known), "How deep is it?", "en", found)
    assert len(answer.citations) == extracts
    assert len(answer.text) <= 1400


FACTS = {
    "en": ["The pump is red.", "A valve leaks oil.", "Its lamp went out.", "Old keys are lost."],
    "de": ["Die Pumpe ist rot.", "Ein Ventil tropft.", "Das Licht fehlt.", "Schlüssel sind weg."],
    "zh": ["水泵是红色的。", "阀门漏油了。", "灯灭了。", "旧钥匙丢了。"],
    "ja": ["ポンプは赤いです。", "バルブが漏れる。", "明かりが消えた。", "古い鍵がない。"],
    "th": ["ปั๊มสีแดง", "วาล์วรั่ว", "ไฟดับแล้ว", "กุญแจหาย"],
    "ar": ["المضخة حمراء.", "الصمام يسرب.", "انطفأ المصباح.", "ضاعت المفاتيح."],
    "vi": ["Máy bơm màu đỏ.", "Van bị rò rỉ.", "Đèn đã tắt.", "Chìa khóa mất."],
    "ru": ["Насос красный.", "Клапан течёт.", "Лампа погасла.", "Ключи потеряны."],
    "tr": ["Pompa kırmızı.", "Vana sızdırıyor.", "Lamba söndü.", "Anahtarlar kayıp."],
}  # fmt: skip


@pytest.mark.parametrize("lang", FACTS)
def test_a_sure_answer_is_one_extract_and_an_unsure_one_shows_others(lang):
    def shown(scores: list[float], more: str = "") -> list[str]:
        facts = FACTS[lang]
        found = [
            Hit(Passage(fact, fact, "", fact + more, lang), score, rank)
            for rank, (fact, score) in enumerate(zip(facts, scores, strict=True), 1)
        ]
        known = FixedEvidence({fact + more: [(fact, 2.0)] for fact in facts})
        answer = read(ExtractiveReader(known), "?a", lang, found)
        assert len(answer.text) <= 1400
        return [one.passage_id for one in answer.citations]

    long = " \U0001f642" * 150
    assert shown([4.0, 0.1, 0.1, 0.0], long) == FACTS[lang][:1]
    assert shown([1.0, 1.0, 1.0, 0.0], long) == FACTS[lang][:3]
    assert shown([1.0, 1.0, 1.0, 0.0]) == FACTS[lang]


HARD = {
    "empty": "",
    "space": " \n\t ",
    "markup": "<div><br/></div>" * 40,
    "digits": "0123456789 " * 500,
    "long": "The cellar is deep. " * 5_000,
    "one word": "a" * 100_000,
    "marks": "\u0301" * 500,
    "surrogate free emoji": "🙂" * 500,
    "unknown script": "𒀀𒁀𒂀 " * 50,
}


@pytest.mark.parametrize("kind", HARD)
def test_no_passage_breaks_the_reader(reader, kind):
    for question in ("Where is the boiler?", "𒀀𒁀?", "", "?"):
        found = hits(("a", "en", HARD[kind]), ("b", "en", TOLD["en"][0]))
        assert 0 <= read(reader, question, "en", found).confidence <= 1


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(max_size=300), max_size=3))
def test_citations_are_in_their_passages_whatever_the_text(question, texts):
    found = hits(*((str(number), "en", text) for number, text in enumerate(texts)))
    answer = read(ExtractiveReader(shared_crossencoder()), question, "en", found)
    assert {one.passage_id for one in answer.citations} <= {hit.passage.passage_id for hit in found}


@pytest.mark.parametrize(("lang", "word", "question"), [
    ("en", " and a lamp", "Which things are in the list?"),
    ("ru", " и лампа", "Какие вещи есть в списке?"),
    ("ar", " ومصباح", "ما الأشياء الموجودة في القائمة؟"),
    ("zh", "和一盏灯", "清单上有哪些东西？"),
])  # fmt: skip
def test_a_sentence_that_is_cut_says_so(reader, lang, word, question):
    text = word.strip() + word * 400 + ("。" if lang == "zh" else ".")
    found = hits(("a", lang, text))
    evidence = Evidence(5.0, (Span(900, 910, 5.0),), reader.cross_encoder.name)
    found = [replace(hit, evidence=evidence) for hit in found]
    answer = read(reader, question, lang, found)
    (citation,) = answer.citations
    assert citation.start > 0
    assert citation.end < len(text)
    assert answer.text == f"… {' '.join(citation.quote.split())} … [1]"


@pytest.mark.parametrize("lang", ["en", "zh", "ar", "vi"])
def test_a_follow_up_is_read_without_the_question_before_it(reader, lang):
    text, question, span = TOLD[lang]
    found = hits(("a", lang, text))
    (alone,) = reader.read([Query(question, lang)], [found])
    (behind,) = reader.read([Query(f"{text[:9]}? {question}", lang, read=question)], [found])
    assert behind.span == alone.span
    assert span in behind.span
    assert behind.confidence >= alone.confidence


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "in the house"), ("zh", "在房子里"), ("ar", "في البيت"), ("vi", "trong nhà"),
])  # fmt: skip
def test_a_follow_up_that_says_little_is_as_sure_as_with_the_question_before_it(reader, lang, said):
    text, question, _ = TOLD[lang]
    found = hits(("a", lang, text))
    whole = f"{question} {said}"
    (together,) = reader.read([Query(whole, lang)], [found])
    (alone,) = reader.read([Query(said, lang)], [found])
    (behind,) = reader.read([Query(whole, lang, read=said)], [found])
    assert alone.confidence < behind.confidence
    assert behind.confidence == together.confidence


@pytest.mark.parametrize(
    ("lang", "steps"), [("en", "Step"), ("ru", "Шаг"), ("tr", "Adım"), ("vi", "Bước")]
)
def test_captions_alone_are_not_shown_behind_an_answer(reader, lang, steps):
    text, question, _ = TOLD[lang]
    captions = "\n\n".join(f"{steps} {number}" for number in range(1, 8))
    found = hits(("a", lang, text), ("b", lang, captions))
    answer = read(reader, question, lang, [found[0], replace(found[1], score=1.0)])
    assert [one.passage_id for one in answer.citations] == ["a"]
