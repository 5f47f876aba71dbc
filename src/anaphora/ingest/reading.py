"""Reads a file into documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import Content, Skipped, clean, compose, unwrap
from anaphora.ingest.kinds import Kind, kind_of
from anaphora.ingest.questions import with_questions
from anaphora.ingest.walk import path_text
from anaphora.language import identify
from anaphora.records import UNKNOWN, Document

_LANG = re.compile(r"[A-Za-z]{2,3}(?=$|[-_])")
_LONGEST_TITLE = 300
_CHAPTERS: frozenset[Kind] = frozenset({"pdf", "docx", "odt"})
_NO_TEXT: dict[Kind, str] = {
    "html": "holds no text besides navigation",
    "pdf": "holds no text (a scan?)",
}


def read(path: Path, doc_id: str) -> Iterator[Document | Skipped]:
    """Yields the documents of a file: one, or for JSON lines one for each record.

    An invalid record of JSON lines yields a `Skipped`, and the others are read.

    Raises:
        UnreadableFile: nothing can be read. The message is the reason without the file's name.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "guide.md"
    >>> _ = path.write_text("# Guide\\n\\nAttach the disk to port A, then press the key.")
    >>> [document] = read(path, "docs/guide.md")
    >>> document.title, document.text[:15]
    ('Guide', 'Attach the disk')
    """
    try:
        kind = kind_of(path)
        if kind == "records":
            from anaphora.ingest.records import read_records

            yield from read_records(path, doc_id)
        else:
            yield _document(path, doc_id, kind)
    except OSError as error:
        denied = isinstance(error, PermissionError)
        reason = "permission denied" if denied else error.strerror or str(error)
        raise UnreadableFile(f"cannot be read ({reason})") from error
    except MemoryError as error:
        raise UnreadableFile("is too large for this machine's memory") from error


def document_language(text: str, declared: str = "") -> str:
    """The identified language of the text, or else the declared one ("pt" for "pt-BR")."""
    found = identify(text)
    if found == UNKNOWN:
        match = _LANG.match(declared.strip())
        return match[0].lower() if match else UNKNOWN
    return found


def _document(path: Path, doc_id: str, kind: Kind) -> Document:
    content = _content(path, kind)
    text, sections, blocks = compose(with_questions(content.elements))
    if not text:
        raise UnreadableFile(_NO_TEXT.get(kind, "holds no text"))
    tops = list(dict.fromkeys(section.path[0] for section in sections if section.path))
    # The headings of a long document are its chapters, and rarely its title.
    first = "" if kind in _CHAPTERS and len(tops) > 1 else next(iter(tops), "")
    title = unwrap(clean(content.title)) or first
    return Document(
        doc_id=doc_id,
        title=title[:_LONGEST_TITLE] or path_text(path.stem),
        text=text,
        lang=document_language(text, content.lang),
        sections=sections,
        metadata=content.metadata,
        blocks=blocks,
    )


def _content(path: Path, kind: Kind) -> Content:
    # Readers are imported when the first file needs them.
    if kind == "html":
        from anaphora.ingest.html import read_html

        return read_html(path.read_bytes())
    if kind == "markdown":
        from anaphora.ingest.markdown import read_markdown

        return read_markdown(path.read_bytes())
    if kind == "pdf":
        from anaphora.ingest.pdf import read_pdf

        return read_pdf(path)
    if kind == "docx":
        from anaphora.ingest.docx import read_docx

        return read_docx(path)
    if kind == "odt":
        from anaphora.ingest.odt import read_odt

        return read_odt(path)
    if kind == "epub":
        from anaphora.ingest.epub import read_epub

        return read_epub(path)
    from anaphora.ingest.plain import read_plain

    return read_plain(path.read_bytes())
