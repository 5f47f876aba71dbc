"""One guide in several languages and file formats, as files."""

from __future__ import annotations

import re
import textwrap
from html import escape
from pathlib import Path

from support import ingest_files, procedures
from support.ingest_files import paragraph

LANGUAGES = sorted({*procedures.QUESTIONS, "en"})
FORMATS = ("html", "md", "pdf", "docx", "epub", "txt")
WIDTH = {"ja": 40, "zh": 40, "th": 70}
_ENGLISH = "In step {n} open the lid of the {part}, read the pressure gauge and note the value. "
_ENGLISH_PARTS = ["pump", "valve", "filter", "tank", "motor", "pipe", "battery"]


def sentences(lang: str, first: int, count: int) -> str:
    """A paragraph of different sentences."""
    step = _ENGLISH if lang == "en" else procedures.STEPS[lang]
    parts = _ENGLISH_PARTS if lang == "en" else procedures.PARTS[lang]
    text = (step.format(n=n, part=parts[n % len(parts)]) for n in range(first, first + count))
    return "".join(text).strip()


def sections(lang: str) -> list[tuple[str, list[str], list[str]]]:
    """Headings with their paragraphs and the items of a list; the last section is long."""
    return [
        (f"1887 {lang} A", [sentences(lang, 1, 3), sentences(lang, 4, 2)], []),
        (f"1888 {lang} B", [sentences(lang, 6, 1)], [sentences(lang, n, 1) for n in (7, 8, 9)]),
        (f"1889 {lang} C", [sentences(lang, 10, 16)], []),
    ]


def write_library(folder: Path) -> Path:
    """Writes the guide of each language in each format into a new folder."""
    folder.mkdir(parents=True)
    for lang in LANGUAGES:
        for kind in FORMATS:
            write(folder / f"{lang}.{kind}", kind, lang)
    return folder


def write(path: Path, kind: str, lang: str) -> Path:
    parts = sections(lang)
    if kind == "pdf":
        pages = [
            ["".join(line[at] for at in drawn(line, lang)) for line in page]
            for page in pdf_pages(lang)
        ]
        return ingest_files.pdf(path, pages, [(f"Guide {lang}", 0)], path.stem)
    if kind == "docx":
        body = ""
        for heading, paragraphs, items in parts:
            body += paragraph(heading, properties='<w:outlineLvl w:val="0"/>')
            body += "".join(paragraph(text) for text in (*paragraphs, *items))
        return ingest_files.docx(path, body)
    html = "".join(
        f"<h1>{heading}</h1>"
        + "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
        + (f"<ol>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ol>" if items else "")
        for heading, paragraphs, items in parts
    )
    if kind == "epub":
        return ingest_files.epub(path, {"a.xhtml": html}, title=path.stem, lang=lang)
    if kind == "html":
        text = f'<!doctype html><html lang="{lang}"><body>{html}</body></html>'
    else:
        text = ""
        for heading, paragraphs, items in parts:
            text += f"# {heading}\n\n" if kind == "md" else f"{heading}\n======\n\n"
            text += "".join(f"{textwrap.fill(one, 70)}\n\n" for one in paragraphs)
            text += "".join(f"{n}. {one}\n" for n, one in enumerate(items, 1)) + "\n"
    path.write_text(text, "utf-8")
    return path


def pdf_pages(lang: str) -> list[list[str]]:
    """The lines of the pages: the last paragraph crosses from one page to the next."""
    lines: list[str] = []
    for _, paragraphs, items in sections(lang):
        for text in (*paragraphs, *items):
            lines += [*wrapped(text, lang), ""]
    half = len(lines) - 1 - len(wrapped(sections(lang)[-1][1][0], lang)) // 2
    return [lines[:half], lines[half:-1]]


def pdf_letters(lang: str) -> list[list[tuple[int, int, str]]]:
    """The letters of the pages in the order of reading: the row and the column of each."""
    return [
        [
            (row, column, line[at])
            for row, line in enumerate(page)
            for column, at in sorted(enumerate(drawn(line, lang)), key=lambda one: one[1])
            if not line[at].isspace()
        ]
        for page in pdf_pages(lang)
    ]


def drawn(line: str, lang: str) -> list[int]:
    """The characters of a line from left to right: Arabic from its end, except for numbers."""
    order = list(range(len(line)))
    if lang == "ar":
        order.reverse()
        for number in re.finditer(r"\d+", line):
            first = len(line) - number.end()
            order[first : first + len(number[0])] = range(*number.span())
    return order


def wrapped(text: str, lang: str) -> list[str]:
    """The lines of a paragraph. Lines of scripts without spaces end between any two words."""
    width = WIDTH.get(lang, 90)
    if lang in ("ja", "zh"):
        return [text[at : at + width] for at in range(0, len(text), width)]
    return textwrap.wrap(text, width)
