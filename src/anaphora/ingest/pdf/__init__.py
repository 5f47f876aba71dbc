"""PDF files: the text layer.

`letters` reads the characters, `pages` measures the lines, `furniture` leaves out what is repeated,
`layout` finds what belongs together, `headings` and `elements` make the structure, `boxes` finds a
quotation again, and `rendering` draws pages.

PDFium is not safe for threads: a process may use it in one thread at a time.
"""

from __future__ import annotations

from pathlib import Path

from anaphora.ingest.content import Content
from anaphora.ingest.pdf.boxes import Box, PageBoxes, boxes
from anaphora.ingest.pdf.elements import Elements
from anaphora.ingest.pdf.furniture import drop_contents, drop_repeated
from anaphora.ingest.pdf.headings import bookmarks, large_lines, title_line
from anaphora.ingest.pdf.layout import find_margins
from anaphora.ingest.pdf.pages import lines_of, opened, title_of, usual_size
from anaphora.ingest.pdf.rendering import page_count, page_image

__all__ = ["Box", "PageBoxes", "boxes", "page_count", "page_image", "read_pdf"]


def read_pdf(path: Path) -> Content:
    """Reads the text of the pages, with lines joined to paragraphs and hyphenated words to words.

    Bookmarks are the headings, and lines that look like theirs. The title is the declared one, the
    largest text on the first page or the bookmark above all others.
    A PDF of several pages without bookmarks has a section for each page ("p. 12"). Lines that are
    repeated at the top or bottom of most pages are omitted.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
    """
    with opened(path) as pdf:
        pages = [lines_of(pdf, number) for number in range(len(pdf))]
        headings, root = bookmarks(pdf)
        title = title_of(pdf)
    usual = usual_size(pages)
    if headings and pages:
        title = title or title_line(pages[0], usual) or root
    for page in pages:
        find_margins(page)
    drop_repeated(pages, usual)
    drop_contents(pages)
    if not headings:
        headings = large_lines(pages, usual)
    return Content(Elements(usual).read(pages, headings), title)
