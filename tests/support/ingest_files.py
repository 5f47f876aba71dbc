"""Small files of every format, made from nothing but the standard library."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pdf(
    path: Path,
    pages: Sequence[Sequence[str]],
    outline: Sequence[tuple[str, int]] = (),
    title: str = "",
    encrypted: bool = False,
) -> Path:
    """A PDF with one line of text for each string; `outline` holds titles and page numbers from 0.
    Titles that begin with "\\t" are below the first one.

    "\\v" at the start of a line puts it and those after it at the top of a second column. "\\t"
    sets off a column of a table, 80 points from the last one. "\\f" at the start of a line doubles
    the size of its font.

    The font names Unicode characters through a ToUnicode map, so any script can be written.
    """
    characters = sorted(
        {char for page in pages for line in page for char in line if char not in "\t\v\f"}
    )
    codes = {char: number for number, char in enumerate(characters, 1)}
    maps = "\n".join(
        f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for char, code in codes.items()
    )
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{maps}\nendbfchar\nendcmap end end"
    )
    objects: list[str] = [""] * 6
    kids = []
    for page in pages:
        content = ["BT /F1 10 Tf 14 TL 50 780 Td"]
        for number, line in enumerate(page):
            if line.startswith("\v"):
                content.append(f"250 {14 * number} Td")
            if line.startswith("\f"):
                content.append("/F1 20 Tf")
            cells = line.lstrip("\v\f").split("\t")
            for cell in cells:
                content.append("<" + "".join(f"{codes[char]:04x}" for char in cell) + "> Tj")
                content.append("80 0 Td")
            content.append(f"/F1 10 Tf {-80 * len(cells)} 0 Td T*")
        content.append("ET")
        stream = "\n".join(content)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(len(objects))
    outlines = ""
    if outline:
        root = len(objects) + 1
        outlines = f"/Outlines {root} 0 R"
        tops = [at for at, (heading, _) in enumerate(outline) if not heading.startswith("\t")]
        below = [at for at in range(len(outline)) if at not in tops]
        objects.append(_ends(root, tops))
        for at, (heading, page_number) in enumerate(outline):
            family = below if at in below else tops
            following = f"/Next {root + 1 + at + 1} 0 R" if at + 1 in family else ""
            children = _ends(root, below) if at == 0 and below else ""
            name = (b"\xfe\xff" + heading.strip().encode("utf-16-be")).hex()
            objects.append(
                f"<< /Title <{name}> /Parent {root + (at in below)} 0 R {following} "
                f"/Dest [{kids[page_number]} 0 R /Fit] {children.strip('<>')} >>"
            )
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {outlines} >>"
    references = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Kids [{references}] /Count {len(kids)} >>"
    objects[2] = (
        "<< /Type /Font /Subtype /Type0 /BaseFont /Sans /Encoding /Identity-H "
        "/DescendantFonts [4 0 R] /ToUnicode 5 0 R >>"
    )
    objects[3] = (
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Sans /DW 500 "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    )
    objects[4] = f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream"
    name = (b"\xfe\xff" + title.encode("utf-16-be")).hex()
    objects[5] = f"<< /Title <{name}> >>"
    return _written(path, objects, encrypted)


def _ends(root: int, bookmarks: Sequence[int]) -> str:
    first, last = root + 1 + bookmarks[0], root + 1 + bookmarks[-1]
    return f"<< /First {first} 0 R /Last {last} 0 R /Count {len(bookmarks)} >>"


def drawn_pdf(path: Path, *operators: str) -> Path:
    """A PDF with one page in Helvetica (F1, at 10 points) and Helvetica-Bold (F2)."""
    stream = "\n".join(["BT /F1 10 Tf", *operators, "ET"])
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
        "/Resources << /Font << /F1 3 0 R /F2 7 0 R >> >> /Contents 4 0 R >>",
        "<< >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    return _written(path, objects, encrypted=False)


def _written(path: Path, objects: Sequence[str], encrypted: bool) -> Path:
    body = b"%PDF-1.4\n"
    offsets = []
    for number, source in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{source}\nendobj\n".encode("latin-1")
    start = len(body)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    key = "aa" * 32
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -4 >>"
    body += (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 6 0 R "
        f"/ID [<{key}> <{key}>] {lock if encrypted else ''} >>\nstartxref\n{start}\n%%EOF\n"
    ).encode("latin-1")
    path.write_bytes(body)
    return path


def archive(path: Path, members: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            # The type of an e-book stands uncompressed at the head of the file.
            file.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return path


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    if style:
        properties = f'<w:pStyle w:val="{style}"/>' + properties
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def docx(path: Path, body: str, **members: str) -> Path:
    """A DOCX with this XML in its body; `members` are `styles` or `footnotes` and their XML."""
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
    }
    for name, content in members.items():
        files[f"word/{name}.xml"] = f"<w:{name} {W}>{content}</w:{name}>"
    return archive(path, files)


def epub(
    path: Path, pages: dict[str, str], title: str = "", lang: str = "", contents: str = ""
) -> Path:
    """An EPUB with these XHTML bodies, in this order; `contents` is the body of its NCX file."""
    items = "".join(
        f'<item id="i{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(pages)
    )
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(len(pages)))
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    files: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "OPS/toc.ncx": f"<ncx><navMap>{contents}</navMap></ncx>",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
        "</rootfiles></container>",
        "OPS/book.opf": f"<package><metadata><dc:title>{title}</dc:title>"
        f"<dc:language>{lang}</dc:language></metadata><manifest>{items}</manifest>"
        f"<spine>{spine}</spine></package>",
    }
    for name, body in pages.items():
        files[f"OPS/{name}"] = (
            '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
            f"<head><title/></head><body>{body}</body></html>"
        )
    return archive(path, files)


def odt(path: Path, body: str, styles: str = "", meta: str = "", **members: str | bytes) -> Path:
    """An ODT with this XML in its body, and in its styles and metadata."""
    space = " ".join(
        f'xmlns:{name}="{name}"' for name in ["office", "style", "text", "table", "draw", "fo"]
    )
    files: dict[str, str | bytes] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {space}><office:automatic-styles/>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {space}>{styles}</office:document-styles>",
        "meta.xml": f'<office:meta {space} xmlns:dc="dc">{meta}</office:meta>',
    }
    files |= {name.replace("__", "/") + ".xml": content for name, content in members.items()}
    return archive(path, files)
