"""What the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from anaphora.records import Answer
from anaphora.serve.indexes import Indexes
from anaphora.serve.metrics import Metrics
from anaphora.serve.settings import ServeSettings
from anaphora.serve.sources import PdfPages
from anaphora.serve.store.sessions import Sessions
from anaphora.serve.store.store import Store
from anaphora.serve.tracing import Tracing
from anaphora.serve.turns import Turns
from anaphora.serve.uploads import Uploads


@dataclass(frozen=True, slots=True)
class Services:
    """Built once by `anaphora serve`, closed with it."""

    settings: ServeSettings
    indexes: Indexes
    turns: Turns
    metrics: Metrics
    tracing: Tracing
    store: Store
    pages: PdfPages
    uploads: Uploads

    @property
    def sessions(self) -> Sessions:
        return self.store.sessions

    def answered(self, answer: Answer) -> None:
        """Counts the stages of a turn that has just ended, and makes their spans."""
        assert answer.trace
        self.metrics.stages(answer.trace.timings)
        self.tracing.stages(answer.trace.timings)

    def close(self) -> None:
        """Waits for the turns that run, as long as they may take."""
        self.turns.close()
        self.uploads.close()
        self.pages.close()
        self.indexes.close()
        self.store.close()
        self.tracing.close()


def services(request: Request) -> Services:
    """A dependency of routes."""
    found: Services = request.app.state.services
    return found
