"""Errors over HTTP."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from anaphora.errors import AnaphoraError, IndexDamaged, UsageError
from anaphora.serve import problems
from anaphora.serve.problems import Problem


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("there is no index 'タイ'; there is 'docs'"), 400),
        (IndexDamaged("the index in docs is damaged"), 503),
        (AnaphoraError("the disk is full"), 500),
        (Problem(429, "too many turns wait; try again", {"Retry-After": "2"}), 429),
    ],
)
def test_an_error_is_one_sentence_with_its_status(error: Exception, status: int) -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    def fail() -> None:
        raise error

    response = TestClient(app).get("/")
    assert response.status_code == status
    assert response.headers["content-type"] == problems.MEDIA_TYPE
    assert response.json()["detail"] == str(error)
    assert response.json()["status"] == status


def test_the_text_of_an_unexpected_error_is_not_sent() -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    def fail() -> None:
        raise RuntimeError("the secret is 1234")

    response = TestClient(app, raise_server_exceptions=False).get("/")
    assert response.status_code == 500
    assert "1234" not in response.text


def test_an_unknown_address_is_a_problem() -> None:
    app = FastAPI()
    problems.install(app)
    response = TestClient(app).get("/không có")
    assert response.status_code == 404
    assert response.headers["content-type"] == problems.MEDIA_TYPE
    assert response.json()["detail"] == "there is nothing at /không có"


def test_a_method_that_an_address_does_not_take_is_named() -> None:
    app = FastAPI()
    problems.install(app)
    app.add_api_route("/ask", lambda: None, methods=["POST"])
    response = TestClient(app).put("/ask")
    assert response.status_code == 405
    assert response.json()["detail"] == "/ask takes no requests with the method PUT"
