"""MultiDoc2Dial: dialogues that are grounded in several documents of public offices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anaphora.datasets.building import (
    Ids,
    Switches,
    Utterance,
    conversation,
    passage,
    solid,
)
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_members, malformed
from anaphora.datasets.sniffing import with_fields
from anaphora.records import Document

_DOCUMENTS = "multidoc2dial_doc.json"
_ROLES = ("user", "agent")


def examples(path: Path) -> Iterator[Example]:
    """One example a turn of the user, with the agent's next turn as its answer.

    The relevant passages are the sections that the agent's turn refers to, where the documents
    (`multidoc2dial_doc.json`) are in the same folder. An agent that refers to nothing says that the
    documents hold no answer. The tags are the domain and, as "question_type", the dialogue act.
    """
    sections = _sections(path)
    ids, switches = Ids(), Switches()
    for domain, dialogues in json_members(path, "dial_data"):
        for dialogue in _records(dialogues, path, domain):
            name = dialogue.identity("dial_id")
            said: list[Utterance] = []
            turns = dialogue.records("turns")
            for turn, following in zip(turns, [*turns[1:], None], strict=True):
                role = turn.text("role")
                if role not in _ROLES:
                    raise turn.wrong("role", 'must be "user" or "agent"')
                if role == "user":
                    identity = ids.take(f"{name}_{turn.identity('turn_id')}", turn, "turn_id")
                    yield _example(
                        identity, name, domain, said, turn, following, sections, switches
                    )
                said.append(("user" if role == "user" else "assistant", turn.text("utterance")))


def documents(path: Path) -> Iterator[Document]:
    """The documents' sections, each as one passage with the titles above it; the id is
    the document's, with "_" for white space, and the section's."""
    found = path.parent / _DOCUMENTS
    if not found.is_file():
        return
    ids = Ids()
    for domain, held in json_members(found, "doc_data"):
        for document in _named(held, found, domain):
            seen: set[str] = set()
            for span in _named(document.values.get("spans"), found, document.place):
                section = span.identity("id_sec")
                if section in seen:
                    continue
                seen.add(section)
                identity = ids.take(_passage_id(document, section), span, "id_sec")
                titles = (document.text("title", ""), span.text("title", ""))
                title = " › ".join(dict.fromkeys(t.strip() for t in titles if t.strip()))
                yield passage(identity, span.filled("text_sec"), span, title)


def _example(
    identity: str,
    dialogue: str,
    domain: str,
    said: list[Utterance],
    turn: Record,
    following: Record | None,
    sections: dict[tuple[str, str], str],
    switches: Switches,
) -> Example:
    answered = following is not None and following.text("role") == "agent"
    references = following.records("references") if following and answered else []
    relevant: dict[str, int] = {}
    for reference in references if sections else ():
        key = (reference.identity("doc_id"), reference.identity("id_sp"))
        if key not in sections:
            raise reference.wrong("id_sp", f'is not a span of the document "{key[0]}"')
        relevant[sections[key]] = 1
    known = following if references else None
    tags = {"dialogue": dialogue, "domain": domain}
    if "da" in turn:
        tags["question_type"] = turn.text("da")
    pages = {reference.identity("doc_id") for reference in references}
    return Example(
        conversation(identity, said, turn.filled("utterance")),
        answers=(known.filled("utterance"),) if known else (),
        relevant=relevant,
        answerable=bool(references) if answered else None,
        tags={**tags, **switches.tag(dialogue, pages)},
    )


def _sections(path: Path) -> dict[tuple[str, str], str]:
    """The passage of each document's span."""
    found = path.parent / _DOCUMENTS
    sections: dict[tuple[str, str], str] = {}
    for domain, held in json_members(found, "doc_data") if found.is_file() else ():
        for document in _named(held, found, domain):
            name = document.identity("doc_id")
            for span in _named(document.values.get("spans"), found, document.place):
                identity = _passage_id(document, span.identity("id_sec"))
                sections[name, span.identity("id_sp")] = identity
    return sections


def _passage_id(document: Record, section: str) -> str:
    return solid(f"{document.identity('doc_id')}#{section}")


def _named(values: Any, path: Path, place: str) -> Iterator[Record]:
    """The objects of an object."""
    if not isinstance(values, dict) or not all(isinstance(v, dict) for v in values.values()):
        raise malformed(path, place, "must be an object of objects")
    for name, value in values.items():
        yield Record(value, path, f"{place}, {name}")


def _records(values: Any, path: Path, place: str) -> list[Record]:
    return Record({place: values}, path, '"dial_data"').records(place)


FORMAT = Format(
    name="multidoc2dial",
    title="MultiDoc2Dial: goal-oriented dialogues on several documents",
    licence="Apache-2.0",
    home="https://doc2dial.github.io/multidoc2dial/",
    recognises=with_fields("dial_data", "dial_id", "turns"),
    examples=examples,
    documents=documents,
)
