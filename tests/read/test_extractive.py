"""The extractive reader on the shipped cross-encoder."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.crossencoder.model import shared_crossencoder
from anaphora.language import not_in_documents
from anaphora.read.extractive import ExtractiveReader
from anaphora.read.nearest import best_passages
from anaphora.records import Evidence, Hit, Passage, Query, Span
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
    if lang != "th":  # has no signs between sentences
        assert answer.citations[0].quote != text
    assert answer.text.rstrip().endswith("[1]")


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
    assert answer.text == not_in_documents(lang)
    assert answer.citations == ()
    assert answer.confidence < 0.5


def test_passages_that_agree_share_a_statement(reader):
    found = hits(
        ("a", "en", "The mill was built in 1887. It grinds rye."),
        ("b", "en", "Visitors like the mill, which was built in 1887 by two brothers."),
    )
    answer = read(reader, "When was the mill built?", "en", found)
    assert {citation.passage_id for citation in answer.citations} == {"a", "b"}
    assert {citation.answer for citation in answer.citations} == {"1887"}
    assert answer.text.endswith("[1][2]")
    assert answer.text.count("1887") == 1


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
    ("lang", "cosine", "said"), [("de", 0.80, True), ("de", 0.70, False), ("en", 0.70, True)]
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


def test_what_more_passages_say_comes_first():
    answer = told(
        {
            "They say it was 1976.": [("1976", 2.0)],
            "It opened in 1974.": [("1974", 1.8)],
            "The year was 1974 or so.": [("1974", 1.7)],
        }
    )
    assert [one.answer for one in answer.citations] == ["1974", "1974", "1976"]
    assert answer.text == "It opened in 1974. [1][2] They say it was 1976. [3]"
    assert answer.confidence == pytest.approx(0.8581, abs=1e-4)


def test_doubtful_passages_do_not_outvote_a_good_one():
    known = {f"Perhaps 1900, {n} say.": [("1900", -0.2)] for n in range(4)}
    answer = told({**known, "It was 1887.": [("1887", 1.0)]})
    assert [one.answer for one in answer.citations] == ["1887"]


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "in the cellar", "the Cellar"),
        ("de", "im Keller", "den Keller"),
        ("fr", "à la cave", "la cave"),
        ("ru", "в Москве", "Москва"),
    ],
)
def test_stop_words_case_and_endings_do_not_part_those_that_agree(lang, one, other):
    known = {f"A: {one}.": [(one, 2.0)], f"B: {other}.": [(other, 2.0)]}
    answer = told(known, lang)
    assert len(answer.citations) == 2
    assert answer.text.endswith("[1][2]")


def test_signs_that_are_no_words_agree_only_with_themselves():
    known = {"It is 🙂.": [("🙂", 2.0)], "It is 👍.": [("👍", 2.0)], "So 🙂": [("🙂", 2.0)]}
    answer = told(known)
    assert [one.answer for one in answer.citations] == ["🙂", "🙂", "👍"]


def test_several_passages_each_hold_a_part():
    known = {
        "茶有绿茶。": [("绿茶", 2.0)],
        "也有红茶。": [("红茶", 1.5)],
        "还有花茶。": [("花茶", 1.2)],
        "或者白茶。": [("白茶", 1.1)],
    }
    answer = told(known, "zh")
    assert answer.text == "茶有绿茶。[1]也有红茶。[2]还有花茶。[3]"
    assert answer.span == "绿茶"


class SmallSteps(FixedEvidence):
    """Whose support rises as slowly with a span's score as the shipped model's does."""

    def support(self, relevance, span, cross_lingual):
        return span / 6


@pytest.mark.parametrize(
    ("lang", "steps"),
    [
        ("en", ("Fill in the form.", "Take it to the hall.", "Pay the fee.")),
        ("zh", ("填写表格。", "交到市政厅。", "缴纳费用。")),
        ("ja", ("用紙に記入します。", "市役所に出します。", "手数料を払います。")),
        ("ar", ("املأ الاستمارة.", "خذها إلى البلدية.", "ادفع الرسوم.")),
        ("ru", ("Заполните анкету.", "Отнесите её в мэрию.", "Оплатите сбор.")),
        ("tr", ("Formu doldurun.", "Belediyeye götürün.", "Ücreti ödeyin.")),
        ("vi", ("Điền vào đơn.", "Mang đến tòa thị chính.", "Nộp lệ phí.")),
    ],
)
def test_what_a_passage_says_in_several_sentences_is_said(lang, steps):
    first, second = steps[:2]
    space = "" if lang in ("zh", "ja") else " "
    scores = [
        (step.rstrip(".。"), score) for step, score in zip(steps, (9.0, 5.5, 4.5), strict=True)
    ]
    found = hits(("p", lang, space.join(steps)))
    answer = read(ExtractiveReader(SmallSteps({space.join(steps): scores})), "How?", lang, found)
    assert [one.quote for one in answer.citations] == [first, second]
    assert answer.text == f"{first}{space}[1]{space}{second}{space}[2]"


@pytest.mark.parametrize(
    ("lang", "sentence", "code"),
    [
        ("en", "Use hybrid search.", "anaphora search x --model hybrid"),
        ("es", "Usa la búsqueda híbrida.", "anaphora search x --model hybrid"),
        ("zh", "请使用混合搜索。", "anaphora search x --model hybrid"),
        ("ar", "استخدم البحث الهجين.", "anaphora search x --model hybrid"),
        ("hi", "मिश्रित खोज काम में लें।", "anaphora search x --model hybrid"),
    ],
)
def test_a_line_of_code_is_said_only_alone(lang, sentence, code):
    span = sentence.split(" ")[0] if lang != "zh" else "混合搜索"
    beside = told({sentence: [(span, 2.0)], code: [("hybrid", 1.9)]}, lang)
    assert [one.quote for one in beside.citations] == [sentence]
    alone = told({code: [("hybrid", 1.9)]}, lang)
    assert [one.quote for one in alone.citations] == [code]
    first = told({code: [("hybrid", 2.0)], sentence: [(span, 1.9)]}, lang)
    assert [one.quote for one in first.citations] == [code, sentence]


def test_a_sentence_is_quoted_once_and_those_that_agree_with_its_other_span_still_cited():
    known = {
        "Built in 1974 by Holm.": [("1974", 2.0), ("Holm", 1.9)],
        "Founded by Holm.": [("Holm", 1.5)],
    }
    answer = told(known)
    assert sorted(one.quote for one in answer.citations) == sorted(known)
    assert answer.text.count("Built in 1974 by Holm.") == 1


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
        "a",
        "c",
        "b",
    ]


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
