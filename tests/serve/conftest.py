"""A small multilingual corpus, indexed once; a server over it, and clients that are signed in."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from fastapi import FastAPI
from fastapi.testclient import TestClient
from support.serving import write_corpus

from anaphora.ingest.update import update
from anaphora.retrieve.encoders import load_encoder
from anaphora.serve.app import create_app
from anaphora.serve.indexes import configurations
from anaphora.serve.running import build_services
from anaphora.serve.services import Services
from anaphora.serve.settings import ServeSettings


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents: Markdown in nine languages, an HTML page and a PDF."""
    return write_corpus(tmp_path_factory.mktemp("serve") / "documents")


@pytest.fixture(scope="session")
def shared_index(corpus: Path, cache: Path) -> Path:
    """Their index, with vectors. Tests that change it copy it: `index`."""
    folder = corpus.parent / "harbour"
    update(folder, [corpus], load_encoder())
    return folder


@pytest.fixture
def index(shared_index: Path, tmp_path: Path) -> Path:
    """A copy of the index that the test may change."""
    return Path(shutil.copytree(shared_index, tmp_path / "harbour"))


@pytest.fixture
def services(shared_index: Path, tmp_path: Path) -> Iterator[Services]:
    """What the routes of `app` share. Its settings have a second configuration, "quick"."""
    quick = {"quick": {"rerank": {"method": "none"}}}
    settings = ServeSettings(port=0, folder=tmp_path / "data", configurations=quick)
    configs = configurations({}, settings.configurations)
    built = build_services(settings, {"harbour": shared_index}, configs)
    yield built
    built.close()


@pytest.fixture
def app(services: Services) -> FastAPI:
    return create_app(services)


@pytest.fixture
def sign_in(app: FastAPI, services: Services) -> Callable[[], TestClient]:
    """Clients of the person who started the server, each with a session of its own."""

    def sign_in() -> TestClient:
        client = TestClient(app, base_url="http://127.0.0.1")
        client.get("/start", params={"token": services.sessions.start_token()})
        return client

    return sign_in


@pytest.fixture
def client(sign_in: Callable[[], TestClient]) -> TestClient:
    """A client that is signed in as "local", with all scopes."""
    return sign_in()


@pytest.fixture
def stranger(app: FastAPI) -> TestClient:
    """A client that is not signed in."""
    return TestClient(app, base_url="http://127.0.0.1")
