from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import FIRST_QUESTIONS, FOLLOW_UPS, TARGETS

from anaphora.language import identify_question, message
from anaphora.records import UNKNOWN, Conversation, Turn, Understanding
from anaphora.understand import LanguageAndIntent


def understand(*turns: Turn) -> Understanding:
    (found,) = LanguageAndIntent().understand([Conversation(turns, "A title", "7")])
    return found


def user(text: str, lang: str | None = None) -> Turn:
    return Turn("user", text, lang)


@pytest.mark.parametrize("lang", TARGETS)
def test_each_turn_of_the_user_gets_its_language(lang: str) -> None:
    found = understand(
        user(FIRST_QUESTIONS[lang]), Turn("assistant", "1923."), user("Apollo 11"), user("2023?")
    )
    assert [turn.lang for turn in found.conversation.turns] == [lang, None, lang, lang]
    assert (found.lang, found.intent, found.reply) == (lang, "question", "")


@pytest.mark.parametrize("lang", TARGETS)
def test_the_user_may_switch_language(lang: str) -> None:
    found = understand(user(FIRST_QUESTIONS["en"]), user(FOLLOW_UPS[lang][0]), user("2023?"))
    assert [turn.lang for turn in found.conversation.turns] == ["en", lang, lang]


def test_only_the_languages_change() -> None:
    found = understand(user("Hello!"), Turn("assistant", "Hello."), user("When was it built?"))
    conversation = found.conversation
    assert (conversation.title, conversation.id) == ("A title", "7")
    assert [turn.text for turn in conversation.turns] == ["Hello!", "Hello.", "When was it built?"]
    assert [turn.role for turn in conversation.turns] == ["user", "assistant", "user"]


def test_known_languages_are_kept_and_unknown_ones_identified() -> None:
    found = understand(user("Quand ?", "fi"), user("2023?", UNKNOWN))
    assert [turn.lang for turn in found.conversation.turns] == ["fi", "fi"]
    assert understand(user("12:30")).lang == UNKNOWN


def test_an_inherited_language_does_not_count_as_evidence() -> None:
    # The name alone is in no language; the assistant's turn is the only evidence for the last one.
    turns = (user("Apollo 11"), Turn("assistant", FIRST_QUESTIONS["de"]), user("Microsoft"))
    assert [turn.lang for turn in understand(*turns).conversation.turns] == [UNKNOWN, None, "de"]


def test_courtesies_have_a_reply_in_the_language_of_the_conversation() -> None:
    found = understand(user("Wer hat das Museum gegründet?"), user("OK"))
    assert (found.intent, found.reply) == ("thanks", message("assent", "de"))
    found = understand(user("再见"))
    assert (found.intent, found.reply) == ("farewell", message("farewell", "zh"))


def test_a_batch_keeps_its_order() -> None:
    texts = ["Hello!", "Who built it?", "Kiitos!", ""]
    found = LanguageAndIntent().understand([Conversation((user(text),)) for text in texts])
    assert [one.conversation.question.text for one in found] == texts
    assert [one.intent for one in found] == ["greeting", "question", "thanks", "question"]


TURNS = st.builds(
    Turn,
    st.sampled_from(["user", "assistant"]),
    st.sampled_from([*FIRST_QUESTIONS.values(), "Apollo 11", "2023?", "Hola", ""]) | st.text(),
    st.sampled_from([None, UNKNOWN, "fr"]),
)


@given(st.lists(TURNS, max_size=5), st.text())
def test_languages_are_those_of_the_conversation_up_to_each_turn(
    history: list[Turn], text: str
) -> None:
    turns = (*history, user(text))
    for at, turn in enumerate(understand(*turns).conversation.turns):
        if turn.role == "user":
            assert turn.lang == identify_question(Conversation(turns[: at + 1]))
        else:
            assert turn == turns[at]
