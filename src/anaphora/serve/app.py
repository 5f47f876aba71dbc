"""The application: routes, error handling and middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI

from anaphora import __version__
from anaphora.serve import forms, mcp, openapi, operations, pages, problems, waiting
from anaphora.serve.api import (
    ask,
    attribution,
    conversations,
    documents,
    feedback,
    session,
    stages,
)
from anaphora.serve.limits import BodyLimit
from anaphora.serve.openai import routes as openai
from anaphora.serve.openai.errors import OpenAIErrors
from anaphora.serve.operations import Observed
from anaphora.serve.security import middleware
from anaphora.serve.services import Services

_NO_TELEMETRY: Final[Any] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI's own would tell the messages of exceptions, which may quote texts; see `tracing`."""


def create_app(services: Services) -> FastAPI:
    """The ASGI application of a server."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for begin in app.state.lifespans:
                await running.enter_async_context(begin())
            yield

    app = FastAPI(
        title="Anaphora",
        version=__version__,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=forms.EVERY | forms.problems_of(404),
        lifespan=lifespan,
        telemetry=_NO_TELEMETRY,
    )
    app.state.lifespans = []
    app.state.services = services
    openapi.install(app)
    problems.install(app)
    waiting.install(app)
    app.include_router(ask.router)
    app.include_router(stages.router)
    app.include_router(documents.router)
    app.include_router(attribution.router)
    app.include_router(session.router)
    app.include_router(session.start_router)
    app.include_router(conversations.router)
    app.include_router(feedback.router)
    app.include_router(operations.router)
    app.include_router(openai.router)
    mcp.install(app)
    pages.install(app)
    # The last one that is added sees a request first.
    app.add_middleware(BodyLimit)
    middleware.install(app, services.settings, services.store)
    app.add_middleware(Observed, metrics=services.metrics, tracing=services.tracing)
    app.add_middleware(OpenAIErrors)  # around all others
    return app
