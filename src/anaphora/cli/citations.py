"""How the citations of an answer are shown: its shortest answers marked, and its sources."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from rich.style import Style
from rich.text import Text

from anaphora.cli.layout import MARKER
from anaphora.ingest.ledger import owners
from anaphora.records import Answer, Citation, Passage

SPAN = "bold green"


def marked(answer: Answer) -> Text:
    """The answer's text with the shortest answers in it marked.

    The statement of a citation is the text from the end of the mark before up to its own mark.
    """
    text = Text(answer.text, style="italic" if answer.abstained else "")
    bare = MARKER.sub(lambda marker: "\0" * len(marker[0]), answer.text)
    start = end = 0
    for place, citation in enumerate(answer.citations, 1):
        at = answer.text.find(f"[{place}]", end)
        if at < 0:
            break
        if answer.text[end:at].strip():
            start = end
        end = at + len(f"[{place}]")
        found = _shortest(citation, bare[start:at])
        if found:
            text.stylize(SPAN, start + found.start(), start + found.end())
    return text


def _shortest(citation: Citation, statement: str) -> re.Match[str] | None:
    """Where a statement that holds the quote has its shortest answer."""
    if not citation.span or not citation.answer:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, citation.answer.split())))
    found = list(pattern.finditer(statement))
    if _squeezed(citation.quote) not in _squeezed(statement):
        # The cells of a row stand after their headers.
        return found[0] if len(found) == 1 else None
    # Counted from the end: what introduces the quote may hold the same words.
    at = len(found) - len(pattern.findall(citation.quote[citation.span[0] - citation.start :]))
    return found[at] if 0 <= at < len(found) else None


def _squeezed(text: str) -> str:
    return "".join(text.replace("\0", "").split())


def code_lines(answer: Answer) -> frozenset[str]:
    """The lines of code in the quotes, without their margins."""
    return frozenset(
        line.strip()
        for citation in answer.citations
        for block in citation.blocks
        if block.kind == "code"
        for line in citation.quote[block.start : block.end].split("\n")
        if line.strip()
    )


def cited_passage(answer: Answer, citation: Citation) -> Passage | None:
    hits = answer.trace.hits if answer.trace else ()
    passages = (hit.passage for hit in hits if hit.passage.passage_id == citation.passage_id)
    return next(passages, None)


def source_line(mark: str, citation: Citation, folder: Path | None) -> Text:
    """The mark, title and place of a source, which is a link to its file where the ledger of the
    index in `folder` knows it."""
    line = Text().append(f"{mark} {citation.title or citation.doc_id}", style="bold")
    file = owners(folder, [citation.doc_id]) if folder else {}
    link = _uri(file[citation.doc_id], citation.place) if file else None
    line.append(" — ")
    line.append(citation.doc_id + _shown_place(citation.place), style=Style(link=link, dim=True))
    return line


def _uri(path: str, fragment: str) -> str:
    posix = Path(path).as_posix()
    root = "" if posix.startswith("/") else "/"
    return f"file://{root}{quote(posix, safe='/:')}" + (
        f"#{quote(fragment, '=')}" if fragment else ""
    )


def _shown_place(fragment: str) -> str:
    """
    >>> _shown_place("L12"), _shown_place("page=3"), _shown_place("install"), _shown_place("")
    (':12', ', page 3', '#install', '')
    """
    if re.fullmatch(r"L\d+", fragment):
        return f":{fragment[1:]}"
    if re.fullmatch(r"page=\d+", fragment):
        return f", page {fragment[5:]}"
    return f"#{fragment}" if fragment else ""
