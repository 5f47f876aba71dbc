"""The dialogues that the default rewriter learns from, read from a folder of data sets.

Each comes as examples whose first rewrite is what the question should become. Splits go by
dialogue, and no dialogue on an article of the reported or the tuning part is trained on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from anaphora.datasets import canard
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.records import Conversation, Role, Turn
from anaphora.train.partial import restored

Part = Literal["train", "tune", "report"]

CANARD = "canard/dev.json"
CANARD_PARTIAL = "canard/train_partial_history.jsonl"
TASK = "gecor_camrest676/CamRest676_annotated.json"
ALEXA = ("alexa_cqr_kvret/cqr_kvret_dev_public.json", "alexa_cqr_kvret/cqr_kvret_test_public.json")
CAST = (
    "treccast/2019/data/evaluation/evaluation_topics_v1.0.json",
    "treccast/2019/data/training/train_topics_v1.0.json",
    "treccast/2020/2020_manual_evaluation_topics_v1.0.json",
)
COMPLETE = (
    "qed_en/qed-dev.jsonlines",
    "clapnq_en/clapnq_dev_answerable.jsonl",
    "clapnq_en/clapnq_dev_unanswerable.jsonl",
    "covidqa_en/200423_covidQA.json",
)
FILES = (CANARD, CANARD_PARTIAL, TASK, *ALEXA, *CAST, *COMPLETE)


def canard_official(folder: Path, part: Part) -> list[Example]:
    """A part of the official dialogues of `canard/dev.json`, with the section in the title.

    Which part a dialogue belongs to is a hash of its article: 55 % train, 13 % tune, 32 % report.
    """
    found = [
        example for example in canard.examples(folder / CANARD) if article_part(example) == part
    ]
    return [english(with_section(example)) for example in found]


def with_section(example: Example) -> Example:
    """The example with "article: section" for a title, as the official history begins."""
    talk = example.conversation
    section = example.tags.get("section")
    if not section or not talk.title:
        return example
    return replace(example, conversation=replace(talk, title=f"{talk.title}: {section}"))


def english(example: Example) -> Example:
    turns = example.conversation.turns
    question = replace(turns[-1], lang="en")
    return replace(
        example, conversation=replace(example.conversation, turns=(*turns[:-1], question))
    )


def article(example: Example) -> str:
    """QuAC numbers the dialogues of one article: C_…_0, C_…_1."""
    return example.tags["dialogue"].rsplit("_", 1)[0]


def article_part(example: Example) -> Part:
    number = int.from_bytes(blake2b(article(example).encode(), digest_size=4).digest(), "big") % 100
    return "train" if number < 55 else "tune" if number < 68 else "report"


def canard_partial(folder: Path) -> list[Example]:
    """The dialogues with keywords for answers, restored, without those on articles of the official
    tuning and report parts."""
    held = {
        article(example)
        for example in canard.examples(folder / CANARD)
        if article_part(example) != "train"
    }
    found = canard.examples(folder / CANARD_PARTIAL)
    return [
        english(example)
        for example in restored(example for example in found if article(example) not in held)
    ]


def task(folder: Path) -> list[Example]:
    """TASK (GECOR): restaurant dialogues, user turns with ellipsis and with coreference."""
    found = open_dataset(folder / TASK).examples()
    return [english(example) for example in found if example.tags["incompleteness"] != "none"]


def alexa(folder: Path) -> list[Example]:
    """Alexa CQR: requests in a car, those whose rewrite is of the turn just before."""
    found: list[Example] = []
    for path, name in zip(ALEXA, ("dev", "test"), strict=True):
        for number, dialogue in enumerate(json.loads((folder / path).read_text("utf-8"))):
            turns: list[Turn] = []
            for turn in dialogue["dialogue"]:
                rewrite = turn.get("reformulation") or {}
                full = rewrite.get("reformulated_utt")
                if full and turns and rewrite["base_utt_idx"] == len(turns) - 1:
                    identity = f"alexa-{name}-{number}-{len(turns)}"
                    found.append(_example(identity, turns[:-1], turns[-1].text, full, "en"))
                role: Role = "assistant" if turn["turn"] == "assistant" else "user"
                turns.append(Turn(role, turn["data"]["utterance"]))
    return found


def cast(folder: Path) -> list[Example]:
    """TREC CAsT 2019 and 2020: the user's turns alone, and the manual rewrites."""
    return [
        english(example)
        for path in CAST
        for example in open_dataset(folder / path).examples()
        if example.rewrites
    ]


def _example(identity: str, turns: Sequence[Turn], text: str, full: str, lang: str) -> Example:
    talk = Conversation((*turns, Turn("user", text.strip(), lang)), None, identity)
    return Example(talk, rewrites=(full.strip(),))


def complete_questions(folder: Path) -> list[str]:
    """English questions that stand alone, from QED, ClapNQ and COVID-QA."""
    return [
        example.question
        for path in COMPLETE
        for example in open_dataset(folder / path).examples()
        if len(example.question.split()) > 4
    ]


def unchanged(examples: Sequence[Example], rng: random.Random, count: int) -> Iterator[Example]:
    """At most `count` questions that already stand alone: the rewrites themselves, over the same
    history."""
    for example in rng.sample(list(examples), min(count, len(examples))):
        turns = example.conversation.turns
        question = replace(turns[-1], text=example.rewrites[0])
        talk = replace(example.conversation, turns=(*turns[:-1], question))
        yield replace(example, conversation=talk)


def switches(
    examples: Sequence[Example], questions: Iterable[str], rng: random.Random
) -> Iterator[Example]:
    """Each question as the next turn of a talk about something else: to be left alone."""
    pool = [example for example in examples if len(example.conversation.turns) > 2]
    for question in questions:
        example = rng.choice(pool)
        turns = example.conversation.turns
        talk = replace(example.conversation, turns=(*turns[:-1], replace(turns[-1], text=question)))
        yield Example(talk, rewrites=(question,), tags={"topic_switch": "yes"})
