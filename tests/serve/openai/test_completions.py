"""Answers as completions: the marks of citations, and tokens."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from hypothesis import given
from hypothesis import strategies as st

from anaphora.records import Answer, Citation, Turn, Writing
from anaphora.serve.openai.completions import Mark, marks, tokens, url_citations, usage


def cited(*quotes: str) -> tuple[Citation, ...]:
    return tuple(
        Citation(f"a#{number}", "a", "A", quote, 0, len(quote))
        for number, quote in enumerate(quotes, 1)
    )


def test_each_mark_has_its_range_of_characters():
    text = "灯塔建于1887年。 [1]\n\nAlso: A\n\nهي حمراء. [2]"
    answer = Answer(text, "zh", 0.9, cited("灯塔建于1887年。", "هي حمراء."))
    assert marks(answer) == [Mark(1, 11, 14), Mark(2, len(text) - 3, len(text))]
    assert [text[mark.start : mark.end] for mark in marks(answer)] == ["[1]", "[2]"]


def test_a_quote_that_holds_what_looks_like_a_mark_has_its_own_behind_it():
    quotes = "See [1] and [2].", "So they say [1]"
    text = "See [1] and [2]. [1]\n\nAlso: A\n\nSo they say [1] [2]"
    found = marks(Answer(text, "en", 0.9, cited(*quotes)))
    assert found == [Mark(1, 17, 20), Mark(2, len(text) - 3, len(text))]


def test_a_line_of_the_nearest_sections_is_its_quote_folded():
    text = "No passage clearly answers this.\n• A: One. Two. [1]\n• A: Three. [2]"
    answer = Answer(text, "en", 0.1, cited("One.\n\nTwo.", "Three."), abstained=True)
    assert [text[mark.start : mark.end] for mark in marks(answer)] == ["[1]", "[2]"]


def test_a_written_answer_may_cite_one_passage_twice():
    text = "It is red. [1][2] It is tall. [1]"
    answer = Answer(text, "en", 0.9, cited("red", "tall"), writing=Writing("a model"))
    assert [mark.number for mark in marks(answer)] == [1, 2, 1]
    assert {text[mark.start : mark.end] for mark in marks(answer)} == {"[1]", "[2]"}


def test_an_annotation_names_the_title_and_the_address():
    answer = Answer("Ferry: 12 euros. [1]", "en", 0.9, cited("Ferry: 12 euros."))
    assert url_citations(answer, lambda citation: f"http://x/{citation.passage_id}") == [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": 17,
                "end_index": 20,
                "title": "A",
                "url": "http://x/a#1",
            },
        }
    ]


def test_a_courtesy_has_no_marks():
    assert marks(Answer("Hello [1]!", "en", 1.0)) == []


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=4))
def test_marks_are_in_the_text_whatever_it_says(text, quotes):
    answer = Answer(text, "en", 0.5, cited(*quotes))
    for mark in marks(answer):
        assert answer.text[mark.start : mark.end] == f"[{mark.number}]"
        assert mark.number <= len(quotes)


def test_usage_counts_the_tokens_of_every_script():
    counts = usage([Turn("user", "灯塔建于哪一年？")], "ประภาคารสร้างขึ้นเมื่อไร", "1887.")
    assert counts["prompt_tokens"] == tokens("灯塔建于哪一年？") + tokens("ประภาคารสร้างขึ้นเมื่อไร")
    assert counts["completion_tokens"] == tokens("1887.") > 0
    assert counts["total_tokens"] == counts["prompt_tokens"] + counts["completion_tokens"]


def test_a_long_text_is_counted_to_its_end():
    assert tokens("ferry " * 3000) == 3000 * tokens("ferry")
