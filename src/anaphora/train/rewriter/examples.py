"""The examples that the default rewriter is trained on, by group."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.records import Conversation, Turn
from anaphora.train import corpora
from anaphora.train.crossencoder.real_manuals import real_dialogues
from anaphora.train.rewriter.conversations import Part, conversations
from anaphora.train.rewriter.synthetic import SETS, from_templates, synthetic
from anaphora.train.text import TrainingText

_TEMPLATES_EACH = 150
"""Synthetic conversations from templates for each language."""
_UNCHANGED = 2500
"""Self-contained questions from CANARD's rewrites."""

FILES = (*corpora.FILES, *(file for files in SETS.values() for file in files))


def training(data: Path, text: TrainingText, seed: int) -> dict[str, list[Example]]:
    """The training examples by group; the examples of a group depend on no other group."""
    partial = corpora.canard_partial(data)
    official = corpora.canard_official(data, "train")
    rng = random.Random(seed)
    others = corpora.task(data) + corpora.alexa(data) + corpora.cast(data)
    others += corpora.unchanged(partial, rng, _UNCHANGED)
    others += corpora.topic_changes(partial + official, corpora.complete_questions(data), rng)
    templates = from_templates(text.templates, rng, _TEMPLATES_EACH)
    follow_ups = list(conversations("train", text.follow_ups))
    return {
        "partial": partial,
        "official": official + [_without_section(example) for example in official],
        "others": others,
        "synthetic": synthetic(data, rng, "train") + list(templates),
        "conversations": list(conversations("train", text.conversations)),
        "follow-ups": follow_ups + [_without_answers(example) for example in follow_ups],
        "dialogues": list(dialogues(text, "train")),
    }


def dialogues(text: TrainingText, part: Part) -> Iterator[Example]:
    """The later questions of the conversations about real manuals, without answers."""
    for number, talk in enumerate(real_dialogues(text, part)):
        turns: list[Turn] = []
        for one in talk:
            turns.append(Turn("user", one.text))
            if one.earlier:
                conversation = Conversation(
                    (*turns[:-1], replace(turns[-1], lang=one.lang)),
                    None,
                    f"dialogues-{part}-{number}-{len(turns)}",
                )
                yield Example(
                    conversation,
                    rewrites=(one.rewrite,),
                    tags={"dialogue": f"dialogues-{part}-{number}"},
                )
            turns.append(Turn("assistant", ""))


def _without_section(example: Example) -> Example:
    conversation = example.conversation
    title = (conversation.title or "").split(":", 1)[0]
    return replace(example, conversation=replace(conversation, title=title or None))


def _without_answers(example: Example) -> Example:
    """The example as the rewriter reads it after answers that quote documents."""
    turns = tuple(
        replace(turn, text="") if turn.role == "assistant" else turn
        for turn in example.conversation.turns
    )
    return replace(example, conversation=replace(example.conversation, turns=turns))
