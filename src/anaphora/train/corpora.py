"""The public data sets that trainers read, from one folder.

The first rewrite of an example is the target. CANARD is split by the title of the article: QuAC
has several ids for one article, and no dialogue on an article of the reporting or the tuning part
is trained on, whatever its id.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from anaphora.datasets import canard
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.errors import UsageError
from anaphora.records import Conversation, Role, Turn
from anaphora.rewrite.tokenization import fold
from anaphora.train.rewriter.partial_history import restored

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


def check(data: Path, files: Iterable[str]) -> None:
    """Checks, before hours of work, that the folder `data` has all these files.

    Raises:
        UsageError: a file is missing.
    """
    missing = [file for file in files if not (data / file).is_file()]
    if missing:
        raise UsageError(
            f"{data} lacks {', '.join(missing)}; `anaphora data list` says where each data set can "
            "be downloaded"
        )


def bucket(key: str, count: int) -> int:
    """A number below `count` by the hash of a key, for splits that stay the same."""
    return int.from_bytes(blake2b(key.encode(), digest_size=4).digest(), "big") % count


def canard_official(folder: Path, part: Part) -> list[Example]:
    """A part of the official dialogues of `canard/dev.json`, with the section in the title; see
    `title_parts`."""
    parts = title_parts(folder)
    found = canard.examples(folder / CANARD)
    return [english(with_section(one)) for one in found if parts[title_key(one)] == part]


def with_section(example: Example) -> Example:
    """The example with "article: section" as its title, like the official histories."""
    conversation = example.conversation
    section = example.tags.get("section")
    if not section or not conversation.title:
        return example
    title = f"{conversation.title}: {section}"
    return replace(example, conversation=replace(conversation, title=title))


def english(example: Example) -> Example:
    """The example with its question marked as English."""
    turns = example.conversation.turns
    question = replace(turns[-1], lang="en")
    return replace(
        example, conversation=replace(example.conversation, turns=(*turns[:-1], question))
    )


def article(example: Example) -> str:
    """The article of a CANARD dialogue: QuAC numbers its dialogues C_…_0, C_…_1."""
    return example.tags["dialogue"].rsplit("_", 1)[0]


def title_key(example: Example) -> str:
    """The title of the article of a CANARD dialogue without case and accents."""
    return fold(example.conversation.title or "").strip()


@lru_cache(maxsize=2)
def title_parts(folder: Path) -> dict[str, Part]:
    """The part of each article of `canard/dev.json`, by `title_key`.

    The hash of a QuAC id decides which part its dialogues would be in: 55 % train, 13 % tune, 32 %
    report. An article with several ids, or with dialogues of other ids in the data with partial
    histories, is in the first of train, tune and report that any of them is in.
    """
    parts: dict[str, set[Part]] = {}
    by_id: dict[str, Part] = {}
    for example in canard.examples(folder / CANARD):
        by_id[article(example)] = _part_of_id(article(example))
        parts.setdefault(title_key(example), set()).add(by_id[article(example)])
    partial = canard.examples(folder / CANARD_PARTIAL)
    for example in restored(one for one in partial if by_id.get(article(one), "train") == "train"):
        if title_key(example) in parts:
            parts[title_key(example)].add("train")
    order: tuple[Part, ...] = ("train", "tune", "report")
    return {key: next(part for part in order if part in found) for key, found in parts.items()}


def _part_of_id(article: str) -> Part:
    number = bucket(article, 100)
    return "train" if number < 55 else "tune" if number < 68 else "report"


def canard_partial(folder: Path) -> list[Example]:
    """The dialogues whose answers are keywords, with restored histories.

    Dialogues on articles of the official tuning and reporting parts are left out.
    """
    parts = title_parts(folder)
    held_out = {
        article(example)
        for example in canard.examples(folder / CANARD)
        if parts[title_key(example)] != "train"
    }
    found = canard.examples(folder / CANARD_PARTIAL)
    return [
        english(example)
        for example in restored(example for example in found if article(example) not in held_out)
    ]


def task(folder: Path) -> list[Example]:
    """TASK (GECOR): restaurant dialogues, user turns with ellipsis and with coreference."""
    found = open_dataset(folder / TASK).examples()
    return [english(example) for example in found if example.tags["incompleteness"] != "none"]


def alexa(folder: Path) -> list[Example]:
    """Alexa CQR: requests in a car whose rewrite is of the last turn before it."""
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
    """TREC CAsT 2019 and 2020: user turns without answers, and the manual rewrites."""
    return [
        english(example)
        for path in CAST
        for example in open_dataset(folder / path).examples()
        if example.rewrites
    ]


def _example(identity: str, turns: Sequence[Turn], text: str, full: str, lang: str) -> Example:
    conversation = Conversation((*turns, Turn("user", text.strip(), lang)), None, identity)
    return Example(conversation, rewrites=(full.strip(),))


def complete_questions(folder: Path) -> list[str]:
    """Self-contained English questions from QED, ClapNQ and COVID-QA."""
    return [
        example.question
        for path in COMPLETE
        for example in open_dataset(folder / path).examples()
        if len(example.question.split()) > 4
    ]


def unchanged(examples: Sequence[Example], rng: random.Random, count: int) -> Iterator[Example]:
    """Rewrites of at most `count` examples as questions that are self-contained already."""
    for example in rng.sample(list(examples), min(count, len(examples))):
        yield with_question(example, example.rewrites[0])


def with_question(example: Example, question: str) -> Example:
    """The example with another question, which needs no rewriting."""
    turns = example.conversation.turns
    changed = replace(example.conversation, turns=(*turns[:-1], replace(turns[-1], text=question)))
    return replace(example, conversation=changed, rewrites=(question,))


def topic_changes(
    examples: Sequence[Example], questions: Iterable[str], rng: random.Random
) -> Iterator[Example]:
    """Each question as the next turn of a conversation on another topic."""
    pool = [example for example in examples if len(example.conversation.turns) > 2]
    for question in questions:
        conversation = with_question(rng.choice(pool), question).conversation
        yield Example(conversation, rewrites=(question,), tags={"topic_switch": "yes"})
