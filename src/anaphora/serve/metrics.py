"""The figures of one server, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from anaphora.serve.turns import Outcome, Turns

_METHODS: Final = {"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"}
_BUCKETS: Final = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120)


class Metrics:
    """Counts requests and the seconds of stages; of turns it reads what `Turns` counts."""

    def __init__(self, turns: Turns) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "anaphora_requests",
            "Requests by the pattern of their address.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._stages = Histogram(
            "anaphora_stage_seconds",
            "Seconds of the stages of a turn.",
            ("stage",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(_TurnCollector(turns))

    def request(self, method: str, route: str, status: int) -> None:
        """Counts a request; status 0 where the client left before the response."""
        method = method if method in _METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()

    def stages(self, seconds: Mapping[str, float]) -> None:
        """Counts the stages of a turn."""
        for name, value in seconds.items():
            self._stages.labels(name).observe(value)


class _TurnCollector(Collector):
    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def collect(self) -> Iterable[Metric]:
        ended = CounterMetricFamily(
            "anaphora_turns", "Turns by how they ended.", labels=["outcome"]
        )
        for outcome in get_args(Outcome):
            ended.add_metric([outcome], self._turns.outcomes[outcome])
        yield ended
        yield GaugeMetricFamily(
            "anaphora_turns_waiting", "Turns in the queue.", self._turns.waiting
        )
        yield GaugeMetricFamily("anaphora_turns_running", "Turns that run.", self._turns.running)
