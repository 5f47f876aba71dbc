"""Questions with passages that answer them and passages that do not: JSON lines for training."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from anaphora.datasets.building import (
    each_once,
    judged_question,
    language,
    lone_question,
    passage,
    solid,
    tidy,
)
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.sniffing import with_first_record
from anaphora.records import Document


def _examples(path: Path) -> Iterator[Example]:
    for number, record in enumerate(json_lines(path), 1):
        relevant = {_id(text): 0 for text in _texts(record, "negatives")}
        relevant |= {_id(text): 1 for text in _texts(record, "positives")}
        if not any(relevant.values()):
            raise record.wrong("positives", "is empty")
        lang = language(record.text("lang")) if "lang" in record else None
        question = lone_question(solid(f"{path.stem}#{number}"), record.filled("query"), lang)
        yield judged_question(question, relevant)


def _documents(path: Path) -> Iterator[Document]:
    return each_once(
        passage(_id(text), text, record)
        for record in json_lines(path)
        for name in ("positives", "negatives")
        for text in _texts(record, name)
    )


def _texts(record: Record, name: str) -> tuple[str, ...]:
    if name == "negatives" and name not in record:
        return ()
    texts = tuple(map(tidy, record.texts(name)))
    if not all(texts):
        raise record.wrong(name, "has an empty text")
    return texts


def _id(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


FORMAT = Format(
    "pairs",
    'JSON lines {"query", "positives", "negatives"?, "lang"?}',
    "yours",
    "docs/json.md",
    with_first_record("query", "positives"),
    _examples,
    _documents,
)
"""The passages are the texts of `positives` and `negatives`; of these each is judged."""
