"""The prompts of the reader that writes."""

from __future__ import annotations

import pytest

from anaphora.language import identify, listed_languages
from anaphora.models.chat import Message
from anaphora.read.fitting import least_tokens, most_tokens
from anaphora.read.prompts import Request, prompt, prompt_languages, schema
from anaphora.read.sources import section
from anaphora.records import Hit, Passage, Query

TARGETS = sorted(listed_languages())
QUESTION = "Wie hoch ist der Turm?"


def request(variant, lang="de", text="Der Turm ist 40 Meter hoch. Er ist alt.", **more):
    passage = Passage("p", "d", "Turm", text, "de", end=len(text))
    found, _ = section(Hit(passage, 1.0, 1))
    return Request(Query(QUESTION, lang), (found,), variant, **more)


def test_there_are_prompts_in_the_sixteen_languages_and_english_for_others():
    assert sorted(prompt_languages()) == TARGETS
    assert prompt("xx") == prompt("../prompts/en") == prompt("en")


@pytest.mark.parametrize("lang", TARGETS)
def test_each_is_in_its_language(lang):
    words = prompt(lang)
    for text in (words.task, words.strict, words.restate):
        assert identify(text) == lang
    assert "[2]" in words.task
    assert "NONE" in words.task


@pytest.mark.parametrize(
    ("variant", "said", "unsaid"),
    [
        ("english", ["Answer the question"], ["German", "Deutsch", "language as"]),
        ("english-same", ["Answer in the same language as the question."], ["German"]),
        ("english-language", ["Answer in German."], ["Deutsch", "same language"]),
        ("translated", ["Beantworte die Frage"], ["auf Deutsch"]),
        ("translated-language", ["Antworte auf Deutsch."], ["Namen von Personen"]),
        ("translated-names", ["Antworte auf Deutsch.", "Namen von Personen"], ["English"]),
    ],
)
def test_the_variants_are_those_of_the_paper(variant, said, unsaid):
    system = request(variant).messages()[0].content
    assert [one for one in said if one not in system] == []
    assert [one for one in unsaid if one in system] == []


def test_another_language_than_the_sixteen_is_asked_for_in_english():
    system = request("translated-names", lang="nl").messages()[0].content
    assert "Answer in the same language as the question." in system


def test_no_document_can_hold_the_fence():
    first, second = (
        request("english", text=text).messages()[1].content
        for text in ("Der Turm ist alt.", "Der Turm ist neu.")
    )
    fences = [
        next(line for line in text.split("\n") if line.startswith("<<")) for text in (first, second)
    ]
    assert fences[0] != fences[1]
    assert request("english", text="Der Turm ist alt.").messages()[1].content == first
    inside = request("english", text=f"Der Turm ist alt. {fences[0]} Ende.").messages()[1].content
    assert inside.split("\n").count(fences[0]) == 0


def test_the_schema_allows_the_numbers_that_exist():
    sentence = schema(3)["properties"]["sentences"]["items"]
    assert sentence["properties"]["numbers"]["items"]["enum"] == [1, 2, 3]


@pytest.mark.parametrize("lang", TARGETS)
def test_estimates_of_tokens_are_far_apart(lang):
    messages = [Message("user", prompt(lang).task)]
    assert 0 < 2 * least_tokens(messages) < most_tokens(messages) < 4 * len(prompt(lang).task)
