"""The application: routes, error handling and middleware."""

from __future__ import annotations

from fastapi import FastAPI

from anaphora import __version__
from anaphora.serve import pages, problems
from anaphora.serve.api import (
    ask,
    attribution,
    conversations,
    documents,
    session,
    stages,
)
from anaphora.serve.security import middleware
from anaphora.serve.services import Services


def create_app(services: Services) -> FastAPI:
    """The ASGI application of a server."""
    app = FastAPI(
        title="Anaphora",
        version=__version__,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    problems.install(app)
    app.include_router(ask.router)
    app.include_router(stages.router)
    app.include_router(documents.router)
    app.include_router(attribution.router)
    app.include_router(session.router)
    app.include_router(session.start_router)
    app.include_router(conversations.router)
    pages.install(app)
    middleware.install(app, services.settings, services.store)
    return app
