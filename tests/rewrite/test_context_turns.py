"""What of the earlier turns a rewriter may take words from."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conversations import conversation

from anaphora.records import Block, Citation
from anaphora.rewrite.context_turns import stressed, without_markup
from anaphora.rewrite.history import HistoryRewriter
from anaphora.rewrite.prompts import fit_context

ANSWERS = [
    ("Run make. [1] The log is at https://example.org/log.[2]", "Run make."),
    ("Choose Format - Text.[1][2]\n```\nformat --text\n```\nThen save.", "Choose Format - Text."),
    ("先选择行。[1]然后冻结，见https://example.org/冻结。", "先选择行。"),
    ("「書式」を選びます。[1]次に保存します。", "「書式」を選びます。"),
    ("اختر تنسيق.[1] ثم احفظ الملف.", "اختر تنسيق."),
    ("Нажмите Backspace. [3] Номер исчезнет.", "Нажмите Backspace."),
    ("Nhấn phím dấu cộng. [1] Trang sẽ lớn hơn.", "Nhấn phím dấu cộng."),
    ("Satırı seçin. [1] Sonra kaydedin.", "Satırı seçin."),
    ("    $ make all\nIt builds everything. Nothing else.", "It builds everything."),
    ("[1]", ""),
]


@pytest.mark.parametrize(("answer", "first"), ANSWERS)
def test_of_an_answer_its_first_sentence_without_markup(answer, first):
    asked = conversation("How?", answer, "And then?")
    _, kept, _ = stressed(asked).turns
    assert kept.text == first


def cited(quote: str, answer: str, kind: str = "paragraph") -> Citation:
    start = quote.index(answer)
    blocks = (Block(kind, 0, len(quote)),)
    return Citation(
        "p", "d", "T", quote, 5, 5 + len(quote), (5 + start, 5 + start + len(answer)), blocks
    )


@pytest.mark.parametrize(
    ("question", "quote", "answer", "kept"),
    [
        ("Who wrote it?", "Zappa wrote it in 1966.", "Zappa", "Zappa"),
        ("Which is the default?", "The default is ext four.", "ext four", "ext four"),
        ("怎么保存？谁写的？", "鲁迅写的。", "鲁迅", "鲁迅"),
        ("Кто это написал?", "Это написал Булгаков.", "Булгаков", "Булгаков"),
        ("ใครเขียน", "สุนทรภู่เขียน", "สุนทรภู่", "สุนทรภู่"),
        ("How do I crop?", "Use the Crop tool.", "Crop tool", ""),
        ("What is it?", "Figure 14.74. Pencil tool", "Figure 14.74. Pencil", ""),
        ("Which key?", "Press Ctrl+Z to undo.", "Ctrl+Z to undo the last step at once", ""),
        ("What is it?", "It is a veil put over a layer.", "a veil put over a layer", ""),
    ],
)
def test_of_an_answer_with_citations_the_name_that_answers(question, quote, answer, kept):
    if answer not in quote:
        quote += answer
    asked = conversation(question, quote, "And then?")
    first, reply, last = asked.turns
    reply = replace(reply, citations=(cited(quote, answer),))
    assert stressed(replace(asked, turns=(first, reply, last))).turns[1].text == kept


def test_code_is_no_name():
    asked = conversation("Which command?", "make all", "And then?")
    first, reply, last = asked.turns
    reply = replace(reply, citations=(cited("make all", "make all", "code"),))
    assert stressed(replace(asked, turns=(first, reply, last))).turns[1].text == ""


def test_what_the_user_typed_is_kept():
    text = "What does [2] say about `a[1]` and https://example.org? And then? \n    code"
    asked = conversation(text, "Nothing.", "Why [1]?")
    assert stressed(asked) == asked


@pytest.mark.parametrize("answer", [answer for answer, _ in ANSWERS])
def test_markup_reaches_no_rewriter(answer):
    asked = conversation("How do I format it?", answer, "And then?")
    (history,) = HistoryRewriter().rewrite([asked])
    prompted = " ".join(one.text for one in fit_context(asked, 1000))
    for text in (history.text, prompted, *(edit.text for edit in history.edits)):
        assert not any(mark in text for mark in ("[1]", "[2]", "[3]", "https", "```", "make all"))


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.lists(st.integers(1, 99), max_size=3))
def test_marks_are_removed_wherever_they_are(text, numbers):
    marks = "".join(f"[{number}]" for number in numbers)
    assert without_markup(text + marks) == without_markup(text + " " + marks).rstrip()
    assert "  " not in without_markup(text)


def test_a_long_quotation_is_not_stressed_whole():
    asked = conversation("How?", "word " * 100_000, "And then?")
    assert len(stressed(asked).turns[1].text) <= 240
