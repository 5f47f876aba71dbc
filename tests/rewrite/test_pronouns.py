"""Pronouns replaced by the entity that a conversation is about."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conversations import conversation, understood

from anaphora.language import listed_languages
from anaphora.records import Conversation, Turn
from anaphora.rewrite.pronouns import PronounRewriter


def rewritten(*texts, **more):
    return PronounRewriter().rewrite([conversation(*texts, **more)])[0]


CONVERSATIONS = [
    (
        "ar",
        "من بنى الأهرام؟",
        "المصريون.",
        [
            ("ما هو ارتفاعها؟", None),
        ],
    ),
    (
        "ar",
        "أين تقع القاهرة؟",
        "في مصر.",
        [
            ("كم شخصا يعيش فيها؟", "كم شخصا يعيش في القاهرة؟"),
        ],
    ),
    (
        "de",
        "Wer war Frank Zappa?",
        "Ein Musiker.",
        [
            ("Wann wurde er geboren?", "Wann wurde Frank Zappa geboren?"),
            ("Wie heißen seine Kinder?", "Wie heißen Frank Zappas Kinder?"),
            ("Können Sie mir helfen?", None),
        ],
    ),
    (
        "en",
        "Who was Frank Zappa?",
        "A musician.",
        [
            ("When was he born?", "When was Frank Zappa born?"),
            ("What are his albums?", "What are Frank Zappa's albums?"),
        ],
    ),
    (
        "en",
        "Who is Jane Goodall?",
        "A zoologist.",
        [
            ("Who taught her?", "Who taught Jane Goodall?"),
            ("What is her field?", "What is Jane Goodall's field?"),
            ("Who met her in Kenya?", "Who met Jane Goodall in Kenya?"),
            ("Did Leakey sell his car?", None),
            ("Is it true that apes talk?", None),
            ("Is Jane Goodall proud of her work?", None),
            ("How old do apes get?", None),
        ],
    ),
    (
        "es",
        "¿Quién es Ana Torres?",
        "Una actriz.",
        [
            ("¿Dónde nació ella?", "¿Dónde nació Ana Torres?"),
        ],
    ),
    (
        "es",
        "¿Dónde está Perú?",
        "En América.",
        [
            ("¿Cuáles son sus ciudades?", "¿Cuáles son las ciudades de Perú?"),
        ],
    ),
    (
        "es",
        "¿Quién pintó Las meninas?",
        "Fue Velázquez.",
        [
            ("¿Cuáles son sus medidas?", "¿Cuáles son las medidas de Las meninas?"),
        ],
    ),
    (
        "es",
        "¿Quién escribió «Cien años de soledad»?",
        "Gabriel García Márquez.",
        [
            ("¿Cuál es su tema?", "¿Cuál es el tema de Cien años de soledad?"),
        ],
    ),
    (
        "es",
        "¿Dónde está La Rioja?",
        "En España.",
        [
            ("¿Cuál es su capital?", "¿Cuál es la capital de La Rioja?"),
        ],
    ),
    (
        "fi",
        "Kuka oli Jean Sibelius?",
        "Säveltäjä.",
        [
            ("Missä hän syntyi?", "Missä Jean Sibelius syntyi?"),
            ("Mitkä ovat hänen teoksensa?", "Mitkä ovat Jean Sibeliuksen teoksensa?"),
        ],
    ),
    (
        "fr",
        "Qui est Émile Zola ?",
        "Un écrivain.",
        [
            ("Quand est-il mort ?", "Quand Émile Zola est-il mort ?"),
            ("A-t-il voyagé ?", "Émile Zola a-t-il voyagé ?"),
            ("Qu'est-ce qu'il a écrit ?", "Qu'est-ce qu’Émile Zola a écrit ?"),
            ("Comment un médecin peut-il aider ?", None),
            ("Est-il possible de payer en ligne ?", None),
            ("Combien y a-t-il de métros ?", None),
            ("Que se passe-t-il en mai ?", None),
            ("Existe-t-il un musée ?", None),
            ("Quelle est son œuvre ?", "Quelle est l’œuvre d’Émile Zola ?"),
        ],
    ),
    (
        "hi",
        "ताजमहल किसने बनवाया?",
        "शाहजहाँ ने।",
        [
            ("वह कहाँ है?", "ताजमहल कहाँ है?"),
            ("उसकी ऊँचाई कितनी है?", "ताजमहल की ऊँचाई कितनी है?"),
        ],
    ),
    (
        "it",
        "Chi era Dante Alighieri?",
        "Un poeta.",
        [
            ("Quali sono le sue opere?", "Quali sono le opere di Dante Alighieri?"),
        ],
    ),
    (
        "ja",
        "東京タワーはどこですか？",
        "港区です。",
        [
            ("それはいつできましたか？", "東京タワーはいつできましたか？"),
            ("その高さは？", "東京タワーの高さは？"),
            ("その後どうなりましたか？", None),
        ],
    ),
    (
        "ko",
        "경복궁은 어디에 있나요?",
        "서울에 있습니다.",
        [
            ("그것은 언제 지어졌나요?", "경복궁은 언제 지어졌나요?"),
        ],
    ),
    (
        "ko",
        "세종대왕은 누구인가요?",
        "조선의 왕입니다.",
        [
            ("그가 무엇을 만들었나요?", "세종대왕이 무엇을 만들었나요?"),
        ],
    ),
    (
        "ko",
        "서울에는 누가 사나요?",
        "많은 사람이 삽니다.",
        [
            ("그것은 언제 세워졌나요?", "서울은 언제 세워졌나요?"),
            ("그곳까지 어떻게 가나요?", "서울까지 어떻게 가나요?"),
        ],
    ),
    (
        "ko",
        "제주도 어디에 있나요?",
        "한국 남쪽에 있습니다.",
        [
            ("거기서 무엇을 볼 수 있나요?", "제주도에서 무엇을 볼 수 있나요?"),
        ],
    ),
    (
        "ko",
        "세종대왕께서 한글을 만드셨나요?",
        "네.",
        [
            ("그가 언제 태어났나요?", "세종대왕이 언제 태어났나요?"),
        ],
    ),
    (
        "pt",
        "Quem escreveu Os lusíadas?",
        "Camões.",
        [
            ("Quantos são os seus cantos?", "Quantos são os cantos de Os lusíadas?"),
        ],
    ),
    (
        "pt",
        "Quem foi Luís de Camões?",
        "Um poeta.",
        [
            ("Onde ele nasceu?", "Onde Luís de Camões nasceu?"),
            ("Quais são as suas obras?", "Quais são as obras de Luís de Camões?"),
            ("O que sabemos dele?", "O que sabemos de Luís de Camões?"),
        ],
    ),
    (
        "ru",
        "Кто такой Лев Толстой?",
        "Писатель.",
        [
            ("Где он родился?", "Где Лев Толстой родился?"),
        ],
    ),
    (
        "th",
        "วัดพระแก้วอยู่ที่ไหน",
        "กรุงเทพฯ",
        [
            ("ประวัติของมันเป็นอย่างไร", "ประวัติของวัดพระแก้วเป็นอย่างไร"),
            ("ภูเขาที่สูงที่สุดคืออะไร", None),
        ],
    ),
    (
        "tr",
        "Mustafa Kemal Atatürk kimdir?",
        "Bir devlet adamı.",
        [
            ("Onun annesi kim?", "Mustafa Kemal Atatürk'ün annesi kim?"),
        ],
    ),
    (
        "tr",
        "Süleymaniye Camii nerede?",
        "İstanbul'da.",
        [
            ("Onu kim yaptı?", "Süleymaniye Camii'yi kim yaptı?"),
        ],
    ),
    (
        "vi",
        "Ai là Nguyễn Du?",
        "Một nhà thơ.",
        [
            ("Ông ấy sinh ở đâu?", "Nguyễn Du sinh ở đâu?"),
            ("Anh ấy họ gì?", "Nguyễn Du họ gì?"),
            ("Một số lượng lớn các kỹ thuật khác nhau, nó dùng để làm gì?", None),
        ],
    ),
    (
        "zh",
        "故宫是谁建的？",
        "明成祖。",
        [
            ("它有多大？", "故宫有多大？"),
        ],
    ),
    (
        "zh",
        "鲁迅是谁？",
        "作家。",
        [
            ("他的作品有哪些？", "鲁迅的作品有哪些？"),
            ("其他作家呢？", None),
        ],
    ),
    (
        "ar",
        "متى تأسست جامعة القاهرة؟",
        "عام 1908.",
        [
            ("كم طالبا يدرس فيها؟", "كم طالبا يدرس في جامعة القاهرة؟"),
            ("ما هي المدينة التي تقع فيها؟", None),
        ],
    ),
]
CASES = [
    (lang, asked, answered, *turn)
    for lang, asked, answered, turns in CONVERSATIONS
    for turn in turns
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(("lang", "asked", "answered", "question", "expected"), CASES)
def test_the_entity_stands_where_the_pronoun_stood(lang, asked, answered, question, expected, form):
    texts = [unicodedata.normalize(form, text) for text in (asked, answered, question)]
    found = rewritten(*texts, lang=lang)
    if expected is None:
        assert (found.text, found.edits, found.variants) == (texts[2], (), ())
        return
    assert unicodedata.normalize("NFC", found.text) == expected
    assert found.variants == (texts[2],)
    assert found.edits
    assert {edit.source_turn for edit in found.edits if edit.kind != "delete"} <= {0, None}
    assert 0 < found.confidence <= 1


def test_the_title_is_what_a_talk_is_about():
    found = rewritten("Did they tour?", "In 1967.", "Who led them?", title="The Mothers: 1967")
    assert found.text == "Who led The Mothers?"
    (edit,) = found.edits
    assert (edit.kind, edit.text, edit.replaced) == ("replace", "The Mothers", "them")
    assert (edit.source_turn, edit.position) == (None, 8)


def test_a_short_name_means_the_long_one():
    found = rewritten("Who is Frank Zappa?", "Zappa was a musician.", "When did he die?")
    assert found.text == "When did Frank Zappa die?"


def test_without_anything_said_a_question_stays():
    assert rewritten("When did they disband?").text == "When did they disband?"
    assert rewritten("", "", "When did they disband?").edits == ()


@pytest.mark.parametrize("lang", ["en", "zh", "th", "ar", "ja", "ko"])
def test_long_conversations_and_turns(lang):
    long = {
        "en": "A Name and more. ",
        "zh": "故宫很大。",
        "th": "วัดพระแก้วสวย ",
        "ar": "هذه مدينة القاهرة. ",
    }
    text = long.get(lang, "東京タワーは高い。") * 10_000
    question = {
        "en": "When did they end?",
        "zh": "它多大？",
        "th": "ของมันคือ",
        "ar": "متى عاش فيها؟",
    }
    for number in (1, 500):
        turns = [text[: len(text) // number]] * number
        turns += ["…"] * (number % 2)
        found = rewritten(*turns, question.get(lang, "それは？"), lang=lang)
        assert len(found.text) < 2000
    assert rewritten("Zappa?", "Yes.", "Who were they? " * 5000).edits == ()


TEXTS = st.text(max_size=60) | st.sampled_from(
    [
        "Who is Émile Zola?",
        "他是鲁迅吗",
        "उसका घर",
        "زابا هل هو له",
        "«Аня» и её кот",
        "그가 «서울»",
        "'",
        "A-B. C",
    ]
)


@given(
    st.lists(TEXTS, max_size=5),
    TEXTS
    | st.sampled_from(["When did it end?", "它呢？", "sa maison est-elle là ?", "onun", "вот их"]),
    st.sampled_from([*sorted(listed_languages()), "unknown", "sv"]),
)
def test_any_talk_gives_a_rewrite_whose_edits_are_in_the_question(texts, question, lang):
    turns = [Turn("user", text) for text in texts]
    asked = Conversation((*turns, Turn("user", question, lang)))
    (found,) = PronounRewriter().rewrite([understood(asked)])
    assert (found.text == question) == (not found.variants)
    for edit in found.edits:
        gone = edit.text if edit.kind == "delete" else edit.replaced
        assert question.startswith(gone, edit.position)
