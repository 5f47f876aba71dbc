"""Uploads: what is stored, what is skipped and why, and what becomes of the index."""

from __future__ import annotations

import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from support import ingest_files
from support.ingest_files import paragraph
from support.server import served
from support.serving import events

from anaphora.index import Maintenance, open_writer
from anaphora.serve.app import create_app
from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.services import Services
from anaphora.serve.settings import ServeSettings

DOCUMENTS = "/api/v1/indexes/shelf/documents"
TEXTS = {
    "pumpe.md": "# Pumpe\n\nDie Pumpe hebt das Wasser.",
    "水泵.txt": "水泵把水抽到水箱里。",
    "مضخة.html": "<p>ترفع المضخة الماء إلى الخزان.</p>",
    "máy bơm.md": "Máy bơm đưa nước lên bể chứa.",
    "ปั๊ม.txt": "ปั๊มสูบน้ำขึ้นถัง",
    "насос.md": "Насос поднимает воду в бак.",
    "tulumba.txt": "Tulumba suyu depoya basar. Işık yanar.",
    "ポンプ.txt": "ポンプは水をタンクに上げる。",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """An empty index without vectors: models would take most of the time."""
    with open_writer(tmp_path / "shelf") as writer:
        writer.commit()
    return tmp_path / "shelf"


@pytest.fixture
def serving(shelf: Path, tmp_path: Path) -> Iterator[Callable[..., Services]]:
    """Builds what a server shares, with other settings."""
    built: list[Services] = []

    def build(**settings: Any) -> Services:
        given = ServeSettings(port=0, folder=tmp_path / "data", **settings)
        plain = configurations({"rerank": {"method": "none"}}, {})
        built.append(build_services(given, {"shelf": shelf}, plain))
        return built[-1]

    yield build
    for one in built:
        one.close()


@pytest.fixture
def services(serving: Callable[..., Services]) -> Services:
    return serving()


CRASHING = """
import os
import time
from anaphora.ingest import update

def read(path, doc_id, read=update.read):
    if path.name == "crash.md":
        os._exit(11)
    if path.name == "slow.md":
        time.sleep(600)
    return read(path, doc_id)

update.read = read
"""


def signed_in(services: Services) -> TestClient:
    client = TestClient(create_app(services), base_url="http://127.0.0.1")
    client.get("/start", params={"token": services.sessions.start_token()})
    return client


@pytest.fixture
def client(services: Services) -> TestClient:
    return signed_in(services)


def upload(client: TestClient, files: Mapping[str, str | bytes]) -> dict[str, Any]:
    """Uploads files and returns the job when it has ended."""
    return upload_list(client, list(files.items()))


def upload_list(client: TestClient, files: list[tuple[str, str | bytes]]) -> dict[str, Any]:
    response = client.post(DOCUMENTS, files=[("files", file) for file in files])
    assert response.status_code == 202, response.text
    return ended(client, response.json()["job"])


def ended(client: TestClient, job: str) -> dict[str, Any]:
    response = client.get(f"/api/v1/jobs/{job}", headers={"Accept": "text/event-stream"})
    last: dict[str, Any] = events(response.text)[-1][1]
    assert last["state"] in ("done", "failed")
    return last


def stored(services: Services) -> list[str]:
    root = services.uploads.root("shelf")
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def left_over(services: Services) -> list[Path]:
    folder = services.settings.folder / "uploads" / ".incoming"
    return list(folder.iterdir()) if folder.is_dir() else []


def doc_ids(client: TestClient) -> list[str]:
    return [one["doc_id"] for one in client.get(DOCUMENTS).json()["documents"]]


def test_many_files_in_every_script(client: TestClient, services: Services) -> None:
    job = upload(client, TEXTS)
    assert job["state"] == "done"
    assert [(one["name"], one["state"], one["reason"]) for one in job["files"]] == [
        (name, "done", "") for name in TEXTS
    ]
    assert all(one["done"] == one["total"] > 0 for one in job["files"])
    assert doc_ids(client) == sorted(f"uploads/{name}" for name in TEXTS)
    assert left_over(services) == []
    for word, name in (("水箱", "水泵.txt"), ("bể chứa", "máy bơm.md"), ("ışık", "tulumba.txt")):
        hits = client.post("/api/v1/search", json={"query": word}).json()["hits"]
        assert hits[0]["doc_id"] == f"uploads/{name}"


NAMES = [
    ("../../../etc/cron.d/evil.md", "evil.md"),
    ("..\\..\\other.md", "other.md"),
    ("/etc/passwd", "passwd.txt"),
    ("C:\\Windows\\win.ini", "win.ini.txt"),
    ("~/.ssh/authorized_keys", "authorized_keys.txt"),
    ("a\x00b.md", "ab.md"),
    ("line\x1bbreak\x07.md", "linebreak.md"),
    ("gnp.\u202efdp.md", "gnp.fdp.md"),
    ("CON.md", "_CON.md"),
    ("nul", "_nul.txt"),
    (".hidden.md", "hidden.md"),
    ("...", "document.txt"),
    ("trailing. . .", "trailing.txt"),
    ('a<b>:"|?*.md', "a_b______.md"),
    ("guide/ch 1/intro.md", "guide/ch 1/intro.md"),
    ("sổ tay.MD", "sổ tay.MD"),
    ("گزارش\u200cها.md", "گزارش\u200cها.md"),
    ("水" * 500 + ".md", "水" * 39 + ".md"),
]
"""Names that clients send, and what is stored."""


def test_names_are_made_safe(services: Services) -> None:
    client = signed_in(services)
    parts = []
    for number, (name, _) in enumerate(NAMES):
        sent = name.replace("\\", "\\\\").encode()
        head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n' % sent
        parts.append(head + b"\r\nPump number %d.\r\n" % number)
    response = client.post(
        DOCUMENTS,
        content=b"".join(parts) + b"--b--\r\n",
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    job = ended(client, response.json()["job"])
    assert [(one["name"], one["state"]) for one in job["files"]] == [
        (kept, "done") for _, kept in NAMES
    ]
    assert stored(services) == sorted(kept for _, kept in NAMES)


def test_kinds_are_found_in_the_content(
    client: TestClient, services: Services, tmp_path: Path
) -> None:
    page = ingest_files.pdf(tmp_path / "a.pdf", [["The pump lifts water."]]).read_bytes()
    word = ingest_files.docx(tmp_path / "a.docx", paragraph("The valve stops water."))
    files = {
        "photo.jpg": page,
        "letter.pdf": word.read_bytes(),
        "page.txt": "<!doctype html><html><p>The tank holds water.</p>",
        "notes": "The motor turns.",
        "program.exe": b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" * 40,
        "archive.pdf": b"PK\x03\x04" + b"\x00" * 100,
        "empty.md": b"",
    }
    job = upload(client, files)
    found = [(one["name"], one["state"]) for one in job["files"]]
    assert found == [
        ("photo.jpg.pdf", "done"),
        ("letter.pdf.docx", "done"),
        ("page.txt.html", "done"),
        ("notes.txt", "done"),
        ("program.exe.txt", "skipped"),
        ("archive.pdf.docx", "skipped"),
        ("empty.md", "skipped"),
    ]
    assert [one["reason"] for one in job["files"]][-2:] == [
        "is cut short or is not a DOCX file",
        "is empty",
    ]
    assert all(one["reason"] for one in job["files"][4:])
    assert stored(services) == ["letter.pdf.docx", "notes.txt", "page.txt.html", "photo.jpg.pdf"]


def test_bombs_are_skipped(client: TestClient, services: Services, tmp_path: Path) -> None:
    bomb = ingest_files.archive(
        tmp_path / "bomb.docx", {"word/document.xml": b"<a>" + b" " * 50_000_000 + b"</a>"}
    )
    entities = ingest_files.archive(
        tmp_path / "xml.docx",
        {"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><w:document>&b;</w:document>'},
    )
    files = [(path.name, path.read_bytes()) for path in (bomb, entities)]
    job = upload_list(client, [*files, ("good.md", "The pump stops.")])
    assert [(one["state"], one["reason"]) for one in job["files"]] == [
        ("skipped", "unpacks to far more than it should (a zip bomb?)"),
        ("skipped", "defines XML entities of its own, which is not safe to read"),
        ("done", ""),
    ]
    assert stored(services) == ["good.md"]


def test_duplicates(client: TestClient, services: Services) -> None:
    text, other = "The pump stops.", "The pump starts."
    job = upload_list(client, [("a.md", text), ("b.md", text), ("a.md", other)])
    assert [(one["name"], one["state"], one["reason"]) for one in job["files"]] == [
        ("a.md", "done", ""),
        ("b.md", "skipped", "has the same content as a.md"),
        ("a (2).md", "done", ""),
    ]
    again = upload(client, {"c.md": other})
    assert [(one["state"], one["reason"]) for one in again["files"]] == [
        ("skipped", "is in the index already, as a (2).md")
    ]
    assert again["state"] == "done"
    assert stored(services) == ["a (2).md", "a.md"]


def test_a_file_that_is_too_large_is_skipped(serving: Callable[..., Services]) -> None:
    services = serving(upload_bytes=1_000, uploads_bytes=3_000)
    client = signed_in(services)
    job = upload(client, {"large.md": "a" * 1_001, "small.md": "a" * 1_000})
    assert [(one["name"], one["state"], one["reason"]) for one in job["files"]] == [
        ("large.md", "skipped", "is larger than 0.001 MB"),
        ("small.md", "done", ""),
    ]
    files = [("files", (f"{n}.md", str(n) * 900)) for n in range(3)]
    response = client.post(DOCUMENTS, files=files)
    assert response.status_code == 413
    assert "'serve.uploads_bytes'" in response.json()["detail"]
    assert stored(services) == ["small.md"]
    assert left_over(services) == []


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "text/plain", 415),
        (b"", "multipart/form-data", 415),
        (b"", "multipart/form-data; boundary=b", 400),
        (b"nonsense", "multipart/form-data; boundary=b", 400),
        (b"--b--\r\n", "multipart/form-data; boundary=b", 400),
        (b"--b\r\n", f"multipart/form-data; boundary={'b' * 1000}", 400),
        (
            b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
            422,
        ),
        (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\nThe pum',
            "multipart/form-data; boundary=b",
            400,
        ),
    ],
)
def test_malformed_forms(
    client: TestClient, services: Services, body: bytes, kind: str, status: int
) -> None:
    response = client.post(DOCUMENTS, content=body, headers={"Content-Type": kind})
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert stored(services) == []
    assert left_over(services) == []


def test_nothing_is_fetched_from_addresses_in_files(client: TestClient, tmp_path: Path) -> None:
    """Images in Markdown that a server loads let a document reach the server's network."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/secret.png"
        html = f'<p>The pump. <img src="{url}"><link href="{url}"><iframe src="{url}"></p>'
        word = ingest_files.archive(
            tmp_path / "a.docx",
            {
                "word/document.xml": f"<w:document {ingest_files.W}><w:body>"
                + paragraph("The pump.")
                + '<w:p><w:r><w:drawing><a:blip r:link="r1"/></w:drawing></w:r></w:p>'
                "</w:body></w:document>",
                "word/_rels/document.xml.rels": '<Relationships><Relationship Id="r1" '
                f'TargetMode="External" Target="{url}"/></Relationships>',
            },
        )
        book = ingest_files.epub(tmp_path / "a.epub", {"a.xhtml": html, "b.xhtml": f"<p>{url}"})
        files = {
            "a.html": f"<!doctype html><html><base href='{url}'>{html}",
            "a.md": f"![the pump]({url})\n\n<img src='{url}'>\n\nThe pump.\n\n[a]: {url}",
            "a.xhtml": f'<?xml version="1.0"?><!DOCTYPE html SYSTEM "{url}"><html>{html}</html>',
            "a.docx": word.read_bytes(),
            "a.epub": book.read_bytes(),
        }
        job = upload(client, files)
        assert [one["state"] for one in job["files"]] == ["done"] * 5
        for name in files:
            place = {"doc_id": f"uploads/{name}"}
            form = client.get("/api/v1/indexes/shelf/document", params=place).json()
            assert "The pump" in form["text"]
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_another_owner_has_no_such_job(client: TestClient, services: Services) -> None:
    job = upload(client, {"a.md": "The pump stops."})["id"]
    assert services.uploads.job(job, "local").owner == "local"
    with pytest.raises(Exception, match="there is no job"):
        services.uploads.job(job, "another")
    assert client.get("/api/v1/jobs/unknown").status_code == 404


def test_an_upload_waits_for_another_writer(client: TestClient, shelf: Path) -> None:
    with open_writer(shelf):
        response = client.post(DOCUMENTS, files={"files": ("a.md", "The pump stops.")})
        url = f"/api/v1/jobs/{response.json()['job']}"
        while not (form := client.get(url).json())["reason"]:
            threading.Event().wait(0.05)
        assert form["state"] == "waiting"
        assert "another process is writing the index" in form["reason"]
        assert "shelf" in form["reason"]
    assert ended(client, response.json()["job"])["state"] == "done"
    assert doc_ids(client) == ["uploads/a.md"]


def test_a_document_is_deleted_with_its_uploaded_file(
    client: TestClient, services: Services, shelf: Path
) -> None:
    upload(client, {"a/a.md": "The pump stops.", "b.md": "The pump starts."})
    url = "/api/v1/indexes/shelf/document"
    with open_writer(shelf):
        response = client.delete(url, params={"doc_id": "uploads/a/a.md"})
        assert response.status_code == 503
        assert response.headers["Retry-After"]
    assert client.delete(url, params={"doc_id": "uploads/a/a.md"}).status_code == 204
    assert client.delete(url, params={"doc_id": "uploads/a/a.md"}).status_code == 404
    assert doc_ids(client) == ["uploads/b.md"]
    assert stored(services) == ["b.md"]
    assert not (services.uploads.root("shelf") / "a").exists()
    hits = client.post("/api/v1/search", json={"query": "pump"}).json()["hits"]
    assert [hit["doc_id"] for hit in hits] == ["uploads/b.md"]


def test_one_record_of_a_file_is_deleted(client: TestClient) -> None:
    lines = '{"_id": "r1", "text": "The pump."}\nnonsense\n{"_id": "r2", "text": "The valve."}\n'
    job = upload(client, {"a.jsonl": lines})
    assert [(one["state"], one["reason"].partition(" (")[0]) for one in job["files"]] == [
        ("done", "line 2 is not JSON")
    ]
    response = client.delete("/api/v1/indexes/shelf/document", params={"doc_id": "r1"})
    assert response.status_code == 204
    assert doc_ids(client) == ["r2"]


def test_a_reader_that_crashes_takes_one_file_with_it(
    client: TestClient, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python imports this module first, in the child too.
    (tmp_path / "sitecustomize.py").write_text(CRASHING, "utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    job = upload(client, {"a.md": "The pump.", "crash.md": "The valve.", "z.md": "The tank."})
    assert [(one["state"], one["reason"]) for one in job["files"]] == [
        ("done", ""),
        ("skipped", "is damaged: its reader crashed"),
        ("done", ""),
    ]
    assert doc_ids(client) == ["uploads/a.md", "uploads/z.md"]
    assert stored(services) == ["a.md", "z.md"]


def test_a_file_that_takes_too_long_does_not_stop_the_others(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRASHING, "utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setattr("anaphora.serve.uploads.uploads._FILE_SECONDS", 3.0)
    job = upload(client, {"a.md": "The pump.", "slow.md": "The valve.", "z.md": "The tank."})
    assert [(one["state"], one["reason"]) for one in job["files"]] == [
        ("done", ""),
        ("skipped", "takes too long to be read"),
        ("done", ""),
    ]


ENDLESS = """
from anaphora.ingest import update
from anaphora.serve import ingestion

def read(path, doc_id, read=update.read):
    while path.name == "endless.md":
        pass
    return read(path, doc_id)

update.read = read
ingestion.SECONDS = 1
"""


def test_a_reader_that_never_ends_takes_one_file_with_it(
    client: TestClient, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(ENDLESS, "utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    job = upload(client, {"a.md": "The pump.", "endless.md": "The valve.", "z.md": "The tank."})
    assert [(one["state"], one["reason"]) for one in job["files"]] == [
        ("done", ""),
        ("skipped", "takes too long to be read"),
        ("done", ""),
    ]
    assert stored(services) == ["a.md", "z.md"]


def text_of(client: TestClient, name: str) -> str:
    place = {"doc_id": f"uploads/{name}"}
    text: str = client.get("/api/v1/indexes/shelf/document", params=place).json()["text"]
    return text


def replace(client: TestClient, name: str, content: str | bytes) -> dict[str, Any]:
    response = client.post(DOCUMENTS, files=[("files", (name, content))], data={"replace": "true"})
    assert response.status_code == 202, response.text
    return ended(client, response.json()["job"])


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_of_the_same_name_is_kept_beside_or_replaces(
    client: TestClient, services: Services, name: str
) -> None:
    upload(client, {name: TEXTS[name]})
    (file,) = replace(client, name, "The first change.")["files"]
    assert (file["name"], file["state"], file["reason"]) == (name, "done", "")
    assert doc_ids(client) == [f"uploads/{name}"]
    assert text_of(client, name) == "The first change."
    upload(client, {name: "The second change."})
    assert len(stored(services)) == len(doc_ids(client)) == 2
    assert text_of(client, name) == "The first change."
    assert not list((services.settings.folder / "uploads" / ".replaced").iterdir())


def test_a_replacement_that_cannot_be_read_leaves_the_file_before(
    client: TestClient, services: Services
) -> None:
    upload(client, {"水泵.txt": TEXTS["水泵.txt"]})
    (file,) = replace(client, "水泵.txt", b"MZ\x90\x00\x03\x00\x00\xff" * 99)["files"]
    assert file["state"] == "skipped"
    path = services.uploads.root("shelf") / "水泵.txt"
    assert path.read_text("utf-8") == TEXTS["水泵.txt"]
    upload(client, {"other.md": "The valve."})
    assert text_of(client, "水泵.txt") == TEXTS["水泵.txt"]


def test_replace_is_true_or_false(client: TestClient, services: Services) -> None:
    for value in ("yes", "true" * 1_000):
        response = client.post(
            DOCUMENTS, files=[("files", ("a.md", "The pump."))], data={"replace": value}
        )
        assert response.status_code == 422
        assert "'replace' must be 'true' or 'false'" in response.json()["detail"]
    assert stored(services) == left_over(services) == []


@pytest.fixture
def nearly_full() -> Iterator[None]:
    """A limit on file sizes fails the same writes as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("nearly_full")
def test_a_full_disk_stores_nothing(client: TestClient, services: Services) -> None:
    files = [("files", ("a.md", "The pump.")), ("files", ("b.md", "The valve. " * 60_000))]
    response = client.post(DOCUMENTS, files=files)
    assert response.status_code == 507
    assert response.json()["detail"] == "the server's disk is full; nothing was stored"
    assert stored(services) == []
    assert left_over(services) == []


def test_a_full_disk_leaves_the_index_whole(
    client: TestClient, services: Services, shelf: Path, request: pytest.FixtureRequest
) -> None:
    upload(client, {"first.md": "The first words."})
    request.getfixturevalue("nearly_full")
    rows = [f'{{"_id": "{n}", "text": "{os.urandom(80).hex()}"}}' for n in range(2_000)]
    job = upload(client, {"rows.jsonl": "\n".join(rows)})
    assert job["state"] == "failed"
    assert "make room on the disk" in job["reason"]
    assert [one["state"] for one in job["files"]] == ["skipped"]
    assert stored(services) == ["first.md"]
    hits = client.post("/api/v1/search", json={"query": "first words"}).json()["hits"]
    assert [hit["doc_id"] for hit in hits] == ["uploads/first.md"]
    with open_writer(shelf) as writer:
        assert isinstance(writer, Maintenance)
        assert writer.verify() == []


def test_a_stopped_server_continues_with_what_it_stored(
    serving: Callable[..., Services], shelf: Path
) -> None:
    first = serving()
    with open_writer(shelf):  # keeps the upload waiting
        response = signed_in(first).post(DOCUMENTS, files={"files": ("a.md", "The pump stops.")})
        assert response.status_code == 202
        first.close()
    client = signed_in(serving())
    forgotten = client.get(f"/api/v1/jobs/{response.json()['job']}")
    assert forgotten.status_code == 404
    assert "a server that was started again has forgotten" in forgotten.json()["detail"]
    while not doc_ids(client):
        threading.Event().wait(0.05)
    assert doc_ids(client) == ["uploads/a.md"]


def test_an_upload_that_is_cut_short_leaves_nothing(shelf: Path, tmp_path: Path) -> None:
    config = tmp_path / "anaphora.toml"
    config.write_text('[rerank]\nmethod = "none"\n[serve]\nfolder = "data"\n', "utf-8")
    arguments = ["--index", str(shelf), "--config", str(config)]
    with served(arguments, tmp_path) as server:
        cookies = "; ".join(f"{one.name}={one.value}" for one in server.client.cookies.jar)
        port = int(server.address.rpartition(":")[2])
        incoming = tmp_path / "data" / "uploads" / ".incoming"
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                f"POST {DOCUMENTS} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookies}\r\n"
                "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n"
                '--b\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\n'
                f"{'The pump. ' * 1_000}".encode()
            )
            while not list(incoming.glob("*/0")):
                threading.Event().wait(0.05)
        while list(incoming.iterdir()):
            threading.Event().wait(0.05)
        assert server.client.get(DOCUMENTS).json()["documents"] == []
        assert not (tmp_path / "data" / "uploads" / "shelf").exists()
        code, log = server.stop()
    assert code == 0
    assert '"level": "error"' not in log


def test_searching_goes_on_while_an_upload_is_added(client: TestClient) -> None:
    upload(client, {"first.md": "The first words."})
    texts = (f"The pump number {n} stops." for n in range(9_000))
    rows = "\n".join(f'{{"_id": "{n}", "text": "{text}"}}' for n, text in enumerate(texts))
    response = client.post(DOCUMENTS, files={"files": ("rows.jsonl", rows)})
    url = f"/api/v1/jobs/{response.json()['job']}"
    searches = 0
    while client.get(url).json()["state"] != "done":
        hits = client.post("/api/v1/search", json={"query": "first words"}).json()["hits"]
        assert hits[0]["doc_id"] == "uploads/first.md"
        searches += 1
    assert searches
    assert ended(client, response.json()["job"])["files"][0]["state"] == "done"
    assert client.post("/api/v1/search", json={"query": "8999"}).json()["hits"]
