"""How question and passage stand before the judge."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.crossencoder.sequence import (
    LONGEST,
    QUESTION,
    SHARED,
    TEXT,
    TITLE,
    WINDOWS,
    Sequencer,
)
from anaphora.models.backbone import shared_backbone
from anaphora.models.tokenizer import BEGIN, END

TEXTS = {
    "en": "The bridge was opened in 1932. It is 503 metres long.",
    "zh": "这座桥于1932年通车，全长503米。",
    "ja": "この橋は1932年に開通した。長さは503メートルである。",
    "th": "สะพานเปิดใช้ในปี 1932 มีความยาว 503 เมตร",
    "ar": "افتُتح الجسر عام 1932، ويبلغ طوله 503 أمتار.",
    "vi": "Cây cầu được khánh thành năm 1932 và dài 503 mét.",
    "ru": "Мост был открыт в 1932 году. Его длина 503 метра.",
    "tr": "Köprü 1932'de açıldı. İstanbul'daki köprü 503 metre uzunluğundadır.",
    "hi": "पुल 1932 में खुला और 503 मीटर लंबा है।",
    "ko": "다리는 1932년에 개통되었고 길이는 503미터이다.",
}


@pytest.fixture(scope="module")
def sequencer() -> Sequencer:
    return Sequencer(shared_backbone().tokenizer)


@pytest.mark.parametrize("lang", TEXTS)
def test_a_short_passage_is_one_window_whose_ranges_are_its_text(sequencer, lang):
    text = TEXTS[lang]
    (window,) = sequencer.windows("How long is it?", "Bridges", text)
    assert window.ids[0] == BEGIN
    assert list(window.ids).count(END) == 2
    assert window.ids[-1] == END
    assert len(window.ranges) == len(window.ids) - window.first - 1
    assert "".join(text[a:b] for a, b in window.ranges) == "".join(text.split())


def test_every_token_says_what_it_is(sequencer):
    (window,) = sequencer.windows("Where is the harbour?", "Sydney", "The harbour is in Sydney.")
    kinds = list(window.kinds)
    asked = kinds.count(QUESTION)
    assert kinds[:asked] == [QUESTION] * asked
    assert TITLE in kinds[asked : window.first]
    assert SHARED in kinds[window.first :]
    assert TEXT in kinds[window.first :]
    assert set(window.ids[window.kinds == SHARED]) <= set(window.ids[:asked])


def test_without_a_title_there_is_none_of_it(sequencer):
    (window,) = sequencer.windows("Where?", "  ", "In Sydney.")
    assert TITLE not in window.kinds


def test_a_long_text_is_read_in_windows_that_overlap(sequencer):
    text = " ".join(f"Sentence number {n} says something." for n in range(60))
    windows = sequencer.windows("Which number?", "", text)
    assert len(windows) > 1
    assert all(len(window.ids) <= LONGEST for window in windows)
    for before, after in pairwise(windows):
        assert after.ranges[0][0] < before.ranges[-1][1]
    assert windows[0].ranges[0][0] == 0
    assert windows[-1].ranges[-1][1] == len(text)


def test_a_text_of_any_length_takes_a_bounded_number_of_windows(sequencer):
    windows = sequencer.windows("what", "title", "word " * 100_000)
    assert len(windows) == WINDOWS


@pytest.mark.parametrize("count", [200, 600, 20_000])
def test_of_a_long_question_its_end_is_read(sequencer, count):
    (window,) = sequencer.windows("so " * count + "where is Sydney?", "", "In Australia.")
    same = sequencer.windows("where is Sydney?", "", "In Australia.")[0]
    asked = window.ids[window.kinds == QUESTION]
    tail = same.ids[same.kinds == QUESTION][1:]
    assert list(asked[-len(tail) :]) == list(tail)


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b"])
def test_an_empty_text_is_one_window_without_ranges(sequencer, text):
    (window,) = sequencer.windows("What?", "", text)
    assert not any(a < b for a, b in window.ranges)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.text(max_size=40), st.text(max_size=1500))
def test_any_text_has_windows_of_sound_shape(question, title, text):
    windows = Sequencer(shared_backbone().tokenizer).windows(question, title, text)
    assert windows
    for window in windows:
        assert len(window.ids) == len(window.kinds) <= LONGEST
        assert window.ids.dtype == np.int64
        assert len(window.ranges) == len(window.ids) - window.first - 1
        assert all(0 <= a <= b <= len(text) for a, b in window.ranges)
