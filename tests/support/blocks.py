"""What holds of the blocks of every document, and generated documents to try it on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hypothesis import strategies as st

from anaphora.ingest.content import Composed, Element, compose
from anaphora.ingest.splitting import split
from anaphora.records import Document

WORDS = [
    "pump", "lid", "naïve", "Saft", "насос", "крышка", "水泵", "停止する", "ポンプ", "ปั๊ม", "مضخة",
    "غطاء", "Máy", "bơm", "İğne", "펌프", "हवा",
]  # fmt: skip
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"[\w\u0e31-\u0e4e\u064b-\u0652\u0900-\u0963]+")


def check_blocks(elements: Iterable[Element]) -> Composed:
    """Composes a document and checks that its blocks cover all text but white space, in order."""
    composed = compose(elements)
    text, _, blocks = composed
    end = 0
    for block in blocks:
        assert end <= block.start < block.end <= len(text)
        assert text[end : block.start].isspace() == (block.start > end)
        own = text[block.start : block.end]
        assert own == own.strip("\n") != ""
        assert block.depth >= 0
        assert not block.marker or block.kind == "item"
        assert not block.header or block.kind == "row"
        end = block.end
    assert end == len(text)
    check_passages(composed)
    return composed


def check_passages(composed: Composed) -> None:
    """Checks that passages hold all text once, and their blocks the blocks' text."""
    source = Document("d", "T", composed.text, "en", composed.sections, blocks=composed.blocks)
    passages = split(source)
    assert "".join(part.text for part in passages).split() != [] or not composed.text
    joined = "".join("".join(part.text.split()) for part in passages)
    assert joined == "".join(composed.text.split())
    for part in passages:
        assert source.text[part.start : part.end] == part.text
        covered = "".join(part.text[block.start : block.end] for block in part.blocks)
        assert "".join(covered.split()) == "".join(part.text.split())


def check_words(composed: Composed, source: Iterable[str]) -> None:
    """Checks that each word of the source is in the text, or in a heading."""
    held = set(_WORD.findall(composed.text))
    held.update(
        word
        for section in composed.sections
        for part in section.path
        for word in _WORD.findall(part)
    )
    missing = {word for text in source for word in _WORD.findall(text)} - held
    # Lines in Chinese and Japanese are joined without a space.
    assert not [word for word in missing if not (_EAST_ASIAN.match(word) and word in composed.text)]
