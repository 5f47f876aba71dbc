from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from anaphora.serve.services import Services


@pytest.fixture
def with_key(app: FastAPI, services: Services) -> Callable[..., TestClient]:
    """Clients that send a new key: `with_key("ana", "ask")`."""

    def make(name: str, *scopes: str) -> TestClient:
        key = services.store.keys.add(name, scopes)
        headers = {"Authorization": f"Bearer {key}"}
        return TestClient(app, base_url="http://127.0.0.1", headers=headers)

    return make
