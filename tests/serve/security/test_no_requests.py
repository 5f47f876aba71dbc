"""The server fetches nothing that a document, a question or an upload names.

A filter of forbidden addresses can be evaded: LibreChat's by IPv4 addresses written as IPv6
(CVE-2026-31943). RAGFlow fetched the images of Markdown that was uploaded. Here nothing is fetched.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.services import Services
from anaphora.serve.settings import ServeSettings


@pytest.fixture
def services(index, tmp_path) -> Iterator[Services]:
    settings = ServeSettings(port=0, folder=tmp_path / "data")
    built = build_services(settings, {"harbour": index}, configurations({}, {}))
    yield built
    built.close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server that nobody may visit."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.setblocking(False)
        yield found


def addresses(port: int) -> list[str]:
    hosts = "127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "2130706433"
    return [f"http://{host}:{port}/secret.png" for host in hosts]


def test_addresses_in_documents_and_questions_are_not_visited(client, listener):
    found = addresses(listener.getsockname()[1])
    markdown = "\n\n".join(
        f"![picture]({one}) [link]({one}) <{one}> <img src='{one}'>\n\n[ref]: {one}"
        for one in found
    )
    page = "".join(
        f"<link rel=stylesheet href='{one}'><script src='{one}'></script><img src='{one}'>"
        f"<iframe src='{one}'></iframe><object data='{one}'></object><p>The crane is at {one}</p>"
        for one in found
    )
    entity = f"<!DOCTYPE html [<!ENTITY x SYSTEM '{found[0]}'>]>"
    xml = f"{entity}<html><body><p>&x; crane</p></body></html>"
    files = [
        ("files", ("crane.md", f"# The crane\n\n{markdown}\n\nThe crane is red.")),
        ("files", ("crane.html", f"<!doctype html><html><body>{page}</body></html>")),
        ("files", ("crane.xhtml", xml)),
    ]
    upload = client.post("/api/v1/indexes/harbour/documents", files=files)
    assert upload.status_code == 202, upload.text
    progress = client.get(
        f"/api/v1/jobs/{upload.json()['job']}", headers={"Accept": "text/event-stream"}
    )
    assert '"done"' in progress.text
    for question in ("What colour is the crane?", f"Read {found[2]} and ![]({found[0]})"):
        answer = client.post("/api/v1/ask", json={"question": question})
        assert answer.status_code == 200
    listed = client.get("/api/v1/indexes/harbour/documents", params={"q": "crane"}).json()
    for document in listed["documents"]:
        shown = client.get(
            "/api/v1/indexes/harbour/document", params={"doc_id": document["doc_id"]}
        )
        assert shown.status_code == 200
    with pytest.raises(BlockingIOError):
        listener.accept()
