from __future__ import annotations

import re
from typing import get_args

import pytest
from support.corpus import TARGETS

from anaphora.language import listed_languages, stop_words
from anaphora.language.question_words import QuestionType
from anaphora.language.scripts import inside, script_counts
from anaphora.language.tables import table, tables, text

REQUIRED = {"script", "stop_words", "context_dependence", "questions", "messages", "courtesies",
            "follow_ups", "language_names", "list_references"}  # fmt: skip
OPTIONAL = {"elisions", "abbreviations"}
PATTERNS = ("prefix", "indirect", "yes_no", "yes_no_otherwise")


def test_the_target_languages_are_listed() -> None:
    assert listed_languages() == set(TARGETS)


@pytest.mark.parametrize("lang", TARGETS)
def test_every_language_has_every_table(lang: str) -> None:
    assert set(tables(lang)) >= REQUIRED
    assert set(tables(lang)) <= REQUIRED | OPTIONAL
    assert inside(text(lang, "script"))
    assert set(table(lang, "courtesies")) - {"alone"} == {
        "greeting", "thanks", "farewell", "assent", "particles"
    }  # fmt: skip
    assert set(table(lang, "questions")["words"]) <= {*get_args(QuestionType), "skip"}
    for pattern in PATTERNS:
        re.compile(table(lang, "questions").get(pattern, ""))


@pytest.mark.parametrize("lang", TARGETS)
def test_words_are_in_the_script_of_the_language(lang: str) -> None:
    counts = script_counts(" ".join(stop_words(lang)))
    script = text(lang, "script")
    if lang == "ja":
        assert set(counts) == {"Kana", "Han"}
    else:
        assert set(counts) == {script}


@pytest.mark.parametrize("lang", ["xx", "", "../data/en", "unknown"])
def test_a_language_without_a_file_has_no_tables(lang: str) -> None:
    assert tables(lang) == {}
    assert table(lang, "questions") == {}
    assert text(lang, "stop_words") == ""
