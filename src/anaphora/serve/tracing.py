"""Traces of OpenTelemetry: a span for each request, and one for each stage of its turn.

Spans hold names, figures and ids, no texts. Without the extra `otel` and one of the variables in
`ENDPOINTS` there are none, and nothing is sent.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from anaphora import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""The standard variables that name a collector (OpenTelemetry, "OTLP Exporter Configuration")."""

Attributes: TypeAlias = dict[str, Any]
_log = logging.getLogger(__name__)


class Tracing:
    """Makes the spans of one server.

    Args:
        provider: receives them; None for no spans.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("anaphora", __version__) if provider else None

    @classmethod
    def from_environment(cls) -> Tracing:
        """Sends spans to the collector that the environment names, by OTLP over HTTP."""
        named = next((name for name in ENDPOINTS if os.environ.get(name)), "")
        if not named:
            return cls()
        if not installed():
            _log.warning("%s is set, but nothing is traced: pip install 'anaphora[otel]'", named)
            return cls()
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        usual = Resource({"service.name": "anaphora", "service.version": __version__})
        provider = TracerProvider(resource=usual.merge(OTELResourceDetector().detect()))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return cls(provider)

    def close(self) -> None:
        """Sends what is left."""
        if self._provider:
            self._provider.shutdown()

    @contextmanager
    def request(self, scope: Scope) -> Iterator[Attributes]:
        """A span around a request, in the trace that its header `traceparent` names.

        Yields:
            the attributes that the span gets at its end. `http.route` becomes a part of its name.
        """
        attributes: Attributes = {}
        if self._tracer is None:
            yield attributes
            return
        from opentelemetry.trace import SpanKind, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        before = TraceContextTextMapPropagator().extract(dict(Headers(scope=scope)))
        with self._tracer.start_as_current_span(
            scope["method"],
            before,
            SpanKind.SERVER,
            # The message of an exception may quote a text.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield attributes
            finally:
                if "http.route" in attributes:
                    span.update_name(f"{scope['method']} {attributes['http.route']}")
                span.set_attributes(attributes)
                if not 0 < attributes.get("http.response.status_code", 0) < 500:
                    span.set_status(StatusCode.ERROR)

    def stages(self, seconds: Mapping[str, float]) -> None:
        """Spans of the stages of a turn that has just ended, one behind the other."""
        if self._tracer is None:
            return
        at = time.time_ns() - sum(map(_nanoseconds, seconds.values()))
        for name, value in seconds.items():
            span = self._tracer.start_span(name, start_time=at)
            at += _nanoseconds(value)
            span.end(at)


def installed() -> bool:
    """Whether the extra `otel` is."""
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None and (
            find_spec("opentelemetry.sdk") is not None
        )
    except ModuleNotFoundError:
        return False


def _nanoseconds(seconds: float) -> int:
    return round(1e9 * seconds)
