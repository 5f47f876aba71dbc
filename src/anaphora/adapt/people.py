"""Questions that people wrote, with the passages of an index that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from anaphora.adapt.questions import Asked
from anaphora.assistant import Assistant
from anaphora.datasets.answer_turns import AnswerTurn, load_answer_turns, normalized
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.datasets.sniffing import with_first_record
from anaphora.errors import UsageError
from anaphora.evaluate.answer_figures import is_source, nuggets_found
from anaphora.index import Index
from anaphora.pipeline import rewrite_all
from anaphora.records import Conversation, Passage, Query, Turn

_PAGE = 500
_is_answers = with_first_record("question", "nuggets")

Gain = Callable[[Passage], float]


def people_asked(path: Path, assistant: Assistant) -> list[Asked]:
    """The questions of a file or folder that have a passage in the assistant's index, as they are
    searched: those of a conversation are rewritten.

    The file is one that `anaphora eval answers` reads, or a data set with relevance judgements. A
    passage of a source of an answer gains the number of nuggets that it holds, and without sources
    any passage with all of them gains 1. A judged passage is one with the id or the text of a
    passage of the index, or with the id of a document.

    Raises:
        UsageError: the path cannot be read, or is in no known format.
        MalformedData: a file is not as its format says.
    """
    index = assistant.index
    assert index
    if path.is_file() and _is_answers(path):
        turns = [turn for turn in load_answer_turns([path]) if turn.answerable]
        conversations = [
            Conversation((*turn.history, Turn("user", turn.question, _known(turn.lang))))
            for turn in turns
        ]
        gains: list[Gain] = [_of_turn(turn) for turn in turns]
    else:
        dataset = open_dataset(path)
        examples = [one for one in dataset.examples() if any(one.relevant.values())]
        if not examples:
            raise UsageError(f"{path} has no question with a passage that answers it")
        wanted = {id for one in examples for id, grade in one.relevant.items() if grade > 0}
        texts = {
            one.doc_id: normalized(one.text) for one in dataset.documents() if one.doc_id in wanted
        }
        conversations = [one.conversation for one in examples]
        gains = [_of_example(one, texts) for one in examples]
    found = _gains(index, gains)
    held = [(one, by_id) for one, by_id in zip(conversations, found, strict=True) if by_id]
    rewritten = rewrite_all(
        assistant.understander, assistant.rewriter, [conversation for conversation, _ in held]
    )
    return [
        Asked(
            Query(
                rewrite.text if rewrite else one.question.text,
                understanding.lang,
                rewrite.variants if rewrite else (),
                conversation=understanding.conversation,
            ),
            "",
            by_id,
        )
        for (one, by_id), (understanding, rewrite) in zip(held, rewritten, strict=True)
    ]


def _known(lang: str) -> str | None:
    return None if lang == "unknown" else lang


def _of_turn(turn: AnswerTurn) -> Gain:
    def gain(passage: Passage) -> float:
        if turn.sources and not is_source(passage.doc_id, turn.sources):
            return 0.0
        found = nuggets_found(turn.nuggets, passage.text)
        return float(sum(found)) if turn.sources else float(all(found))

    return gain


def _of_example(example: Example, texts: dict[str, str]) -> Gain:
    grades = {id: grade for id, grade in example.relevant.items() if grade > 0}
    by_text = {texts[id]: grade for id, grade in grades.items() if texts.get(id)}

    def gain(passage: Passage) -> float:
        known = max(grades.get(passage.passage_id, 0), grades.get(passage.doc_id, 0))
        if known or not by_text:
            return float(known)
        own = normalized(passage.text)
        return float(
            max((grade for text, grade in by_text.items() if text in own or own in text), default=0)
            if own
            else 0
        )

    return gain


def _gains(index: Index, gains: Sequence[Gain]) -> list[dict[str, float]]:
    """For each question the passages with a gain, by id. All passages are read once."""
    found: list[dict[str, float]] = [{} for _ in gains]
    after = ""
    while page := index.documents(after=after, limit=_PAGE):
        for document in page:
            for passage in index.passages_of(document.doc_id):
                for by_id, gain in zip(found, gains, strict=True):
                    if (value := gain(passage)) > 0:
                        by_id[passage.passage_id] = value
        after = page[-1].doc_id
    return found
