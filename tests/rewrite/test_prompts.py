"""The context that a model is shown, and the prompts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anaphora.language import identify, listed_languages
from anaphora.records import Conversation, Turn
from anaphora.rewrite.context_turns import plain_text
from anaphora.rewrite.prompts import fit_context, prompt, prompt_languages

TARGETS = listed_languages()


def test_there_are_prompts_in_the_sixteen_languages_and_english_for_others():
    assert set(prompt_languages()) == TARGETS
    assert prompt("xx") == prompt("../prompts/en") == prompt("en")


@pytest.mark.parametrize("lang", sorted(TARGETS))
def test_each_is_in_its_language(lang):
    assert identify(prompt(lang).instruction) == lang
    for one in prompt(lang).examples:
        assert identify(one.rewrite) == lang
        assert identify(one.earlier_question) == lang


@pytest.mark.parametrize("lang", sorted(TARGETS))
def test_the_last_example_is_a_new_topic(lang):
    pronoun, ellipsis, topic = prompt(lang).examples
    assert pronoun.rewrite != pronoun.question
    assert ellipsis.rewrite != ellipsis.question
    assert topic.rewrite == topic.question


ROLES = st.sampled_from(["user", "assistant"])
TURNS = st.lists(st.builds(Turn, ROLES, st.text(max_size=300) | st.just("语" * 900)), max_size=30)


@given(TURNS, st.text(max_size=400) | st.none(), st.integers(0, 3000))
@example([Turn("user", "语" * 900), Turn("assistant", "\t0")], "", 20)
def test_context_keeps_to_its_budget_and_is_the_newest(turns, title, budget):
    found = fit_context(Conversation((*turns, Turn("user", "?")), title), budget)
    assert sum(len(one.text) for one in found) <= budget
    numbers = [one.turn for one in found if one.turn is not None]
    spoken = [n for n, turn in reversed(list(enumerate(turns))) if plain_text(turn).strip()]
    assert numbers == spoken[: len(numbers)]
    assert [one.turn for one in found].count(None) == bool(title and title.strip() and budget)
    for one in found:
        whole = " ".join((title if one.turn is None else plain_text(turns[one.turn])).split())
        assert whole.startswith(one.text.removesuffix("…").rstrip())
        assert "\n" not in one.text
