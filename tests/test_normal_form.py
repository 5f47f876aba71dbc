"""Unicode normal forms, also of texts that somebody made to be slow."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora.normal_form import normal_form

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
SOURCES = Path(anaphora.__file__).parent


@pytest.mark.parametrize("form", FORMS)
@given(text=st.text(max_size=40))
def test_it_is_the_normal_form(form, text):
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_marks_beyond_the_thirtieth_are_not_sorted_with_those_before(form):
    """Sorting all of them at once is quadratic: 200,000 take 20 seconds, and a million 10 minutes,
    in which the process does nothing else."""
    many = "e" + "\u0315\u0300" * 500_000
    found = normal_form(form, many)
    assert max(map(len, re.split("\u034f", found))) <= 31
    assert [found.count(mark) for mark in "\u0315\u0300"] in ([500_000] * 2, [500_000, 499_999])
    assert unicodedata.is_normalized(form, found)


def test_every_script_keeps_its_marks():
    for text in ("Tiếng Việt", "ประภาคาร", "كِتَاب", "हिन्दी", "שָׁלוֹם", "g̈̀́", "각"):
        decomposed = unicodedata.normalize("NFD", text) * 100
        assert normal_form("NFC", decomposed) == unicodedata.normalize("NFC", decomposed)


def test_texts_are_normalised_by_nothing_else():
    """Lists of words and single words of our own data may be; texts of others may not."""
    found = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if "unicodedata.normalize(" in path.read_text("utf-8")
    }
    assert found == {
        "normal_form.py",
        "check/numbers.py",  # a character
        "evaluate/metrics/ngram_recall.py",  # an example
        "ingest/pdf/boxes.py",  # a character
        "language/stopwords.py",  # our list
        "train/rewriter/features.py",  # training data
    }
