"""The OpenAPI document of the native API, at /api/v1/openapi.json."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from anaphora.serve.forms import PROBLEM, ProblemForm
from anaphora.serve.openai.errors import PREFIX

_DESCRIPTION = """Ask your own documents, with a source for every answer.

A request names its client by a key, `Authorization: Bearer KEY`, or by the cookie of a session."""
_SECURITY = {
    "key": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": "anaphora_session"},
}


def install(app: FastAPI) -> None:
    """Makes the application describe its problems and how clients identify themselves."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(
                title=app.title,
                version=app.version,
                routes=app.routes,
                description=_DESCRIPTION,
            )
            _correct(found)
            components = found.setdefault("components", {})
            components.setdefault("schemas", {})[PROBLEM] = ProblemForm.model_json_schema()
            components["securitySchemes"] = _SECURITY
            found["security"] = [{name: []} for name in _SECURITY]
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _correct(document: dict[str, Any]) -> None:
    """Takes out what FastAPI adds by itself: a wrong request under `/v1/` gets the status 400."""
    for path, methods in document["paths"].items():
        if path.startswith(PREFIX):
            for method in methods.values():
                method["responses"].pop("422", None)
