"""Streams over real connections: clients that leave, wait or do not read, and a server that
stops."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI
from support import gated
from support.server import Server, live, served
from support.serving import QUESTIONS, events

from anaphora.config import Config
from anaphora.serve import sse
from anaphora.serve.api import ask
from anaphora.serve.indexes import DEFAULT
from anaphora.serve.services import Services
from anaphora.serve.sse import EventStream
from anaphora.serve.turns import THREADS

BODY = {"question": QUESTIONS["th"]}
EVENTS = {"Accept": "text/event-stream"}
GATED = {"rewrite": {"method": "support.gated:GatedRewriter"}}


@pytest.fixture
def connect(app: FastAPI, services: Services) -> Iterator[Callable[[], httpx.Client]]:
    """Clients of a real server whose turns wait for `gated.OPEN`."""
    gated.close()
    services.indexes.change(services.indexes.folders, {DEFAULT: Config.of(GATED)})
    opened: list[httpx.Client] = []
    with live(app) as address:

        def connect() -> httpx.Client:
            opened.append(httpx.Client(base_url=address, timeout=60, trust_env=False))
            opened[-1].get("/start", params={"token": services.sessions.start_token()})
            return opened[-1]

        yield connect
        gated.OPEN.set()
        for client in opened:
            client.close()


def wait_for(reached: Callable[[], bool]) -> None:
    """Waits until another thread has reached a state."""

    async def wait() -> None:
        while not reached():
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(wait(), 30))


def first_event(response: httpx.Response) -> str:
    return next(line for line in response.iter_lines() if line.startswith("event: "))


def test_a_client_that_leaves_ends_its_turn(
    connect: Callable[[], httpx.Client], services: Services
) -> None:
    with connect().stream("POST", "/api/v1/ask", json=BODY, headers=EVENTS) as response:
        assert first_event(response) == "event: understood"
        assert gated.BEGUN.wait(30)
    wait_for(lambda: services.turns.outcomes["cancelled"] == 1)
    gated.OPEN.set()
    wait_for(lambda: services.turns.running == 0)
    assert connect().post("/api/v1/ask", json=BODY).status_code == 200


def test_a_client_that_leaves_the_queue_frees_its_place(
    connect: Callable[[], httpx.Client], services: Services
) -> None:
    client = connect()
    open_streams = [
        client.build_request("POST", "/api/v1/ask", json=BODY, headers=EVENTS)
        for _ in range(THREADS + 1)
    ]
    responses = [client.send(request, stream=True) for request in open_streams]
    wait_for(lambda: services.turns.waiting == 1)
    assert first_event(responses[-1]) == "event: queued"
    responses[-1].close()
    wait_for(lambda: services.turns.waiting == 0)
    gated.OPEN.set()
    for response in responses[:-1]:
        response.read()
        assert events(response.text)[-1][0] == "done"
    assert services.turns.outcomes == {"done": THREADS, "cancelled": 1}


def test_a_client_that_waits_for_json_may_leave_too(
    connect: Callable[[], httpx.Client], services: Services
) -> None:
    client = connect()
    with pytest.raises(httpx.ReadTimeout):
        client.post("/api/v1/ask", json=BODY, timeout=0.5)
    wait_for(lambda: services.turns.outcomes["cancelled"] == 1)


def test_a_connection_without_events_is_kept_alive(
    connect: Callable[[], httpx.Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "HEARTBEAT", 0.05)
    with connect().stream("POST", "/api/v1/ask", json=BODY, headers=EVENTS) as response:
        lines = response.iter_lines()
        assert next(line for line in lines if line.startswith(":"))
        gated.OPEN.set()
        assert [line for line in lines if line.startswith("event: ")][-1] == "event: done"


def test_a_full_queue_is_a_problem(connect: Callable[[], httpx.Client], services: Services) -> None:
    client = connect()
    most = THREADS + services.settings.waiting // 2
    requests = [
        client.build_request("POST", "/api/v1/ask", json=BODY, headers=EVENTS) for _ in range(most)
    ]
    with httpx.Client(
        limits=httpx.Limits(max_connections=None), cookies=client.cookies, trust_env=False
    ) as many:
        responses = [many.send(request, stream=True) for request in requests]
        wait_for(lambda: services.turns.waiting == services.settings.waiting // 2)
        refused = client.post("/api/v1/ask", json=BODY, headers=EVENTS)
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) >= 1
        assert "waiting" in refused.json()["detail"]
        for response in responses:
            response.close()
    wait_for(lambda: services.turns.waiting == 0)


def test_a_client_that_does_not_read_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "PATIENCE", 0.01)
    closed = []

    async def source() -> AsyncGenerator[tuple[str, Any] | None, None]:
        try:
            while True:
                yield "delta", {"text": "…"}
        finally:
            closed.append(True)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            await anyio.sleep_forever()

    asyncio.run(EventStream(source())({}, anyio.sleep_forever, send))
    assert closed == [True]


@contextmanager
def gated_server(index: Path, folder: Path) -> Iterator[tuple[Server, Path, Path]]:
    """A server whose turns wait until a file exists; the file, and that of its settings."""
    gate, settings = folder / "gate", folder / "settings.toml"
    settings.write_text(
        f"[serve]\nfolder = {json.dumps(str(folder / 'data'))}\n"
        f'[rewrite]\nmethod = "support.gated:GatedRewriter"\nfile = {json.dumps(str(gate))}\n',
        "utf-8",
    )
    gate.touch()  # for the turn that loads the models
    with served(["--index", str(index), "--config", str(settings)], folder) as server:
        gate.unlink()
        yield server, gate, settings


def test_a_stop_lets_the_running_turn_finish(shared_index: Path, tmp_path: Path) -> None:
    with (
        gated_server(shared_index, tmp_path) as (server, gate, _),
        server.client.stream("POST", "/api/v1/ask", json=BODY, headers=EVENTS) as response,
    ):
        lines = response.iter_lines()
        assert next(line for line in lines if line.startswith("event: "))
        os.kill(server.process.pid, signal.SIGTERM)
        gate.touch()
        assert [line for line in lines if line.startswith("event: ")][-1] == "event: done"
        server.process.wait(60)
        assert server.process.returncode == 0


def test_settings_are_read_again_while_a_turn_runs(shared_index: Path, tmp_path: Path) -> None:
    with (
        gated_server(shared_index, tmp_path) as (server, gate, settings),
        server.client.stream("POST", "/api/v1/ask", json=BODY, headers=EVENTS) as response,
        httpx.Client(
            base_url=server.address, cookies=server.client.cookies, timeout=60, trust_env=False
        ) as other,
    ):
        lines = response.iter_lines()
        assert next(line for line in lines if line.startswith("event: "))
        for text, said, configurations in [
            ("[rewrite", "were not read again", ["default"]),
            (
                '[serve.configurations."快".rewrite]\nmethod = "none"\n',
                "were read again",
                ["default", "快"],
            ),
        ]:
            settings.write_text(text, "utf-8")
            os.kill(server.process.pid, signal.SIGHUP)
            assert server.process.stdout
            assert said in next(line for line in server.process.stdout if "settings" in line)
            assert other.get("/api/v1/indexes").json()["configurations"] == configurations
        again = other.post("/api/v1/ask", json={**BODY, "configuration": "快"})
        assert again.status_code == 200, again.text
        gate.touch()
        assert [line for line in lines if line.startswith("event: ")][-1] == "event: done"
