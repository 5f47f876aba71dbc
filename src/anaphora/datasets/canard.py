"""CANARD: questions of QuAC, rewritten by people so that each is self-contained.

It comes without QuAC's paragraphs and names no answers. But the history of a turn holds the answer
to the turn before it, and these answers are stretches of the paragraphs: they serve as the passages
to search and to read. So all but the last turn of a dialogue can be tried from question to answer,
on a synthetic collection: figures on it are not those of QuAC or OR-QuAC.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from anaphora.datasets.building import Ids, alternating, conversation
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items, json_lines
from anaphora.datasets.sniffing import field_names, head
from anaphora.records import Document

_OFFICIAL = frozenset({"History", "QuAC_dialog_id", "Question", "Question_no", "Rewrite"})
_NO_ANSWER = "I don't know."
"""What CANARD has where QuAC has CANNOTANSWER."""
_PARTIAL = frozenset({"PrevQuestions", "PrevAnswerKeywords", "QuAC_dialog_id", "Rewrite"})


def recognises(path: Path) -> bool:
    names = field_names(path)
    return names >= _OFFICIAL or names >= _PARTIAL


def examples(path: Path) -> Iterator[Example]:
    """The official file is an array whose "History" begins with the article's title and its
    section's; the title becomes the conversation's, the section a tag.

    In the variant of JSON lines that has "PrevQuestions" and "PrevAnswerKeywords" instead, there is
    no title, and the answers are keywords: its examples have the tag "history": "keywords".
    """
    ids = Ids()
    if head(path).lstrip().startswith("{"):
        for record in json_lines(path):
            yield _partial(record, ids)
    else:
        yield from _answered(_official(record, ids) for record in json_items(path))


def documents(path: Path) -> Iterator[Document]:
    """The known answers, each under its article's title and the id of the turn it answers; none
    from the variant, which has no answers."""
    for example in examples(path):
        if example.answers:
            title = ", ".join(filter(None, (example.conversation.title, example.tags["section"])))
            yield Document(example.id, title, example.answers[0], "en", whole=True)


def _answered(found: Iterator[Example]) -> Iterator[Example]:
    """Each turn with the answer that the next turn's history holds."""
    held: Example | None = None
    for example in found:
        if held:
            said = example.conversation.history
            follows = (
                said[-1:]
                and said[-1].role == "assistant"
                and example.tags["dialogue"] == held.tags["dialogue"]
                and said[:-1] == held.conversation.turns
            )
            yield _with_answer(held, said[-1].text) if follows else held
        held = example
    if held:
        yield held


def _with_answer(example: Example, answer: str) -> Example:
    if answer == _NO_ANSWER:
        return replace(example, answerable=False)
    return replace(example, answers=(answer,), relevant={example.id: 1}, answerable=True)


def _official(record: Record, ids: Ids) -> Example:
    history = record.texts("History")
    if len(history) < 2:
        raise record.wrong("History", "must begin with the titles of the article and its section")
    title, section, *said = history
    return _example(record, ids, said, title.strip() or None, {"section": section.strip()})


def _partial(record: Record, ids: Ids) -> Example:
    questions, keywords = record.texts("PrevQuestions"), record.texts("PrevAnswerKeywords")
    if len(questions) != len(keywords):
        raise record.wrong("PrevAnswerKeywords", 'must be as long as "PrevQuestions"')
    said = [text for pair in zip(questions, keywords, strict=True) for text in pair]
    return _example(record, ids, said, None, {"history": "keywords"})


def _example(
    record: Record, ids: Ids, said: list[str], title: str | None, tags: dict[str, str]
) -> Example:
    dialogue = record.identity("QuAC_dialog_id")
    identity = ids.take(f"{dialogue}#{record.number('Question_no')}", record, "Question_no")
    return Example(
        conversation(identity, alternating(said), record.filled("Question"), title),
        rewrites=(record.filled("Rewrite"),),
        tags={"dialogue": dialogue, **tags},
    )


FORMAT = Format(
    name="canard",
    title="CANARD: questions rewritten in context, from QuAC",
    licence="CC BY-SA 4.0",
    home="https://sites.google.com/view/qanta/projects/canard",
    recognises=recognises,
    examples=examples,
    documents=documents,
)
