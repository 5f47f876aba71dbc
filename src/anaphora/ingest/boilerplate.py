"""Text that the pages of a collection repeat: navigation without markup, licence and page lines.

Only what stands at the beginning or the end of pages is left out, because a sentence that pages
repeat between others, such as a warning, belongs to what they say. One page keeps it, so that no
question about a licence loses its answer.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import TypeAlias

from anaphora.errors import UnreadableFile
from anaphora.ingest.kinds import SUFFIXES
from anaphora.ingest.reading import read
from anaphora.ingest.walk import Found
from anaphora.records import Block, Document, Section

Repeated: TypeAlias = Mapping[str, str]
"""The texts of blocks that pages repeat, and the id of the document that keeps each."""

SAMPLE = 40
"""Pages of a folder that are compared."""
_PAGES = frozenset({"html", "markdown"})
_LARGEST = 1 << 20
"""Bytes of the largest page that is compared."""
_EDGE = 4
"""Blocks at each end of a page that are compared."""
_FEWEST = 5
_PART = 0.4
"""A block is repeated if at least `_FEWEST` of the pages in a language, and this part of them, have
it at the same end."""


def sampled(files: Iterable[Found]) -> list[Found]:
    """The pages that are compared: for each folder that was indexed the same ones as long as they
    exist, wherever other files come and go."""
    roots: dict[str, list[Found]] = defaultdict(list)
    for file in files:
        if SUFFIXES.get(file.path.suffix.lower()) in _PAGES and file.size <= _LARGEST:
            roots[file.root].append(file)
    return [
        file
        for found in roots.values()
        if len(found) >= _FEWEST
        for file in sorted(found, key=lambda one: _digest(one.doc_id))[:SAMPLE]
    ]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest()


def repeated(files: Iterable[Found]) -> dict[str, Repeated]:
    """What many pages begin or end with, by the folder that was indexed.

    Pages that cannot be read are left out.
    """
    documents: dict[str, list[Document]] = defaultdict(list)
    for file in files:
        try:
            found = [one for one in read(file.path, file.doc_id) if isinstance(one, Document)]
        except UnreadableFile:
            continue
        documents[file.root] += found
    return {root: texts for root, pages in documents.items() if (texts := shared(pages))}


def shared(documents: Iterable[Document]) -> dict[str, str]:
    """The texts of blocks that many of the documents begin or end with, and the first one of each
    by id."""
    documents = sorted(documents, key=lambda document: document.doc_id)
    pages = Counter(document.lang for document in documents)
    holders: dict[tuple[str, bool, str], list[str]] = defaultdict(list)
    for document in documents:
        blocks = document.blocks
        for at_end, edge in ((False, blocks[:_EDGE]), (True, blocks[-_EDGE:])):
            for text in {_folded(document.text[block.start : block.end]) for block in edge}:
                holders[document.lang, at_end, text].append(document.doc_id)
    found: dict[str, str] = {}
    for (lang, _, text), doc_ids in holders.items():
        if len(doc_ids) >= max(_FEWEST, _PART * pages[lang]):
            found[text] = min(doc_ids[0], found.get(text, doc_ids[0]))
    return found


def without(document: Document, texts: Repeated) -> Document:
    """The document without the blocks of these texts at its beginning and its end, but with those
    that it keeps; the document itself if nothing else is in it."""
    if not texts or document.whole:
        return document

    def is_repeated(block: Block) -> bool:
        keeper = texts.get(_folded(document.text[block.start : block.end]), document.doc_id)
        return keeper != document.doc_id

    blocks = document.blocks
    first = sum(1 for _ in takewhile(is_repeated, blocks))
    last = len(blocks) - sum(1 for _ in takewhile(is_repeated, reversed(blocks)))
    if first >= last or (first == 0 and last == len(blocks)):
        return document
    start, end = blocks[first].start, blocks[last - 1].end
    before = [section for section in document.sections if section.start <= start]
    inside = [section for section in document.sections if start < section.start < end]
    return replace(
        document,
        text=document.text[start:end],
        sections=(
            *(Section(0, section.path) for section in before[-1:]),
            *(Section(section.start - start, section.path) for section in inside),
        ),
        blocks=tuple(block.within(start, end) for block in blocks[first:last]),
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
