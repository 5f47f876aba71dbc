"""The Model Context Protocol: search, ask and read as tools, documents as resources, for agents.

It needs the extra `mcp`. `server.create_server` makes the server of an application's services; the
service mounts it at `/mcp`, and `anaphora mcp` runs it on standard input and output.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from anaphora.serve.services import Services


def install(app: FastAPI) -> None:
    """Serves agents at `/mcp`, where the extra is installed."""
    if find_spec("mcp") is None:
        return
    from starlette.routing import Match, Route
    from starlette.types import Scope

    from anaphora.serve.mcp.server import Desk
    from anaphora.serve.mcp.transports import Endpoint

    class Named(Route):
        """Tells the log and the metrics which route it is, as FastAPI's own routes do."""

        def matches(self, scope: Scope) -> tuple[Match, Scope]:
            match, child = super().matches(scope)
            return match, {**child, "route": self}

    services: Services = app.state.services
    endpoint = Endpoint(Desk(services.indexes, services.turns, services.answered))
    app.router.routes.append(Named("/mcp", endpoint=endpoint, methods=["GET", "POST", "DELETE"]))
    app.state.lifespans.append(endpoint.running)
