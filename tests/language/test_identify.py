from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import FIRST_QUESTIONS, FOLLOW_UPS, TARGETS, joined

from anaphora.language import identify, identify_question
from anaphora.records import UNKNOWN, Conversation, Turn


def identify_follow_up(before: str, question: str, lang: str | None = None) -> str:
    return identify_question(
        Conversation(
            (Turn("user", before), Turn("assistant", "1923."), Turn("user", question, lang))
        )
    )


@pytest.mark.parametrize("lang", TARGETS)
def test_paragraphs_questions_and_follow_ups(lang: str) -> None:
    assert identify(joined(lang)) == lang
    assert identify(FIRST_QUESTIONS[lang]) == lang
    for text in FOLLOW_UPS[lang]:
        assert identify(text) == lang, text


@pytest.mark.parametrize("lang", TARGETS)
def test_a_follow_up_may_switch_language(lang: str) -> None:
    for before in TARGETS:
        for text in FOLLOW_UPS[lang]:
            assert identify_follow_up(FIRST_QUESTIONS[before], text) == lang, (before, text)


@pytest.mark.parametrize("lang", TARGETS)
@pytest.mark.parametrize(
    "text",
    ["2023?", "?", "😀", "NASA?", "Microsoft", "C++", "Apollo 11", "Angela Merkel", "3 × 4 ="],
)
def test_text_without_a_language_inherits(lang: str, text: str) -> None:
    assert identify_follow_up(FIRST_QUESTIONS[lang], text) == lang


@pytest.mark.parametrize("text", ["", " ", "2023?", "😀👍", "…", "12:30–14:00", "\u0301", "C++"])
def test_text_without_a_language_is_unknown_alone(text: str) -> None:
    assert identify(text) == UNKNOWN
    assert identify_question(Conversation((Turn("user", text),))) == UNKNOWN


def test_a_word_of_two_languages_inherits() -> None:
    assert identify_follow_up(FIRST_QUESTIONS["it"], "Quando?") == "it"
    assert identify_follow_up(FIRST_QUESTIONS["pt"], "Quando?") == "pt"


def test_han_characters_alone_inherit() -> None:
    assert identify_follow_up(FIRST_QUESTIONS["ja"], "東京") == "ja"
    assert identify_follow_up(FIRST_QUESTIONS["zh"], "東京") == "zh"
    assert identify_follow_up(FIRST_QUESTIONS["ja"], "你们什么时候来") == "zh"
    assert identify_follow_up(FIRST_QUESTIONS["zh"], "東京は？") == "ja"


def test_the_turns_own_language_is_kept() -> None:
    assert identify_follow_up(FIRST_QUESTIONS["en"], "Why?", "fi") == "fi"
    assert identify_follow_up(FIRST_QUESTIONS["en"], "2023?", UNKNOWN) == "en"


def test_inherits_from_the_user_before_the_assistant() -> None:
    conversation = Conversation(
        (
            Turn("user", FIRST_QUESTIONS["fr"]),
            Turn("assistant", joined("de")),
            Turn("user", "2023?"),
        )
    )
    assert identify_question(conversation) == "fr"
    conversation = Conversation(
        (Turn("user", "?"), Turn("assistant", joined("de")), Turn("user", "Angela Merkel"))
    )
    assert identify_question(conversation) == "de"


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("nl", "De bibliotheek werd in 1923 opgericht in de oude binnenstad van Utrecht."),
        ("uk", "Бібліотеку було засновано у старому місті, і вона відкрита щодня."),
        ("fa", "کتابخانه در شهر قدیمی تأسیس شد و هر روز باز است."),
        ("pl", "Biblioteka została założona na starym mieście w 1923 roku."),
        ("el", "Η βιβλιοθήκη ιδρύθηκε στην παλιά πόλη."),
        ("he", "הספרייה נוסדה בעיר העתיקה."),
        ("km", "បណ្ណាល័យនេះត្រូវបានបង្កើតឡើង"),
        ("my", "စာကြည့်တိုက်ကို တည်ထောင်ခဲ့သည်"),
        ("bn", "গ্রন্থাগারটি পুরনো শহরে প্রতিষ্ঠিত হয়েছিল।"),
        ("ta", "நூலகம் பழைய நகரத்தில் நிறுவப்பட்டது."),
    ],
)
def test_other_languages(lang: str, text: str) -> None:
    assert identify(text) == lang


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("ko", "hear you knocking은 누가 불렀나요"),
        ("ru", "кто поёт Bohemian Rhapsody"),
        ("ja", "Bohemian Rhapsodyは誰の曲ですか"),
        ("zh", "Bohemian Rhapsody是谁唱的"),
        ("ar", "من غنى Bohemian Rhapsody"),
        ("en", "The word 東京 means eastern capital."),
        ("en", "He signed his letters Достоевский until the end of his life."),
        ("zh", "日本漫画《ワンピース》在中国的读者很多，已经翻译成许多种语言，销量也一直很高。"),
    ],
)
def test_foreign_names_do_not_decide(lang: str, text: str) -> None:
    assert identify(text) == lang


def test_more_than_the_beginning_of_a_long_text_is_examined() -> None:
    assert identify("Copyright 2023. All rights reserved. " + joined("fi") * 50) == "fi"


@given(st.text())
def test_never_raises(text: str) -> None:
    assert identify(text)
    assert identify_question(Conversation((Turn("user", "Qui ?"), Turn("user", text))))
