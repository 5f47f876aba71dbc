"""Traces of OpenTelemetry: a span for each request and each stage; nothing without a setting."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

from fastapi import FastAPI
from fastapi.testclient import TestClient
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from support.serving import QUESTIONS

from anaphora.serve import tracing
from anaphora.serve.app import create_app
from anaphora.serve.services import Services
from anaphora.serve.tracing import ENDPOINTS, Tracing

STAGES = ["understand", "rewrite", "retrieve", "rerank", "read"]
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def app(services: Services, spans: InMemorySpanExporter) -> FastAPI:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return create_app(replace(services, tracing=Tracing(provider)))


def requests_to(route: str, spans: InMemorySpanExporter) -> list[ReadableSpan]:
    return [one for one in spans.get_finished_spans() if one.name == f"POST {route}"]


def stages_of(request: ReadableSpan, spans: InMemorySpanExporter) -> list[ReadableSpan]:
    assert request.context
    return [
        one
        for one in spans.get_finished_spans()
        if one.parent and one.parent.span_id == request.context.span_id
    ]


@pytest.mark.parametrize("lang", QUESTIONS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_turn_has_a_span_for_each_stage(
    client: TestClient, spans: InMemorySpanExporter, lang: str, stream: bool
) -> None:
    headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "X-Request-ID": "one"}
    if stream:
        headers["Accept"] = "text/event-stream"
    client.post("/api/v1/ask", json={"question": QUESTIONS[lang]}, headers=headers)
    (request,) = requests_to("/api/v1/ask", spans)
    assert request.context
    assert f"{request.context.trace_id:032x}" == TRACE
    assert request.attributes == {
        "http.request.method": "POST",
        "http.route": "/api/v1/ask",
        "http.response.status_code": 200,
        "anaphora.request": "one",
    }
    stages = stages_of(request, spans)
    assert [one.name for one in stages] == STAGES
    for before, after in pairwise(stages):
        assert before.end_time == after.start_time
    whole = "".join(one.to_json() for one in spans.get_finished_spans())
    assert QUESTIONS[lang] not in whole
    assert json.dumps(QUESTIONS[lang])[1:-1] not in whole


def test_requests_at_once_keep_their_own_stages(
    sign_in: Callable[[], TestClient], spans: InMemorySpanExporter
) -> None:
    def ask(client: TestClient) -> None:
        client.post("/api/v1/ask", json={"question": QUESTIONS["ar"]})

    threads = [threading.Thread(target=ask, args=(sign_in(),)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    requests = requests_to("/api/v1/ask", spans)
    assert len(requests) == 4
    for request in requests:
        assert [one.name for one in stages_of(request, spans)] == STAGES


def test_other_routes_to_an_answer_have_stages_too(
    client: TestClient, spans: InMemorySpanExporter
) -> None:
    messages = [{"role": "user", "content": QUESTIONS["vi"]}]
    client.post("/v1/chat/completions", json={"messages": messages})
    (request,) = requests_to("/v1/chat/completions", spans)
    assert [one.name for one in stages_of(request, spans)] == STAGES
    text = client.get("/metrics").text
    assert 'anaphora_stage_seconds_count{stage="retrieve"} 1.0' in text


def test_a_failure_is_marked_and_not_quoted(
    client: TestClient, app: FastAPI, spans: InMemorySpanExporter
) -> None:
    @app.post("/api/v1/broken")
    def broken() -> None:
        raise KeyError("秘密")

    assert client.post("/api/v1/broken").status_code == 500
    (request,) = requests_to("/api/v1/broken", spans)
    assert not request.status.is_ok
    assert request.events == ()
    assert "秘密" not in request.to_json()
    assert "\\u79d8" not in request.to_json()


class Collector(BaseHTTPRequestHandler):
    paths: list[str]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.paths.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    paths: list[str] = []
    handler = type("Recording", (Collector,), {"paths": paths})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", paths
        server.shutdown()
        thread.join()


def test_spans_are_sent_where_the_environment_says(
    collector: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, paths = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    traced = Tracing.from_environment()
    traced.stages({"retrieve": 0.25})
    traced.close()
    assert paths == ["/v1/traces"]


def test_the_framework_sends_nothing_by_itself(
    client: TestClient,
    app: FastAPI,
    collector: tuple[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, paths = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    with TestClient(create_app(app.state.services), cookies=client.cookies) as other:
        other.post("/api/v1/ask", json={"question": QUESTIONS["zh"], "unknown": "秘密"})
    assert paths == []


def test_without_an_endpoint_nothing_is_made_or_sent(
    collector: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    made = Tracing.from_environment()
    made.stages({"retrieve": 0.25})
    with made.request({"type": "http", "method": "GET", "headers": []}) as attributes:
        assert attributes == {}
    made.close()
    assert made._provider is None
    assert collector[1] == []


def test_without_the_extra_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(tracing, "installed", lambda: False)
    with caplog.at_level(logging.WARNING, "anaphora"):
        assert Tracing.from_environment()._provider is None
    assert "pip install 'anaphora[otel]'" in caplog.text
