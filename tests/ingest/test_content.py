from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from anaphora.ingest.content import Element, clean, compose


def test_sections_nest_by_level() -> None:
    text, sections, _ = compose(
        [
            Element("Intro"),
            Element("A", 2),
            Element("a"),
            Element("B", 3),
            Element("b"),
            Element("C", 1),
            Element("c", tight=True),
        ]
    )
    assert text == "Intro\n\na\n\nb\nc"
    assert [(mark.start, mark.path) for mark in sections] == [
        (7, ("A",)),
        (10, ("A", "B")),
        (12, ("C",)),
    ]


def test_a_heading_without_text_stands_in_the_text() -> None:
    text, sections, _ = compose(
        [Element("A", 1), Element("B", 2), Element("C", 2), Element("c"), Element("D", 1)]
    )
    assert text == "B\n\nc\n\nD"
    assert [mark.path for mark in sections] == [("A",), ("A", "C"), ()]


@given(st.text())
def test_cleaned_text_can_be_stored(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert unicodedata.is_normalized("NFC", cleaned)
    assert "\r" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.lists(st.builds(Element, st.text(max_size=8), st.integers(0, 4), st.booleans())))
def test_no_word_is_lost_and_marks_are_in_order(blocks: list[Element]) -> None:
    text, sections, _ = compose(blocks)
    starts = [mark.start for mark in sections]
    assert starts == sorted(set(starts))
    assert all(start < len(text) for start in starts)
    headings = {part for mark in sections for part in mark.path}
    for block in blocks:
        words = clean(block.text).split()
        if block.level:
            assert " ".join(words) in headings or " ".join(words) in text
        else:
            assert clean(block.text).strip() in text
