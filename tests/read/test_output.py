"""The sentences of a model's output."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.read.output import MOST_SENTENCES, Output, Written


def whole(text, lang="en", size=7, complete=True):
    output = Output(lang)
    found = []
    for at in range(0, len(text), size):
        found += output.add(text[at : at + size])
    return found + output.end(complete)


def cited(text, lang="en", **more):
    return [(one.text, one.numbers) for one in whole(text, lang, **more)]


@pytest.mark.parametrize(
    ("lang", "text", "sentences"),
    [
        ("en", "It is red [1]. It is old.[2] It stands. [3][4]", [(1,), (2,), (3, 4)]),
        ("zh", "灯塔是红色的[1]。它很旧。[2]它还在【3】。", [(1,), (2,), (3,)]),
        ("ja", "灯台は赤い[1]。古い灯台だ。[2][3]", [(1,), (2, 3)]),
        ("th", "ประภาคารเป็นสีแดงทั้งหลัง [1] ประภาคารนี้เก่ามากแล้ว [2]", [(1,), (2,)]),
        ("ar", "المنارة حمراء [1]. هل هي قديمة؟ [2] نعم [3].", [(1,), (2,), (3,)]),
        ("hi", "प्रकाशस्तंभ लाल है [1]। वह पुराना है। [2]", [(1,), (2,)]),
        ("ru", "Маяк красный [1, 2]. Он стар [3–5].", [(1, 2), (3, 4, 5)]),
        ("vi", "Hải đăng màu đỏ [1]. Nó cũ [1; 2].", [(1,), (1, 2)]),
        ("tr", "Fener kırmızıdır [cümle 1]. Eskidir [2].", [(1,), (2,)]),
        ("en", "It is red.", [()]),
        ("en", "- Red [1]\n- Old [2]\n", [(1,), (2,)]),
        ("en", "1. Red [1]\n2. Old [2]", [(1,), (2,)]),
    ],
)
def test_every_sentence_has_its_numbers(lang, text, sentences):
    for size in (1, 5, 1000):
        found = cited(text, lang, size=size)
        assert [numbers for _, numbers in found] == sentences
        assert not any(mark in said for said, _ in found for mark in "[]【】")


def test_sentences_are_given_as_soon_as_the_next_one_begins():
    output = Output("en")
    assert output.add("It is red [1].") == []
    assert output.add(" It") == [Written("It is red.", (1,))]
    assert output.end() == [Written("It", ())]


def test_what_the_limit_on_tokens_cut_is_left_out():
    assert cited("It is red [1]. It is ol", complete=False) == [("It is red.", (1,))]


@pytest.mark.parametrize(
    "text",
    [
        "<think>No [9].</think>It is red [1].",
        "<thinking>No [9].</thinking>\nIt is red [1].",
        "No [9]. Maybe</think>It is red [1].",
        "<|channel|>analysis<|message|>No [9].<|channel|>final<|message|>It is red [1].",
    ],
)
def test_reasoning_is_no_part_of_the_answer(text):
    assert cited(text, size=1000) == [("It is red.", (1,))]


@pytest.mark.parametrize("text", ["NONE", " NONE.\n", "**NONE**", "“NONE”"])
def test_that_nothing_was_found_is_no_sentence(text):
    output = Output("en")
    assert output.add(text) + output.end() == [] or text.startswith("“")
    assert output.nothing or text.startswith("“")


def test_json_is_read_object_by_object():
    output = Output("en")
    first, second = ({"numbers": [n], "text": f"It is {n}."} for n in (1, 2))
    text = json.dumps({"sentences": [first, second]})
    half = text.index("}") + 1
    assert output.add(text[:half]) == [Written("It is 1.", (1,))]
    assert output.add(text[half:]) == [Written("It is 2.", (2,))]
    assert output.end() == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('```json\n{"sentences": [{"text": "Red [2].", "numbers": [1]}]}\n```', [("Red.", (1, 2))]),
        ('[{"text": "Red. Old.", "numbers": [1]}]', [("Red.", (1,)), ("Old.", (1,))]),
        ('{"text": "Red.", "numbers": "1"}', []),
        ('{"sentences": [{"text": 5}, 7, {"text": "Red.", "numbers": [true]}]}', [("Red.", ())]),
        ('{"answer": {"text": "Red."}}', [("Red.", ())]),
        ("{" * 5000, []),
    ],
)
def test_json_of_another_form(text, found):
    assert cited(text, size=10_000) == found


def test_loops_and_floods_end():
    assert len(whole("It is red [1]. " * 500)) <= MOST_SENTENCES
    assert whole("word " * 50_000) == []
    output = Output("en")
    for _ in range(5000):
        output.add("[1, 2, 3] " * 10)
    assert output.full


@given(st.text(max_size=300), st.sampled_from(["en", "zh", "th", "ar"]), st.integers(1, 50))
def test_any_output_is_read(text, lang, size):
    for one in whole(text, lang, size):
        assert any(map(str.isalnum, one.text))


@given(st.lists(st.integers(0, 99), min_size=1, max_size=5), st.integers(1, 9))
def test_the_size_of_the_parts_does_not_matter(numbers, size):
    text = " ".join(f"Number {n} is the {n}th [{n}]." for n in numbers)
    assert whole(text, size=size) == whole(text, size=10_000)
