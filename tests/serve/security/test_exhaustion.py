"""What one client can use up, and what is left for the others."""

from __future__ import annotations

import math
import os
from contextlib import AsyncExitStack

import anyio
import httpx
import pytest

from anaphora.index import open_writer
from anaphora.ingest.ledger import FileRecord
from anaphora.serve import sources
from anaphora.serve.indexes import configurations
from anaphora.serve.problems import Problem
from anaphora.serve.running import build_services
from anaphora.serve.settings import ServeSettings
from anaphora.serve.sources import PdfPages
from anaphora.serve.store.sessions import SESSIONS


def test_routes_that_hold_all_threads_keep_nobody_out(app):
    """They wait for files or for the database; who asks is found in other threads."""

    async def health() -> int:
        threads = anyio.to_thread.current_default_thread_limiter()
        transport = httpx.ASGITransport(app)
        async with AsyncExitStack() as held:
            for _ in range(math.ceil(threads.total_tokens)):
                await threads.acquire_on_behalf_of(object())
            client = await held.enter_async_context(
                httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
            )
            with anyio.fail_after(60):
                return (await client.get("/healthz")).status_code

    assert anyio.run(health) == 200


def test_only_some_requests_wait_for_a_page(tmp_path, monkeypatch):
    """One page may take 20 seconds, and each request that waits holds a thread."""
    monkeypatch.setattr(sources, "WAITING", 0)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF")
    stat = path.stat()
    pages = PdfPages()
    try:
        with pytest.raises(Problem) as refused:
            pages.image(
                FileRecord(
                    path=str(path), size=stat.st_size, mtime_ns=stat.st_mtime_ns, digest=b""
                ),
                1,
                100,
            )
    finally:
        pages.close()
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "5")


def test_a_key_begins_so_many_sessions(services, client):
    key = services.store.keys.add("ana", ["ask"])
    begun = [services.sessions.sign_in(key) for _ in range(SESSIONS + 5)]
    alive = [services.sessions.client(one) is not None for one in begun]
    assert alive == [False] * 5 + [True] * SESSIONS
    assert client.get("/api/v1/session").status_code == 200


def test_signing_in_ends_the_session_before(services, stranger):
    keys = [services.store.keys.add(name, ["ask"]) for name in ("ana", "ben")]
    stranger.post("/api/v1/session", json={"key": keys[0]})
    before = stranger.cookies["anaphora_session"]
    stranger.post("/api/v1/session", json={"key": keys[1]})
    assert services.sessions.client(before) is None
    assert stranger.get("/api/v1/session").json()["name"] == "ben"


def test_a_page_of_another_site_cannot_use_up_the_attempts(stranger, services):
    """An image with the address of the start sends no cookie, but counted as an attempt."""
    token = services.sessions.start_token()
    image = {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    for _ in range(40):
        response = stranger.get("/start", params={"token": token}, headers=image)
        assert response.status_code == 403
    visit = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}
    found = stranger.get("/start", params={"token": token}, headers=visit, follow_redirects=False)
    assert found.status_code == 303


def test_uploads_at_the_same_time_share_the_room(tmp_path):
    with open_writer(tmp_path / "shelf") as writer:
        writer.commit()
    settings = ServeSettings(port=0, folder=tmp_path / "data", uploads_bytes=1_000)
    plain = configurations({"rerank": {"method": "none"}}, {})
    services = build_services(settings, {"shelf": tmp_path / "shelf"}, plain)

    async def send(name: str, both: list[str], began: anyio.Event) -> None:
        async def body():
            both.append(name)
            if len(both) == 2:
                began.set()
            await began.wait()
            head = f'Content-Disposition: form-data; name="files"; filename="{name}.txt"'
            yield f"--b\r\n{head}\r\n\r\n{name * 700}\r\n--b--\r\n".encode()

        headers = {"content-type": "multipart/form-data; boundary=b"}
        try:
            await services.uploads.receive("shelf", "local", headers, body())
        except Problem as problem:
            both.append(str(int(problem.status)))

    async def together() -> list[str]:
        both: list[str] = []
        began = anyio.Event()
        async with anyio.create_task_group() as group:
            for name in "ab":
                group.start_soon(send, name, both, began)
        return both[2:]

    try:
        assert anyio.run(together) == ["413"]
    finally:
        services.close()


def test_an_index_may_have_the_name_of_the_folder_for_what_comes_in(tmp_path):
    with open_writer(tmp_path / "incoming") as writer:
        writer.commit()
    settings = ServeSettings(port=0, folder=tmp_path / "data")
    plain = configurations({"rerank": {"method": "none"}}, {})
    folders = {"incoming": tmp_path / "incoming"}
    for started in range(2):
        services = build_services(settings, folders, plain)
        file = services.uploads.root("incoming") / "a.md"
        if not started:
            file.parent.mkdir(parents=True)
            file.write_text("The pump.", "utf-8")
            os.utime(file.parent, (0, 0))
        services.close()
    assert file.read_text("utf-8") == "The pump."
