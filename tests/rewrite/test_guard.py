"""What is made of a model's answer, and which answers are no rewrites."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.rewrite.edits import Said
from anaphora.rewrite.guard import clean, objection
from anaphora.rewrite.prompts.few_shot import EXAMPLES
from anaphora.rewrite.prompts.zero_shot import WORDINGS


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("When did Zappa die?", "When did Zappa die?"),
        ('"When did Zappa die?"', "When did Zappa die?"),
        ("«Où est-il ?»", "Où est-il ?"),
        ("„Wann starb er?“", "Wann starb er?"),
        ("「東京はどこですか？」", "東京はどこですか？"),
        ("重写后的问题：“东京在哪里？”", "东京在哪里？"),
        ("Question reformulée : Où est Paris ?", "Où est Paris ?"),
        ("**Frage (umformuliert):** Wo?", "Wo?"),
        ("The rewritten query is: zappa birth place", "zappa birth place"),
        ("1. When did Zappa die?\n2. Where did he die?", "When did Zappa die?"),
        ("```text\nWhen?\n```", "When?"),
        ("> *When?*", "When?"),
        ("I see.\nWhen did Zappa die?", "When did Zappa die?"),
        ("\u202bمتى توفي زابا؟\u202c", "متى توفي زابا؟"),
        ("What did \x00Zappa\twrite?", "What did Zappa write?"),
        ('Who wrote "Hamlet" and "Macbeth"?', 'Who wrote "Hamlet" and "Macbeth"?'),
        ("Whose song is “Peaches”?", "Whose song is “Peaches”?"),
        ("Star Wars: when was it released?", "Star Wars: when was it released?"),
        ("क\u094d\u200dष क्या है?", "क\u094d\u200dष क्या है?"),
        ("<think>\nWhat?\n</think>\nWhen?", "When?"),
        ("What?\n</think>\nWhen?", "When?"),
        ("<THINKING>a</THINKING>When?", "When?"),
        ("<think>never ends", ""),
        ("Sure, here it is:", ""),
        ("", ""),
    ],
)
def test_the_question_in_an_answer(answer, question):
    assert clean(answer) == question


@pytest.mark.parametrize("lang", WORDINGS)
def test_the_prompts_own_label_is_left_out(lang):
    question = EXAMPLES[lang][0].rewrite
    assert clean(f"{WORDINGS[lang].rewritten}: {question}") == question
    assert clean(f"**{WORDINGS[lang].rewritten}：**\n\n{question}") == question


@given(st.text())
def test_any_answer_becomes_one_line(answer):
    line = clean(answer)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()


@pytest.mark.parametrize(
    "piece", ["<think>", "</think>", "*", "«", "1. ", "`", "question ", "\u0301"]
)
def test_hostile_answers_take_no_time(piece):
    began = time.monotonic()
    clean(piece * 20_000)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("lang", EXAMPLES)
@pytest.mark.parametrize("number", range(3))
def test_the_worked_examples_are_good_rewrites(lang, number):
    one = EXAMPLES[lang][number]
    said = [Said(one.answered, 1), Said(one.asked, 0)]
    assert objection(one.rewrite, one.question, lang, said) is None


@pytest.mark.parametrize("lang", sorted(set(EXAMPLES) - {"en"}))
def test_another_language_is_objected_to(lang):
    said = [Said(EXAMPLES[lang][0].asked, 0), Said(f"Well. {EXAMPLES['en'][0].rewrite}", 1)]
    wrong = objection(EXAMPLES["en"][0].rewrite, EXAMPLES[lang][0].question, lang, said)
    assert wrong == "it is in another language (en)"


def test_a_question_asked_twice_may_stay_as_it_is():
    assert objection("Why?", "Why?", "en", [Said("because", 1), Said("Why?", 0)]) is None


def test_in_an_unknown_language_nothing_is_said_of_it():
    assert objection("Quid est?", "Quid?", "unknown", [Said("est", 0)]) is None


@pytest.mark.parametrize(
    ("rewrite", "wrong"),
    [
        ("", "it is empty"),
        ("…?", "it is empty"),
        ("When did the band end? " * 9, "it is too long"),
        ("The band came to an end.", "it is no question"),
        ("Did the band end in 1975?", "it names 1975, which nobody had said"),
        ("Did the band end in ١٩٦٩?", None),
        ("the band played until 1969?", "it repeats an earlier turn"),
        ("Which famous composer wrote operas?", "most of its words had not been said"),
    ],
)
def test_objections(rewrite, wrong):
    said = [Said("The band played until 1969", 0)]
    assert objection(rewrite, "When did they end?", "en", said) == wrong
