"""The question in a model's answer, and the rewrites that are rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.rewrite.edits import ContextText
from anaphora.rewrite.prompts import prompt, prompt_languages
from anaphora.rewrite.validation import extract_question, rejection


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
    assert extract_question(answer) == question


@pytest.mark.parametrize("lang", prompt_languages())
def test_the_prompts_own_label_is_left_out(lang):
    question = prompt(lang).examples[0].rewrite
    assert extract_question(f"{prompt(lang).rewritten}: {question}") == question
    assert extract_question(f"**{prompt(lang).rewritten}：**\n\n{question}") == question


@given(st.text())
def test_any_answer_becomes_one_line(answer):
    line = extract_question(answer)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()


@pytest.mark.parametrize(
    "piece", ["<think>", "</think>", "*", "«", "1. ", "`", "question ", "\u0301"]
)
def test_repetitive_answers_are_parsed(piece):
    line = extract_question(piece * 20_000)
    assert len(line) <= 4000
    assert line == line.strip()


@pytest.mark.parametrize("lang", prompt_languages())
@pytest.mark.parametrize("number", range(3))
def test_the_examples_of_the_prompts_pass(lang, number):
    one = prompt(lang).examples[number]
    context = [ContextText(one.earlier_answer, 1), ContextText(one.earlier_question, 0)]
    assert rejection(one.rewrite, one.question, lang, context) is None


@pytest.mark.parametrize("lang", sorted(set(prompt_languages()) - {"en"}))
def test_another_language_is_rejected(lang):
    context = [
        ContextText(prompt(lang).examples[0].earlier_question, 0),
        ContextText(f"Well. {prompt('en').examples[0].rewrite}", 1),
    ]
    wrong = rejection(
        prompt("en").examples[0].rewrite, prompt(lang).examples[0].question, lang, context
    )
    assert wrong == "it is in another language (en)"


def test_a_question_asked_twice_may_stay_as_it_is():
    assert (
        rejection("Why?", "Why?", "en", [ContextText("because", 1), ContextText("Why?", 0)]) is None
    )


def test_an_unknown_language_is_not_checked():
    assert rejection("Quid est?", "Quid?", "unknown", [ContextText("est", 0)]) is None


@pytest.mark.parametrize(
    ("rewrite", "wrong"),
    [
        ("", "it is empty"),
        ("…?", "it is empty"),
        ("When did the band end? " * 9, "it is too long"),
        ("The band came to an end.", "it is not a question"),
        ("Did the band end in 1975?", "it names 1975, which is not in the conversation"),
        ("Did the band end in ١٩٦٩?", None),
        ("the band played until 1969?", "it repeats an earlier turn"),
        ("Which famous composer wrote operas?", "most of its words are not in the conversation"),
    ],
)
def test_rejections(rewrite, wrong):
    context = [ContextText("The band played until 1969", 0)]
    assert rejection(rewrite, "When did they end?", "en", context) == wrong
