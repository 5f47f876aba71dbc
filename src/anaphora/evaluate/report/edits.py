"""A question and its rewrite as one text: what was kept, inserted and deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from anaphora.language import scripts
from anaphora.records import Edit, Rewrite


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, and for what was inserted the index of the turn it came from."""

    kind: Literal["keep", "insert", "delete"]
    text: str
    source_turn: int | None = None


def marked(question: str, rewrite: Rewrite) -> tuple[Piece, ...]:
    """The pieces in reading order.

    Those kept or deleted make up the question, those kept or inserted the rewrite. They are the
    rewriter's own edits where these turn the one into the other (up to white space), and otherwise
    the difference between the two texts.

    >>> edit = Edit("replace", "The Mothers", 0, 9, "they")
    >>> rewrite = Rewrite("When did The Mothers end?", "en", (edit,))
    >>> for piece in marked("When did they end?", rewrite):
    ...     print(piece.kind, repr(piece.text), piece.source_turn)
    keep 'When did ' None
    delete 'they' None
    insert 'The Mothers' 0
    keep ' end?' None
    """
    reported = _applied(question, rewrite.edits)
    pieces = _aligned(reported, rewrite.text) if reported else None
    return tuple(_merged(pieces or _different(question, rewrite)))


def _applied(question: str, edits: Sequence[Edit]) -> list[Piece] | None:
    """The pieces that follow from the edits; None where an edit does not fit the question."""
    pieces: list[Piece] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.position):
        deleted = edit.text if edit.kind == "delete" else edit.replaced
        if edit.position < at or not question.startswith(deleted, edit.position):
            return None
        pieces.append(Piece("keep", question[at : edit.position]))
        pieces.append(Piece("delete", deleted))
        if edit.kind != "delete":
            pieces.append(Piece("insert", edit.text, edit.source_turn))
        at = edit.position + len(deleted)
    if at > len(question):
        return None
    return [*pieces, Piece("keep", question[at:])]


def _aligned(pieces: Sequence[Piece], rewrite: str) -> list[Piece] | None:
    """The pieces with the white space that the rewriter added or left out between them; None where
    more than that differs."""
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        if piece.kind == "delete" or not piece.text:
            found.append(piece)
            continue
        text = piece.text
        if not rewrite.startswith(text, at):
            space = _space(rewrite, at)
            found.append(Piece("insert", space))
            at += len(space)
        if not rewrite.startswith(text, at) and piece.kind == "keep":
            space = _space(text, 0)
            found.append(Piece("delete", space))
            text = text[len(space) :]
        if not rewrite.startswith(text, at):
            return None
        found.append(Piece(piece.kind, text, piece.source_turn))
        at += len(text)
    rest = rewrite[at:]
    return None if rest.strip() else [*found, Piece("insert", rest)]


def _space(text: str, at: int) -> str:
    rest = text[at:]
    return rest[: len(rest) - len(rest.lstrip())]


def _different(question: str, rewrite: Rewrite) -> Iterator[Piece]:
    """The difference in words, or in characters where writing puts no spaces between words."""
    old, new = _tokens(question), _tokens(rewrite.text)
    matcher = SequenceMatcher(None, old, new)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("keep", "".join(old[start:end]))
            continue
        yield Piece("delete", "".join(old[start:end]))
        text = "".join(new[new_start:new_end])
        yield Piece("insert", text, _source(text, rewrite.edits))


def _source(text: str, edits: Sequence[Edit]) -> int | None:
    words = text.strip()
    found = (edit for edit in edits if edit.kind != "delete" and words and words in edit.text)
    return next((edit.source_turn for edit in found), None)


def _merged(pieces: Sequence[Piece] | Iterator[Piece]) -> Iterator[Piece]:
    """Without empty pieces, and neighbours alike as one."""
    last: Piece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if last and (last.kind, last.source_turn) == (piece.kind, piece.source_turn):
            last = Piece(last.kind, last.text + piece.text, last.source_turn)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _tokens(text: str) -> list[str]:
    return _token().findall(text)


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    marks = scripts.mark_class()
    unspaced = "".join(
        (scripts.HAN, scripts.KANA, scripts.THAI, scripts.LAO, scripts.MYANMAR, scripts.KHMER)
    )
    return re.compile(
        rf"\s+|[{unspaced}][{marks}]*|(?:(?![{unspaced}])[\w{marks}])+|.[{marks}]*", re.DOTALL
    )
