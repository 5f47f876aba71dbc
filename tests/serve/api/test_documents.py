"""Documents over HTTP: lists, texts with the quotes of citations in their places, pages, boxes."""

from __future__ import annotations

import shutil
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from support import ingest_files
from support.library import FORMATS, LANGUAGES, pdf_letters, write_library

from anaphora.index import open_index
from anaphora.ingest import read, split
from anaphora.ingest.update import update
from anaphora.read.extracts import extract
from anaphora.records import Document, Passage, Span
from anaphora.serve.app import create_app
from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.settings import ServeSettings
from anaphora.serve.sources import assembled

LINE = 14  # points between the lines of a PDF of the tests
GLYPH = 5  # points of a character


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the guide in every language and format, beside its index."""
    folder = write_library(tmp_path_factory.mktemp("library") / "guide")
    update(folder.parent / "index", [folder], None)
    return folder


@pytest.fixture(scope="module")
def reader(library: Path) -> Iterator[TestClient]:
    """A client of a server over the library, without models."""
    plain = {"rerank": {"method": "none"}}
    settings = ServeSettings(port=0, folder=library.parent / "data")
    services = build_services(
        settings, {"library": library.parent / "index"}, configurations(plain, {})
    )
    client = TestClient(create_app(services), base_url="http://127.0.0.1")
    client.get("/start", params={"token": services.sessions.start_token()})
    yield client
    services.close()


def get(client: TestClient, what: str, **parameters: Any) -> Any:
    response = client.get(f"/api/v1/indexes/library/{what}", params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def quotes(passage: Passage) -> list[tuple[int, int]]:
    """What readers cite of a passage: the extracts around several words."""
    words = range(0, len(passage.text), max(1, len(passage.text) // 4))
    found = {extract(passage, [Span(at, at + 1, 1.0)], 120) for at in words}
    return sorted({*found, (0, len(passage.text))})


def test_200_citations_are_found_in_their_places(library: Path, reader: TestClient) -> None:
    index = open_index(library.parent / "index")
    found = 0
    for lang in LANGUAGES:
        for kind in FORMATS:
            doc_id = f"guide/{lang}.{kind}"
            form = get(reader, "document", doc_id=doc_id)
            assert form["kind"] == {"md": "markdown", "txt": "text"}.get(kind, kind)
            text = form["text"]
            for passage in index.passages_of(doc_id):
                for start, end in quotes(passage):
                    first = passage.start + start
                    last = passage.start + end
                    assert text[first:last] == passage.text[start:end]
                    inside = [b for b in form["blocks"] if b["start"] < last and first < b["end"]]
                    shown = "".join(text[b["start"] : b["end"]] for b in inside)
                    assert "".join(text[first:last].split()) in "".join(shown.split())
                    found += 1
    index.close()
    assert found >= 400


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_from_the_index_is_that_of_the_file(library: Path, lang: str, kind: str) -> None:
    (document,) = read(library / f"{lang}.{kind}", "a")
    assert isinstance(document, Document)
    part = assembled(split(document))
    assert part.text == document.text
    assert [(b.kind, b.start, b.end) for b in part.blocks] == [
        (b.kind, b.start, b.end) for b in document.blocks
    ]
    assert part.sections == document.sections


Place = tuple[int, float, float]
"""A page, and the left end and the base line of a letter on it."""


def places_of_letters(lang: str, text: str) -> list[Place | None]:
    """Where each character of the guide's text was drawn."""
    letters = "".join(char for page in pdf_letters(lang) for _, _, char in page)
    places = [
        (number, 50.0 + GLYPH * column, 780.0 - LINE * row)
        for number, page in enumerate(pdf_letters(lang), 1)
        for row, column, _ in page
    ]
    found: list[Place | None] = []
    last = 0
    for line in text.splitlines(keepends=True):  # the pages have the numbers of items besides
        last = letters.index("".join(line.split()), last)
        for char in line:
            found.append(None if char.isspace() else places[last])
            last += not char.isspace()
    return found


def true_boxes(places: list[Place | None]) -> dict[int, list[tuple[float, float, float]]]:
    """Left and right ends and base lines of the lines of letters, by page."""
    lines: dict[tuple[int, float], list[float]] = {}
    for place in places:
        if place:
            lines.setdefault((place[0], place[2]), []).append(place[1])
    found: dict[int, list[tuple[float, float, float]]] = {}
    for (page, base), lefts in lines.items():
        found.setdefault(page, []).append((min(lefts), max(lefts) + GLYPH, base))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_boxes_overlap_the_words_of_the_quote(library: Path, reader: TestClient, lang: str) -> None:
    index = open_index(library.parent / "index")
    crossing = 0
    passages = index.passages_of(f"guide/{lang}.pdf")
    letters = places_of_letters(lang, assembled(passages).text)
    for passage in passages:
        for start, end in quotes(passage):
            place = {"passage_id": passage.passage_id, "start": start, "end": end}
            pages = get(reader, "boxes", **place)["pages"]
            truth = true_boxes(letters[passage.start + start : passage.start + end])
            assert [one["page"] for one in pages] == list(truth)
            crossing += len(pages) > 1
            common = every = 0.0
            for page in pages:
                boxes = sorted(page["boxes"], key=lambda box: -box[1])
                words = truth[page["page"]]
                assert len(boxes) == len(words)
                for (left, bottom, right, top), (first, last, base) in zip(
                    boxes, words, strict=True
                ):
                    common += min(right, last) - max(left, first)
                    every += max(right, last) - min(left, first)
                    assert base - LINE < bottom < top < base + LINE
            assert common / every >= 0.95, (passage.text[start:end], pages, truth)
    index.close()
    assert crossing or lang in ("th", "tr")  # there a passage ends with its page


def test_documents_are_listed_and_filtered(reader: TestClient) -> None:
    form = get(reader, "documents", limit=20)
    listed = form["documents"]
    while form["next"]:
        form = get(reader, "documents", limit=20, after=form["next"])
        listed += form["documents"]
    ids = sorted(f"guide/{lang}.{kind}" for lang in LANGUAGES for kind in FORMATS)
    assert [one["doc_id"] for one in listed] == ids
    assert all(one["passages"] > 0 for one in listed)
    kinds = {one["doc_id"]: one["kind"] for one in listed}
    assert (kinds["guide/vi.pdf"], kinds["guide/zh.md"]) == ("pdf", "markdown")
    some = get(reader, "documents", q="TH.")["documents"]
    assert [one["doc_id"] for one in some] == [f"guide/th.{kind}" for kind in sorted(FORMATS)]


def test_a_part_of_a_long_text(library: Path, reader: TestClient) -> None:
    whole = get(reader, "document", doc_id="guide/ja.md")
    part = get(reader, "document", doc_id="guide/ja.md", start=300, size=100)
    assert part["length"] == whole["length"] == len(whole["text"])
    start, end = part["start"], part["start"] + len(part["text"])
    assert 0 < start <= 300
    assert 400 <= end < part["length"]
    assert whole["text"][start:end] == part["text"]
    assert part["blocks"][0]["start"] == start


def test_a_passage(library: Path, reader: TestClient) -> None:
    index = open_index(library.parent / "index")
    passage = index.passages_of("guide/ar.html")[1]
    index.close()
    form = get(reader, "passage", passage_id=passage.passage_id)
    assert (form["text"], form["start"]) == (passage.text, passage.start)
    assert form["section"] == list(passage.section)


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """The size of an image and its bytes of red, green and blue."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        body = png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size) == (zlib.crc32(name + body),)
        if name == b"IHDR":
            width, height = struct.unpack_from(">II", body)
        data += body if name == b"IDAT" else b""
        at += 12 + size
    return width, height, zlib.decompress(data)


def test_a_page_is_drawn(reader: TestClient) -> None:
    place = {"doc_id": "guide/en.pdf", "page": 1}
    url = "/api/v1/indexes/library/page"
    response = reader.get(url, params={**place, "width": 300})
    assert response.headers["content-type"] == "image/png"
    width, height, data = pixels(response.content)
    assert (width, round(height * 595 / 842 / 300, 2)) == (300, 1)
    assert len(data) == height * (1 + 3 * width)
    assert reader.get(url, params={**place, "page": 3}).status_code == 404
    assert reader.get(url, params={**place, "width": 2001}).status_code == 422
    assert get(reader, "document", doc_id="guide/en.pdf")["pages"] == 2


@pytest.mark.parametrize("what", ["document", "page", "boxes", "passage"])
@pytest.mark.parametrize(
    "doc_id",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "guide/../guide/en.pdf",
        "nul\x00",
        "\u202een.pdf",
    ],
)
def test_a_document_is_looked_up_and_never_a_path(
    reader: TestClient, what: str, doc_id: str
) -> None:
    parameters = {"doc_id": doc_id, "passage_id": f"{doc_id}#1", "page": 1, "start": 0, "end": 1}
    response = reader.get(f"/api/v1/indexes/library/{what}", params=parameters)
    assert response.status_code == 404
    assert "root:" not in response.text


def test_pages_only_of_pdf_files(reader: TestClient) -> None:
    parameters = {"doc_id": "guide/en.md", "page": 1}
    response = reader.get("/api/v1/indexes/library/page", params=parameters)
    assert response.status_code == 404
    assert response.json()["detail"] == (
        "'guide/en.md' is not a PDF file: only its text can be shown"
    )


@pytest.fixture
def marina(client: TestClient, corpus: Path, index: Path, tmp_path: Path) -> Iterator[Path]:
    """The PDF file of the shared corpus, which the test may change."""
    path = corpus / "rules.pdf"
    before, times = path.read_bytes(), path.stat()
    yield path
    path.write_bytes(before)
    shutil.os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("change", ["vanished", "changed", "touched"])
def test_a_file_that_is_another_by_now(client: TestClient, marina: Path, change: str) -> None:
    doc_id = "documents/rules.pdf"
    if change == "vanished":
        marina.unlink()
    elif change == "changed":
        ingest_files.pdf(marina, [["Another text."]])
    else:
        marina.touch()
    base = "/api/v1/indexes/harbour"
    form = client.get(f"{base}/document", params={"doc_id": doc_id}).json()
    assert "five knots" in form["text"]
    page = client.get(f"{base}/page", params={"doc_id": doc_id, "page": 1})
    if change == "touched":
        assert (form["pages"], form["notice"], page.status_code) == (2, "", 200)
        return
    assert (form["pages"], page.status_code) == (None, 410)
    assert page.json()["detail"] == form["notice"]
    assert "rules.pdf" in form["notice"]


def test_citations_of_answers_open_at_their_quotes(client: TestClient) -> None:
    answer = client.post(
        "/api/v1/ask", json={"question": "How much does a day ticket for the ferry cost?"}
    ).json()
    base = "/api/v1/indexes/harbour"
    assert answer["citations"]
    for one in answer["citations"]:
        passage = client.get(f"{base}/passage", params={"passage_id": one["passage_id"]}).json()
        form = client.get(f"{base}/document", params={"doc_id": one["doc_id"]}).json()
        first = passage["start"]
        assert form["text"][first + one["start"] : first + one["end"]] == one["quote"]


def test_strangers_read_nothing(stranger: TestClient) -> None:
    base = "/api/v1/indexes/harbour"
    doc = quote("documents/harbour.md", safe="")
    for path in (f"documents?q={doc}", f"document?doc_id={doc}", f"page?doc_id={doc}&page=1"):
        assert stranger.get(f"{base}/{path}").status_code == 401
    assert stranger.delete(f"{base}/document?doc_id={doc}").status_code == 401
    assert stranger.post(f"{base}/documents").status_code == 401
    assert stranger.get("/api/v1/jobs/x").status_code == 401
