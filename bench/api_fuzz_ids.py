"""Gives half of the requests of `bench.api_fuzz` names of things that exist.

Schemathesis loads this module by SCHEMATHESIS_HOOKS. Names that it makes up name nothing, and
nearly every request for a conversation, a document or a model would end with 404.
"""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any, Final

import httpx
import schemathesis

ADDRESS: Final = "ANAPHORA_FUZZ_ADDRESS"
KEY: Final = "ANAPHORA_FUZZ_KEY"
INDEX: Final = "guide"

_choice = random.Random(1)


@cache
def server() -> httpx.Client:
    headers = {"Authorization": f"Bearer {os.environ[KEY]}"}
    return httpx.Client(base_url=os.environ[ADDRESS], headers=headers, timeout=120, trust_env=False)


def get(path: str, **parameters: Any) -> Any:
    return server().get(path, params=parameters).json()


@cache
def documents() -> dict[str, Any]:
    """The names of an index, a document, a passage, a model and an upload."""
    doc_id = get(f"/api/v1/indexes/{INDEX}/documents")["documents"][0]["doc_id"]
    hits = server().post("/api/v1/search", json={"query": "index"}).json()["hits"]
    files = {"files": ("名前.txt", b"uploaded")}
    upload = server().post(f"/api/v1/indexes/{INDEX}/documents", files=files).json()
    model = get("/v1/models")["data"][0]["id"]
    names = {"doc_id": doc_id, "passage_id": hits[0]["passage_id"], "job": upload["job"]}
    return {**names, "name": INDEX, "index": INDEX, "model": model, "configuration": "default"}


@cache
def asked(number: int) -> dict[str, str]:
    body = {"question": "How do I check an index?"}
    found = server().post("/api/v1/ask", json=body).json()
    place = {"conversation": found["conversation"], "turn": found["turn"]}
    share = server().post(f"/api/v1/conversations/{place['conversation']}/share").json()
    said = {**place, "verdict": "right"}
    server().post("/api/v1/feedback", json=said).raise_for_status()
    return {**place, "parent": place["turn"], "share": share["url"].rpartition("/")[2]}


def conversation() -> dict[str, str]:
    """The names of a conversation with a turn; a new one after the old one was deleted."""
    number = 0
    while True:
        found = asked(number)
        path = f"/api/v1/conversations/{found['conversation']}"
        if server().get(path, params={"limit": 1}).status_code == 200:
            return found
        number += 1


def empty_conversation() -> dict[str, str]:
    return {"conversation": server().post("/api/v1/conversations", json={}).json()["id"]}


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, **options: Any) -> None:
    if _choice.random() < 0.5:
        return
    deletes = case.method.upper() == "DELETE"
    parts = [case.path_parameters, None if deletes else case.query, case.body]
    fields = [part for part in parts if isinstance(part, dict)]
    used = {name for part in fields for name in part}
    known = dict(documents())
    if case.path.startswith("/v1/models"):
        known["name"] = known["model"]
    if used & {"conversation", "turn", "share", "parent"}:
        alone = deletes and "turn" not in used
        known |= empty_conversation() if alone else conversation()
    for part in fields:
        part.update({name: known[name] for name in part if name in known})
