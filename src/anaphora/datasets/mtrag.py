"""MTRAG: conversations of people with a retrieval-augmented assistant, in four domains.

Its turns are of four kinds: answerable, partial (the documents hold a part of the answer),
unanswerable, and conversational ("thanks"). Only the first two have judged passages (Katsis et al.
2025, MTRAG: A Multi-Turn Conversational Benchmark, section 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from anaphora.datasets.building import Ids, Switches, Utterance, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.qrels import read_qrels
from anaphora.errors import AnaphoraError
from anaphora.records import Document

REWRITER = "mixtral-8x7b"
"""The model that wrote the benchmark's rewrites."""

_MARK = "|user|:"
_LAST_TURN = "_lastturn.jsonl"
_PLACE = re.compile(r"(?:_\d+-\d+)?-\d+-\d+$")
"""The end of a passage's id, after that of its document: its character range."""
_ANSWERABLE = {"answerable": True, "partial": True, "unanswerable": False}


def recognises(path: Path) -> bool:
    return bool(_domains(path))


def examples(path: Path) -> Iterator[Example]:
    """One example a task of the domain; the path is its folder, or that of all domains.

    The assistant's turns, answers, kinds of question and answerability come from the tasks: a
    `tasks.jsonl` in the folder or above it, or the official `generation_tasks/reference.jsonl`.
    Without them there are only the user's turns. What the assistant said to a question that is not
    known to be answerable is a refusal or a courtesy, and no answer.
    """
    for domain in _domains(path):
        yield from domain.examples()


def documents(path: Path) -> Iterator[Document]:
    """The passages: `pooled_passages.jsonl` in the domain's folder, or else the official
    `corpora/passage_level/DOMAIN.jsonl`; none where there is neither.

    Raises:
        AnaphoraError: the official file is still packed.
    """
    ids = Ids()
    for domain in _domains(path):
        found = domain.passages()
        if not found:
            continue
        for record in json_lines(found):
            identity = ids.take(record.identity("_id"), record, "_id")
            yield passage(identity, record.text("text"), record, record.text("title", ""))


@dataclass(frozen=True)
class _Domain:
    """A folder with the queries and judgements of one domain."""

    name: str
    folder: Path

    def queries(self, kind: str) -> dict[str, Record]:
        """By id, the records of a file that each hold marked utterances."""
        path = self.folder / f"{self.name}_{kind}.jsonl"
        if not path.exists():
            return {}
        return {record.identity("_id"): record for record in json_lines(path)}

    def qrels(self) -> dict[str, dict[str, int]]:
        path = self.folder / "qrels" / "dev.tsv"
        return read_qrels(path) if path.exists() else {}

    def tasks(self) -> Path | None:
        above = self.folder.absolute().parents
        places = [self.folder / "tasks.jsonl", above[0] / "tasks.jsonl"]
        places += [folder / "generation_tasks" / "reference.jsonl" for folder in above[:2]]
        return next(filter(Path.is_file, places), None)

    def passages(self) -> Path | None:
        corpora = [folder / "corpora" for folder in self.folder.absolute().parents[:4]]
        places = [self.folder / "pooled_passages.jsonl"]
        places += [c / "passage_level" / f"{self.name}.jsonl" for c in corpora]
        found = next(filter(Path.is_file, places), None)
        packed = (place.with_name(place.name + ".zip") for place in places)
        if not found and (archive := next(filter(Path.is_file, packed), None)):
            raise AnaphoraError(f"{archive} is packed; unpack it where it is")
        return found

    def examples(self) -> Iterator[Example]:
        questions, rewrites = self.queries("questions"), self.queries("rewrite")
        qrels = self.qrels()
        ids, switches = Ids(), Switches()
        tasks = self.tasks()
        for record in json_lines(tasks) if tasks else ():
            identity = record.identity("task_id")
            if not self._owns(record) and identity not in questions:
                continue
            said = _input(record)
            relevant = qrels.get(identity, {})
            yield _example(
                record, ids.take(identity, record, "task_id"), said, rewrites, relevant, switches
            )
            questions.pop(identity, None)
        for identity, record in questions.items():
            said = [("user", text) for text in _utterances(record)]
            relevant = qrels.get(identity, {})
            yield _example(
                record, ids.take(identity, record, "_id"), said, rewrites, relevant, switches
            )

    def _owns(self, task: Record) -> bool:
        """Our tasks name the domain, the official ones their collection ("mt-rag-ibmcloud-…")."""
        if "domain" in task:
            return task.text("domain") == self.name
        return self.name in task.text("Collection", "")


def _domains(path: Path) -> list[_Domain]:
    """The domain whose folder this is, or those whose folders it holds."""
    try:
        found = [*path.glob(f"*{_LAST_TURN}")] or [*path.glob(f"*/*{_LAST_TURN}")]
    except (OSError, ValueError):
        return []
    return [_Domain(file.name.removesuffix(_LAST_TURN), file.parent) for file in sorted(found)]


def _example(
    record: Record,
    identity: str,
    said: list[Utterance],
    rewrites: Mapping[str, Record],
    relevant: Mapping[str, int],
    switches: Switches,
) -> Example:
    *history, (role, question) = said
    if role != "user" or not question.strip():
        raise record.wrong("input", "must end with a question of the user")
    dialogue = identity.split("<::>")[0]
    kinds = _kinds(record)
    gold = [_PLACE.sub("", name) for name, grade in relevant.items() if grade > 0]
    answerable = _ANSWERABLE.get(kinds.get("answerability", ""), True if gold else None)
    rewrite = _utterances(rewrites[identity]) if identity in rewrites else []
    answers = _answers(record) if answerable else ()
    return Example(
        conversation(identity, history, question.strip()),
        automatic={REWRITER: " ".join(rewrite)} if rewrite else {},
        answers=answers,
        relevant=relevant,
        answerable=answerable,
        tags={"dialogue": dialogue, **kinds, **switches.tag(dialogue, gold)},
    )


def _input(task: Record) -> list[Utterance]:
    said: list[Utterance] = []
    for turn in task.records("input"):
        speaker = turn.text("speaker")
        if speaker not in ("user", "agent"):
            raise turn.wrong("speaker", 'must be "user" or "agent"')
        said.append(("user" if speaker == "user" else "assistant", turn.text("text")))
    if not said:
        raise task.wrong("input", "is empty")
    return said


def _answers(task: Record) -> tuple[str, ...]:
    if "targets" in task:
        texts = [target.text("text") for target in task.records("targets")]
    else:
        texts = [task.text("target", "")]
    return tuple(text.strip() for text in texts if text.strip())


def _kinds(task: Record) -> dict[str, str]:
    """What the official tasks say of a turn, each as a list of one or more labels."""
    named = {
        "answerability": "Answerability",
        "question_type": "Question Type",
        "multi_turn": "Multi-Turn",
    }
    return {
        tag: ", ".join(task.texts(name)).lower()
        for tag, name in named.items()
        if name in task and task.texts(name)
    }


def _utterances(record: Record) -> list[str]:
    """A record's text, one utterance behind each mark."""
    parts = (part.strip() for part in record.text("text").split(_MARK))
    return [part for part in parts if part]


FORMAT = Format(
    name="mtrag",
    title="MTRAG: multi-turn retrieval-augmented generation",
    licence="Apache-2.0",
    home="https://github.com/IBM/mt-rag-benchmark",
    recognises=recognises,
    examples=examples,
    documents=documents,
)
