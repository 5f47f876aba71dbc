"""What the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from anaphora.serve.settings import ServeSettings


@dataclass(frozen=True, slots=True)
class Services:
    """Built once by `anaphora serve`, closed with it."""

    settings: ServeSettings


def services(request: Request) -> Services:
    """A dependency of routes."""
    found: Services = request.app.state.services
    return found
