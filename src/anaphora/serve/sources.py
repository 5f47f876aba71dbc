"""What citations point to: the texts of documents, and the pages of PDF files.

The text of a document is assembled from the passages of the index, so that the offsets of citations
hold even if the file has changed since. Pages are shown only of the file that was indexed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from anaphora.errors import UnreadableFile
from anaphora.index import Index
from anaphora.ingest.kinds import SUFFIXES, Kind, kind_of
from anaphora.ingest.ledger import FileRecord, digest_of, origin
from anaphora.ingest.pdf import PageBoxes, boxes, page_count, page_image
from anaphora.records import Block, Passage, Section, paragraphs
from anaphora.serve.isolated import ChildEnded, Isolated
from anaphora.serve.problems import Problem

PAGE_SECONDS: Final = 20.0
"""The longest time that one page may take to be drawn or searched."""
WAITING: Final = 8
"""Requests that wait for a page: each holds one of the threads that all routes share."""
CACHED_BYTES: Final = 64 * 2**20
"""Of drawn pages."""
CONTEXT: Final = 300
"""Characters around a quotation, which tell it from the same words elsewhere."""
_PAGES_AFTER = 2  # a paragraph is on the page where it begins, and on these at most


@dataclass(frozen=True, slots=True)
class Assembled:
    """A part of a document's text: the characters from `start` on.

    The offsets of blocks and sections are those in the whole text.
    """

    start: int
    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]


def assembled(passages: Sequence[Passage], start: int = 0) -> Assembled:
    """The text of a document from its passages, which are in their order.

    `text[passage.start - start : passage.end - start] == passage.text` for each of them. Between
    two passages there was only white space; which, is told by what is around it.

    Args:
        start: where the text begins, at or before the first passage.
    """
    parts: list[str] = []
    blocks: list[Block] = []
    sections: list[Section] = []
    end = start
    for number, passage in enumerate(passages):
        own = passage.blocks or tuple(paragraphs(passage.text, 0, len(passage.text)))
        own = tuple(
            replace(one, start=one.start + passage.start, end=one.end + passage.start)
            for one in own
        )
        gap = passage.start - end
        if blocks and own and _goes_on(blocks[-1], own[0], end, gap):
            code = own[0].kind == "code"
            parts.append("\n" + " " * (gap - 1) if code else " " * gap)
            blocks[-1] = replace(blocks[-1], end=own[0].end)
            own = own[1:]
        else:
            parts.append("\n" if gap == 1 else "\n\n" + " " * (gap - 2) if gap > 1 else "")
        if not number or passage.section != passages[number - 1].section:
            sections.append(Section(passage.start, passage.section))
        parts.append(passage.text)
        blocks += own
        end = passage.end
    return Assembled(start, "".join(parts), tuple(blocks), tuple(sections))


def _goes_on(before: Block, block: Block, end: int, gap: int) -> bool:
    """Whether a passage begins within the block with which the passage before it ends."""
    if before.end != end or block.start != end + gap or before.place != block.place:
        return False
    if (before.kind, before.depth) != (block.kind, block.depth):
        return False
    if block.kind == "code":
        return gap == 1 or gap > 2  # two blocks are two lines apart
    if block.kind in ("header", "row", "heading"):
        return False
    if block.depth:
        return block.kind == "item" and not block.marker and gap <= 1
    return gap <= 1


def kind_of_document(path: str | None) -> Kind:
    """The kind of the file of a document: by its content, or by its name if it is gone."""
    if path is None:
        return "text"
    file = Path(path)
    try:
        return kind_of(file)
    except OSError:
        return SUFFIXES.get(file.suffix.lower(), "text")


class PdfPages:
    """Pages of the PDF files of indexes. Files are read in a child process.

    Every method may be called from several threads.
    """

    def __init__(self) -> None:
        self._child = Isolated(PAGE_SECONDS)
        self._places = threading.Semaphore(WAITING)
        self._lock = threading.Lock()
        self._drawn: OrderedDict[tuple[bytes, int, int], bytes] = OrderedDict()
        self._size = 0
        self._counts: dict[bytes, int] = {}

    def close(self) -> None:
        self._child.close()

    def count(self, file: FileRecord) -> int:
        """The number of pages.

        Raises:
            Problem: the file has vanished or changed, or cannot be read.
        """
        path = self._unchanged(file)
        if file.digest not in self._counts:
            self._counts[file.digest] = self._run(page_count, path)
        return self._counts[file.digest]

    def image(self, file: FileRecord, page: int, width: int) -> bytes:
        """A page as a PNG image.

        Raises:
            Problem: there is no such page; as `count`.
        """
        path = self._unchanged(file)
        key = file.digest, page, width
        with self._lock:
            if key in self._drawn:
                self._drawn.move_to_end(key)
                return self._drawn[key]
        image: bytes | None = self._run(page_image, path, page, width)
        if image is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"{path.name} has no page {page}")
        with self._lock:
            if key not in self._drawn:
                self._drawn[key] = image
                self._size += len(image)
            while self._size > CACHED_BYTES:
                self._size -= len(self._drawn.popitem(last=False)[1])
        return image

    def boxes(
        self,
        file: FileRecord,
        passages: Sequence[Passage],
        passage: Passage,
        start: int,
        end: int,
    ) -> list[PageBoxes]:
        """Where characters of a passage are on the pages.

        Args:
            passages: those around the passage, with itself, in their order.

        Raises:
            Problem: as `count`.
        """
        path = self._unchanged(file)
        passages = passages or [passage]
        around = assembled(passages, passages[0].start)
        first = passage.start - around.start + min(start, len(passage.text))
        last = passage.start - around.start + min(end, len(passage.text))
        found: list[PageBoxes] = self._run(
            boxes,
            path,
            pages_of(passage, start, end),
            around.text[first:last],
            around.text[max(0, first - CONTEXT) : first],
            around.text[last : last + CONTEXT],
        )
        return found

    def _unchanged(self, file: FileRecord) -> Path:
        path = Path(file.path)
        try:
            stat = path.stat()
            same = (stat.st_size, stat.st_mtime_ns) == (file.size, file.mtime_ns)
            changed = not same and digest_of(path) != file.digest
        except FileNotFoundError as error:
            raise Problem(
                HTTPStatus.GONE,
                f"the file {path.name} is not where it was when it was indexed: "
                "only its text can be shown",
            ) from error
        except OSError as error:
            raise Problem(
                HTTPStatus.GONE,
                f"the file {path.name} cannot be read ({error.strerror}): "
                "only its text can be shown",
            ) from error
        if changed:
            raise Problem(
                HTTPStatus.GONE,
                f"the file {path.name} has changed since it was indexed: "
                "index it again to see its pages",
            )
        return path

    def _run(self, function: Callable[..., Any], path: Path, *arguments: Any) -> Any:
        if not self._places.acquire(blocking=False):
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS,
                "many pages are being drawn; try again in 5 s",
                {"Retry-After": "5"},
            )
        try:
            return self._child.run(function, path, *arguments)
        except UnreadableFile as error:
            raise Problem(HTTPStatus.GONE, f"the file {path.name} {error}") from error
        except (ChildEnded, MemoryError, OSError) as error:
            raise Problem(
                HTTPStatus.GONE,
                f"the pages of {path.name} cannot be drawn: only its text can be shown",
            ) from error
        finally:
            self._places.release()


def pages_of(passage: Passage, start: int, end: int) -> range:
    """The pages of a PDF that may hold characters of a passage; empty where that is not known."""
    places = [
        int(one.place.removeprefix("page="))
        for one in passage.blocks
        if one.start < end and start < one.end and one.place.startswith("page=")
    ]
    return range(min(places), max(places) + 1 + _PAGES_AFTER) if places else range(0)


def pdf_file(index: Index, doc_id: str) -> FileRecord:
    """The PDF file of a document. It is looked up, never made from the id.

    Raises:
        Problem: there is no such document, or it did not come from a PDF file that is known.
    """
    if index.document(doc_id) is None:
        raise no_document(doc_id)
    file = origin(Path(index.location), doc_id)
    if file is None or kind_of_document(file.path) != "pdf":
        raise Problem(
            HTTPStatus.NOT_FOUND, f"{doc_id!r} is not a PDF file: only its text can be shown"
        )
    return file


def no_document(doc_id: str) -> Problem:
    return Problem(HTTPStatus.NOT_FOUND, f"the index holds no document {doc_id!r}")
