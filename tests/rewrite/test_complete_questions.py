"""Complete questions after a conversation are left alone, in twelve languages; follow-ups of the
papers' examples are made self-contained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora.assistant import Assistant
from anaphora.records import Rewrite, Turn

FILE = Path(__file__).parents[2] / "evaluation" / "complete" / "questions.jsonl"


@pytest.fixture(scope="module")
def assistant() -> Assistant:
    return Assistant(None)


def asked(assistant: Assistant, *texts: str) -> Rewrite:
    history = [Turn("assistant" if at % 2 else "user", text) for at, text in enumerate(texts[:-1])]
    return assistant.rewrite(texts[-1], history)


def test_complete_questions_are_left_alone(assistant: Assistant) -> None:
    records = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    made = [
        (question, asked(assistant, *record["history"], question))
        for record in records
        for question in record["questions"]
    ]
    assert len(made) >= 120
    assert len({record["lang"] for record in records}) >= 10
    left = [question == one.text for question, one in made]
    assert sum(left) >= 0.97 * len(made)
    alone = [question == one.text and not one.alternatives for question, one in made]
    assert sum(alone) >= 0.85 * len(made)


@pytest.mark.parametrize(
    ("texts", "needed"),
    [
        (("Tell me about the Golden Gate Bridge.",
          "The Golden Gate Bridge is a suspension bridge in San Francisco.",
          "How long did the construction take?"), "Golden Gate Bridge"),
        (("When was the Eiffel Tower built?", "It was built from 1887 to 1889.",
          "How long did the construction take?"), "Eiffel Tower"),
        (("埃菲尔铁塔是什么时候建的？", "1887年至1889年。", "施工用了多长时间？"), "埃菲尔铁塔"),
        (("I want a cheap restaurant in the north.", "Nandos is a cheap restaurant in the north.",
          "phone number and postcode"), "Nandos"),
        (("Is there an Italian restaurant in the centre?",
          "Pizza Hut City Centre serves Italian food.",
          "What is the phone number and postcode?"), "Pizza Hut City Centre"),
    ],
)  # fmt: skip
def test_the_examples_of_node_linking(
    assistant: Assistant, texts: tuple[str, ...], needed: str
) -> None:
    """Li et al. (2025), "Dialogue-RAG", and the restaurants of CamRest676."""
    made = asked(assistant, *texts)
    assert needed in made.text or any(needed in one.text for one in made.alternatives)
    assert needed in "\n".join((made.text, *made.variants))


@pytest.mark.parametrize(
    "texts",
    [
        ("What is lung cancer?", "Lung cancer begins in the lungs, unlike throat cancer."),
        ("Is throat cancer treatable?", "Yes.", "What causes lung cancer?", "Mostly smoking."),
        ("What is throat cancer?", "A cancer of the throat.", "Tell me about lung cancer.",
         "Lung cancer begins in the lungs. It differs from throat cancer."),
    ],
)  # fmt: skip
def test_its_symptoms_are_those_of_the_last_disease(
    assistant: Assistant, texts: tuple[str, ...]
) -> None:
    made = asked(assistant, *texts, "What are its symptoms?")
    assert made.text == "What are lung cancer's symptoms?"
    for one in made.alternatives:
        assert "lung cancer" in one.text
        assert "throat" not in one.text
