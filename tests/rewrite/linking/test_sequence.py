from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.models.backbone import Backbone
from anaphora.models.tokenizer import Tokenizer
from anaphora.records import Conversation, Turn
from anaphora.rewrite.linking.realization import max_span_ends, span_ends
from anaphora.rewrite.linking.sequence import ASSISTANT, MAX_TOKENS, QUESTION, TITLE, USER, lay_out
from anaphora.rewrite.tokenization import word_ranges


@pytest.fixture(scope="module")
def backbone() -> Backbone:
    return Backbone()


def talk(*texts: str, title: str | None = None) -> Conversation:
    """Texts by turns, so that the last is the user's."""
    roles = ["user", "assistant"] * len(texts)
    first = 1 - len(texts) % 2
    turns = [Turn(roles[at + first], text) for at, text in enumerate(texts)]  # type: ignore[arg-type]
    return Conversation(tuple(turns), title)


def test_title_turns_question(backbone: Backbone) -> None:
    layout = lay_out(
        talk("Who were they?", "A band.", "When did they disband?", title="The Mothers"),
        backbone.tokenizer,
    )
    assert [one.role for one in layout.utterances] == [TITLE, USER, ASSISTANT, QUESTION]
    assert [one.turn for one in layout.utterances] == [None, 0, 1, 2]
    words = [layout.text(number, number) for number in range(len(layout.words))]
    assert words[: layout.context] == [
        "The",
        "Mothers",
        "Who",
        "were",
        "they",
        "?",
        "A",
        "band",
        ".",
    ]
    assert words[layout.context :] == ["When", "did", "they", "disband", "?"]
    assert layout.text(0, 1) == "The Mothers"


@pytest.mark.parametrize(
    ("said", "asked", "words"),
    [
        ("鲁迅是谁？", "他的代表作？", 6),
        ("黒澤明とは？", "代表作は？", 5),
        ("สุนทรภู่คือใคร", "เขาเกิดเมื่อไหร่", 12),
        ("من هو نجيب محفوظ؟", "متى ولد؟", 3),
        ("Trần Hưng Đạo là ai?", "Ông ấy mất ở đâu?", 6),
        ("Кто такой Гагарин?", "Когда он родился?", 4),
        ("Ankara nerede?", "Oraya nasıl gidilir?", 4),
        ("जयपुर कहाँ है?", "वहाँ कैसे जाएँ?", 4),
        ("김연아 누구야?", "그녀는 언제 태어났어?", 4),
    ],
)
def test_every_word_of_the_question_is_there(
    backbone: Backbone, said: str, asked: str, words: int
) -> None:
    layout = lay_out(talk(said, "…", asked), backbone.tokenizer)
    assert layout.text(layout.context, len(layout.words) - 1) == asked
    assert len(layout.words) - layout.context == words


def test_the_newest_turns_and_the_title_stay(backbone: Backbone) -> None:
    turns = [f"What about number {number} in this long row?" for number in range(501)]
    layout = lay_out(talk(*turns, title="Numbers"), backbone.tokenizer)
    assert len(layout.ids) <= MAX_TOKENS
    assert layout.utterances[0].text == "Numbers"
    kept = [one.turn for one in layout.utterances[1:]]
    assert kept == list(range(500 - len(kept) + 1, 501))


def test_a_question_that_does_not_fit_is_told(backbone: Backbone) -> None:
    layout = lay_out(talk("Who?", "A band.", "word " * 50_000), backbone.tokenizer)
    assert not layout.whole
    assert len(layout.ids) <= MAX_TOKENS


@pytest.mark.parametrize("texts", [("",), ("", "", ""), ("\u200b", " ", "?")])
def test_empty_turns(backbone: Backbone, texts: tuple[str, ...]) -> None:
    layout = lay_out(talk(*texts), backbone.tokenizer)
    assert len(layout.ids) >= 2


@pytest.mark.parametrize(
    "word",
    ["Llanfairpwllgwyngyll", "Donaudampfschifffahrt", "Достопримечательности", "muvaffakiyetsizleş",
     "الاستقلالية", "nghiêng", "국립중앙박물관에서는", "วัดพระแก้ว", "図書館", "अन्तर्राष्ट्रीय"],
)  # fmt: skip
def test_a_word_that_the_limit_cuts_is_left_out(backbone: Backbone, word: str) -> None:
    for size in range(1, 24):
        title = " ".join([*"a" * size, word, "end"])
        layout = lay_out(talk("Why?", title=title), backbone.tokenizer)
        for one in layout.words:
            text = layout.utterances[one.utterance].text
            assert (one.start, one.end) in word_ranges(text)


@pytest.mark.parametrize(
    "texts", [("x" * 1000,), ("ы" * 1000, "Why?"), ("Why?", "字母" * 9, "ة" * 999)]
)
def test_a_word_that_fills_its_turn(backbone: Backbone, texts: tuple[str, ...]) -> None:
    layout = lay_out(talk(*texts, title="و" * 999), backbone.tokenizer)
    assert all(len(layout.text(number, number)) < 10 for number in range(len(layout.words)))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(max_size=300), min_size=1, max_size=9).filter(lambda some: len(some) % 2),
    st.integers(100, 200),
)
def test_words_lie_in_their_tokens(texts: list[str], limit: int) -> None:
    tokenizer = _tokenizer()
    layout = lay_out(talk(*texts), tokenizer, limit)
    assert len(layout.ids) == len(layout.roles) == len(layout.distances) <= limit
    for word in layout.words:
        assert 0 < word.first < word.last < len(layout.ids)
        text = layout.utterances[word.utterance].text
        assert (word.start, word.end) in word_ranges(text)
    numbers = [word.utterance for word in layout.words]
    assert numbers == sorted(numbers)


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    return Backbone().tokenizer


def test_a_span_of_a_title_ends_with_the_article(backbone: Backbone) -> None:
    layout = lay_out(
        talk("When did he die?", title="Richard Nixon: Soviet Union"), backbone.tokenizer
    )
    words = [layout.text(number, number) for number in range(layout.context)]
    assert words == ["Richard", "Nixon", ":", "Soviet", "Union"]
    assert span_ends(layout)[1:] == [2, 2, 5, 5, 5]
    assert max_span_ends(layout)[1:] == [5, 5, 5, 5, 5]
    whole = lay_out(talk("When did he die?", title="Richard Nixon"), backbone.tokenizer)
    assert span_ends(whole) == max_span_ends(whole) == [0, 2, 2]
