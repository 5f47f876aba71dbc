"""The middleware of security, in its order."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from anaphora.serve.security.headers import SecurityHeaders
from anaphora.serve.security.hosts import Hosts
from anaphora.serve.security.identity import Identity
from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.store import Store


def install(app: FastAPI, settings: ServeSettings, store: Store) -> None:
    """Adds it around the application; what is added later is around it."""
    app.add_middleware(Identity, store=store, per_minute=settings.requests_per_minute)
    if settings.origins:
        # Without credentials: a page of another origin needs a key.
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
            expose_headers=["Retry-After"],
        )
    app.add_middleware(Hosts, names=(settings.host, *settings.hosts))
    app.add_middleware(SecurityHeaders)
