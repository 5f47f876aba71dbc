"""The topic of a conversation, and follow-ups as one question about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import listed_languages
from anaphora.records import Conversation, Rewrite, Turn
from anaphora.rewrite.topic import (
    about_term,
    as_question,
    asks_alone,
    is_complete,
    topic_of,
    with_another,
)


@pytest.mark.parametrize(
    ("lang", "question", "fragment", "expected"),
    [
        ("en", "how do I rotate an image?", "a layer", ""),
        ("en", "what is a vpn?", "a proxy", "what is a proxy?"),
        ("en", "can i export to PDF", "CSV?", "can i export to CSV"),
        ("en", "how do i turn persistence on", "only for /home", ""),
        ("fr", "comment je monte /tmp en noexec", "/usr en lecture seule",
         "comment je monte /usr en lecture seule"),
        ("fr", "comment supprimer une page ?", "une image ?", "comment supprimer une image ?"),
        ("fr", "peut-on figer une ligne", "deux", ""),
        ("de", "wie brenne ich eine cd", "eine dvd", "wie brenne ich eine dvd"),
        ("de", "wie brenne ich eine cd", "eine dvd kopieren", ""),
        ("es", "desactivar el sonido", "el boton de salir", "desactivar el boton de salir"),
        ("vi", "tuyển quân ở làng", "ở rừng", "tuyển quân ở rừng"),
        ("zh", "怎么加歌词", "多段的呢", ""),
        ("tr", "cd nasıl yazılır", "dvd", ""),
    ],
)  # fmt: skip
def test_another_thing(lang: str, question: str, fragment: str, expected: str) -> None:
    assert with_another(question, fragment, lang) == expected


@given(st.sampled_from(sorted(listed_languages())), st.text(max_size=60), st.text(max_size=40))
def test_another_thing_begins_like_the_question_and_ends_with_the_fragment(
    lang: str, question: str, fragment: str
) -> None:
    made = with_another(question, fragment, lang)
    if made:
        assert made.split()[0] == question.split()[0]
        assert " ".join(fragment.rstrip(" ?؟.!").split()) in made


@pytest.mark.parametrize(
    ("lang", "fragment", "expected"),
    [
        ("en", "delete the layer", ""),
        ("en", "delete it", "how do i delete it"),
        ("de", "eine dvd kopieren", "wie kann ich eine dvd kopieren"),
        ("de", "mehrere strophen", ""),
        ("fr", "le renommer", "comment le renommer"),
        ("es", "borrarla", "cómo borrarla"),
        ("it", "cancellarlo", "come cancellarlo"),
        ("pt", "apagar", "como apagar"),
        ("ru", "удалить его", "как удалить его"),
        ("ja", "消す", ""),
    ],
)
def test_a_phrase_with_a_verb_as_a_question(lang: str, fragment: str, expected: str) -> None:
    assert as_question(fragment, lang) == expected


def test_about_a_defined_thing() -> None:
    assert about_term("永続化", "なぜ必要なの", "ja") == "永続化はなぜ必要なの"
    assert about_term("圆滑线", "可以嵌套吗", "zh") == "圆滑线可以嵌套吗"
    assert about_term("圆滑线", "它可以嵌套吗", "zh") == ""
    assert about_term("", "怎么对齐", "zh") == ""
    assert about_term("vpn", "kann ich es testen", "de") == ""


@pytest.mark.parametrize(
    ("lang", "question", "alone"),
    [
        ("ja", "通貨を追加するには", True),
        ("ja", "追加するには", False),
        ("ja", "それを追加するには", False),
        ("zh", "什么是配置文件", True),
        ("en", "what is it", False),
        ("en", "what is the default", False),
        ("ar", "ما هو الجدار الناري", True),
        ("ru", "что такое зона контроля", True),
        ("th", "vpnคืออะไร", True),
    ],
)
def test_questions_that_are_complete_by_their_form(lang: str, question: str, alone: bool) -> None:
    assert asks_alone(question, lang) == alone
    assert is_complete(question, lang) == alone


def topic_after(lang: str, *texts: str) -> str:
    turns = tuple(Turn("user", text, lang) for text in texts)
    earlier = [Conversation(turns[: number + 1]) for number in range(len(turns))]
    made = [Rewrite(one.question.text, lang, confidence=0.5, decision="leave") for one in earlier]
    topic = topic_of(zip(earlier, made, strict=True), lang)
    assert topic is not None
    return topic.text


@pytest.mark.parametrize(
    ("lang", "texts", "expected"),
    [
        ("en", ("what is a vpn", "and a proxy?", "why"), "what is a proxy"),
        ("en", ("how do i build an iso", "and how to copy it", "where is it"),
         "how do i build an iso"),
        ("fr", ("comment monter /tmp en noexec", "et /usr", "c'est sûr"),
         "comment monter /tmp en noexec"),
        ("fr", ("comment monter /tmp", "et /usr", "c'est sûr"), "comment monter /usr"),
        ("ja", ("永続化とは", "有効にするには"), "永続化とは"),
        ("tr", ("birimleri nasıl iyileştiririm", "peki bunları"), "birimleri nasıl iyileştiririm"),
    ],
)  # fmt: skip
def test_the_topic(lang: str, texts: tuple[str, ...], expected: str) -> None:
    assert topic_after(lang, *texts) == expected
