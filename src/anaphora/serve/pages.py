"""The page: its addresses and its files."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_FILES = Path(__file__).with_name("page")
_FRESH = {"Cache-Control": "no-cache"}
"""A browser asks whether a file has changed before it uses it again: an update is seen at once."""

router = APIRouter(include_in_schema=False)


@router.get("/")
@router.get("/c/{conversation}")
@router.get("/s/{token}")
@router.get("/source")
def page() -> Response:
    """The page; its script reads the address."""
    return FileResponse(_FILES / "index.html", headers=_FRESH)


@router.get("/manifest.webmanifest")
def manifest() -> Response:
    return FileResponse(
        _FILES / "manifest.webmanifest", headers=_FRESH, media_type="application/manifest+json"
    )


@router.get("/service-worker.js")
def service_worker() -> Response:
    """At the root, because a service worker controls only what is below its own address."""
    return FileResponse(_FILES / "service-worker.js", headers=_FRESH, media_type="text/javascript")


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_FRESH)
        return response


def install(app: FastAPI) -> None:
    """Adds the page's routes; its files are below `/page`, readable without an identity."""
    app.include_router(router)
    app.mount("/page", _Files(directory=_FILES))
