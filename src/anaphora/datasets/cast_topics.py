"""The topic files of TREC CAsT: every year's layout as the same turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from anaphora.datasets.building import Utterance
from anaphora.datasets.json_stream import Record, json_items, lines, malformed

_QUERY = ("query_turn_dependence", "query_dependence")
_RESULT = ("result_turn_dependence", "result_dependence")
_DEPENDENCE = {
    (False, False): "none",
    (True, False): "query",
    (False, True): "result",
    (True, True): "query and result",
}
_HEADING = re.compile(r"(Number|Title|Description):\s*(.*)")


@dataclass(frozen=True, slots=True)
class Topic:
    """A conversation, or in 2022 a tree of them."""

    number: str
    turns: tuple[Record, ...]
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the system said, and the ids of the passages it said it from."""

    text: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn of the user: what was said before, the rewrites, and the replies that follow."""

    number: str
    record: Record
    history: tuple[Utterance, ...]
    question: str
    manual: str
    automatic: str
    replies: tuple[Reply, ...]
    tags: Mapping[str, str] = field(default_factory=dict)


def topics(path: Path) -> Iterator[Topic]:
    """The topics of a JSON file, or of the text file of 2019.

    Raises:
        MalformedData: the file is neither.
    """
    if path.suffix == ".txt":
        yield from _text_topics(path)
        return
    for record in json_items(path):
        title = record.text("title", "").strip()
        yield Topic(
            record.identity("number"),
            tuple(record.records("turn")),
            {"topic": title} if title else {},
        )


def turns(topic: Topic) -> Iterator[Turned]:
    """The user's turns, in the file's order.

    Raises:
        MalformedData: a turn lacks what it needs, or its parent.
    """
    annotated = any(name in turn for turn in topic.turns for name in _QUERY + _RESULT)
    tree = any("participant" in turn for turn in topic.turns)
    for turn in _tree_turns(topic) if tree else _linear_turns(topic):
        if annotated:
            kind = tuple(any(map(turn.record.values.get, names)) for names in (_QUERY, _RESULT))
            yield _tagged(turn, {"dependence": _DEPENDENCE[kind[0], kind[1]]})
        else:
            yield turn


def _linear_turns(topic: Topic) -> Iterator[Turned]:
    history: list[Utterance] = []
    subject = ""
    for record in topic.turns:
        reply = _reply(record)
        turn = _turned(record, tuple(history), (reply,) if reply.text else ())
        tags = {}
        if "utterance_type" in record:
            tags["question_type"] = record.text("utterance_type").strip().lower()
        if "sub_topic" in record:
            now = record.text("sub_topic").strip()
            if subject and now:
                tags["topic_switch"] = "no" if now == subject else "yes"
            subject = now
        yield _tagged(turn, tags)
        history += [("user", turn.question), ("assistant", reply.text)]


def _tree_turns(topic: Topic) -> Iterator[Turned]:
    """Each turn names its parent; a user's turn may have several replies."""
    known: dict[str, Record] = {}
    replies: dict[str, list[Reply]] = {}
    for record in topic.turns:
        number = record.identity("number")
        if number in known:
            raise record.wrong("number", f"gives the turn {number!r} for the second time")
        known[number] = record
        if _speaks(record) == "assistant" and "parent" in record:
            replies.setdefault(record.identity("parent"), []).append(_reply(record))
    for number, record in known.items():
        if _speaks(record) == "user":
            yield _turned(record, _ancestors(record, known), tuple(replies.get(number, ())))


def _ancestors(record: Record, known: Mapping[str, Record]) -> tuple[Utterance, ...]:
    said: list[Utterance] = []
    passed = {record.identity("number")}
    while "parent" in record:
        parent = record.identity("parent")
        if parent not in known or parent in passed:
            what = (
                "is among its own ancestors" if parent in passed else "is not a turn of its topic"
            )
            raise record.wrong("parent", what)
        passed.add(parent)
        record = known[parent]
        user = _speaks(record) == "user"
        said.append(("user", _question(record)) if user else ("assistant", _reply(record).text))
    return tuple(reversed(said))


def _speaks(record: Record) -> str:
    participant = record.text("participant")
    if participant not in ("User", "System"):
        raise record.wrong("participant", 'must be "User" or "System"')
    return "user" if participant == "User" else "assistant"


def _question(record: Record) -> str:
    return record.filled("utterance" if "utterance" in record else "raw_utterance")


def _reply(record: Record) -> Reply:
    text = record.text("response" if "response" in record else "passage", "").strip()
    if "provenance" in record:
        return Reply(text, record.texts("provenance"))
    name = record.text("canonical_result_id", "")
    return Reply(text, (name,) if name else ())


def _turned(record: Record, history: tuple[Utterance, ...], replies: tuple[Reply, ...]) -> Turned:
    return Turned(
        record.identity("number"),
        record,
        history,
        _question(record),
        record.text("manual_rewritten_utterance", "").strip(),
        record.text("automatic_rewritten_utterance", "").strip(),
        replies,
    )


def _tagged(turn: Turned, tags: Mapping[str, str]) -> Turned:
    return replace(turn, tags={**turn.tags, **tags})


def _text_topics(path: Path) -> Iterator[Topic]:
    """Topics as headings ("Number: 31", "Title: …"), below them numbered questions."""
    number = title = ""
    asked: list[Record] = []

    def topic() -> Topic:
        return Topic(number, tuple(asked), {"topic": title} if title else {})

    for at, line in lines(path):
        if heading := _HEADING.fullmatch(line.strip()):
            name, value = heading[1], heading[2].strip()
            if name == "Number":
                if asked:
                    yield topic()
                number, title, asked = value, "", []
            elif name == "Title":
                title = value
            continue
        turn, tab, question = line.partition("\t")
        if not tab or not turn.strip().isdigit() or not number:
            what = 'needs a heading such as "Number: 31", or a number, a tab and a question'
            raise malformed(path, f"line {at}", what)
        values = {"number": turn.strip(), "raw_utterance": question}
        asked.append(Record(values, path, f"line {at}"))
    if asked:
        yield topic()
