"""From log-odds to spans."""

import numpy as np
import pytest

from anaphora.crossencoder.sequence import Window
from anaphora.crossencoder.spans import best_extent, best_spans
from anaphora.records import Span

TEXT = "in the year 1932 at night"


def window() -> Window:
    ranges, at = [], 0
    for word in TEXT.split():
        ranges.append((TEXT.index(word, at), TEXT.index(word, at) + len(word)))
        at = ranges[-1][1]
    count = len(ranges) + 3
    return Window(np.arange(count), np.zeros(count, np.int64), 2, tuple(ranges))


def scores(start: dict[int, float], end: dict[int, float], null: float = 0.0) -> np.ndarray:
    found = np.full((2, 9), -9.0, np.float32)
    found[:, 0] = null / 2
    for row, given in enumerate((start, end)):
        for place, score in given.items():
            found[row, 2 + place] = score
    return found


def test_the_span_is_where_begin_and_end_are_likeliest():
    (span,) = best_spans(window(), scores({2: 3.0}, {3: 2.0}, null=1.0), TEXT)
    assert TEXT[span.start : span.end] == "year 1932"
    assert span.score == 4.0


def test_an_end_before_its_beginning_is_no_span():
    (span,) = best_spans(window(), scores({3: 3.0, 1: 1.0}, {2: 3.0}), TEXT)
    assert TEXT[span.start : span.end] == "the year"


def test_further_spans_overlap_none_before_them():
    found = best_spans(window(), scores({2: 3.0, 4: 2.0}, {3: 3.0, 5: 2.0}), TEXT, 3)
    assert [TEXT[one.start : one.end] for one in found][:2] == ["year 1932", "at night"]
    assert not any(one.overlaps(two) for one in found for two in found if one != two)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_an_empty_window_has_no_span_and_no_extent():
    empty = Window(np.arange(3), np.zeros(3, np.int64), 2, ())
    assert best_spans(empty, np.zeros((2, 3), np.float32), "") == []
    assert best_extent(empty, np.zeros((2, 3), np.float32)) is None


def test_weights_that_know_no_extent_give_none():
    assert best_extent(window(), np.zeros((2, 9), np.float32)) is None


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        ({1: 3.0}, {4: 2.0}, "the year 1932 at"),
        ({0: 0.2, 3: 3.0}, {2: 3.0, 5: 0.5}, "1932 at night"),  # the best end is too early
        ({0: 3.0, 3: 1.0}, {2: 3.0, 5: 0.5}, "in the year"),
        ({5: 3.0}, {5: 3.0}, "night"),
    ],
)
def test_an_extent_is_where_its_begin_and_end_are_likeliest_together(begin, end, expected):
    start, stop = best_extent(window(), scores(begin, end))
    assert TEXT[start:stop] == expected


def test_overlap_is_of_characters():
    assert Span(0, 4, 0.0).overlaps(Span(3, 5, 0.0))
    assert not Span(0, 4, 0.0).overlaps(Span(4, 5, 0.0))


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("псковские мастера", "псковски", "псковские"),
        ("im Weinkeller", "keller", "Weinkeller"),
        ("sông Hương", "Hươn", "Hương"),
        ("दिल्ली में", "दिल्", "दिल्ली"),
        ("İstanbul'da", "stanbul", "İstanbul"),
        ("부산에서", "부산", "부산"),
        ("والقاهرة", "القاهرة", "القاهرة"),
        ("ในกรุงเทพ", "กรุงเทพ", "กรุงเทพ"),
        ("在杭州", "杭州", "杭州"),
        ("大阪市", "大阪", "大阪"),
    ],
)
def test_no_answer_is_part_of_a_word(text, part, whole):
    start = text.index(part)
    one = Window(np.arange(4), np.zeros(4, np.int64), 2, ((start, start + len(part)),))
    (span,) = best_spans(one, np.zeros((2, 4), np.float32), text)
    assert text[span.start : span.end] == whole
