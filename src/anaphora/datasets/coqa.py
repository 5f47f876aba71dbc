"""CoQA: conversations about a story, answered in free words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, Utterance, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items
from anaphora.datasets.sniffing import with_fields
from anaphora.records import Document

_NONE = "unknown"


def examples(path: Path) -> Iterator[Example]:
    """One example a question. The answers are what people said, that of the dialogue first, then
    those of the others; the stretch of the story that they marked is none, but their reason. The
    story is the one relevant passage; a question that all found "unknown" cannot be answered.
    """
    ids = Ids()
    for story in json_items(path, "data"):
        name = story.identity("id")
        said: list[Utterance] = []
        for question, answers in _asked(story):
            identity = f"{name}_{question.identity('turn_id')}"
            given = (text for text in answers if text and text.lower() != _NONE)
            known = tuple(dict.fromkeys(given))
            asked = question.filled("input_text")
            yield Example(
                conversation(ids.take(identity, question, "turn_id"), said, asked),
                answers=known,
                relevant={name: 1} if known else {},
                answerable=bool(known),
                tags={"dialogue": name, "source": story.text("source", "")},
            )
            said += [("user", asked), ("assistant", answers[0])]


def documents(path: Path) -> Iterator[Document]:
    """The stories, each as one passage."""
    ids = Ids()
    for story in json_items(path, "data"):
        name = ids.take(story.identity("id"), story, "id")
        yield passage(name, story.filled("story"), story)


def _asked(story: Record) -> Iterator[tuple[Record, list[str]]]:
    """Each question with its answers, the dialogue's own first."""
    questions = story.records("questions")
    series = [story.records("answers")]
    if "additional_answers" in story:
        others = story.record("additional_answers")
        series += [others.records(number) for number in others.values]
    if any(len(answers) != len(questions) for answers in series):
        raise story.wrong("answers", 'must be as many as "questions"')
    for place, question in enumerate(questions):
        yield question, [answers[place].text("input_text").strip() for answers in series]


FORMAT = Format(
    name="coqa",
    title="CoQA: conversational question answering about stories",
    licence="by source: CC BY-SA 4.0, MSR-LA, Apache-2.0, RACE's terms",
    home="https://stanfordnlp.github.io/coqa/",
    recognises=with_fields("story", "questions", "input_text"),
    examples=examples,
    documents=documents,
)
