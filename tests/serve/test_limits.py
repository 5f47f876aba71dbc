"""The size of requests."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi.testclient import TestClient

JSON = {"Content-Type": "application/json"}
CHUNK = "字".encode() * 10_000


def test_a_large_body_is_refused(client: TestClient) -> None:
    body = b'{"question": "' + CHUNK * 40 + b'"}'
    response = client.post("/api/v1/ask", content=body, headers=JSON)
    assert response.status_code == 413
    assert "larger than 1000000 bytes" in response.json()["detail"]


def test_a_large_body_without_a_length_is_refused(client: TestClient) -> None:
    sent = 0

    def chunks() -> Iterator[bytes]:
        nonlocal sent
        yield b'{"question": "'
        for _ in range(40):
            sent += len(CHUNK)
            yield CHUNK

    response = client.post("/api/v1/ask", content=chunks(), headers=JSON)
    assert response.status_code == 413
    assert response.headers["content-type"] == "application/problem+json"
    assert sent == 40 * len(CHUNK)


def test_a_length_that_is_no_number_is_no_error(client: TestClient) -> None:
    for length in ("²", "-1", "9" * 400):
        headers = [(b"Content-Type", b"application/json"), (b"Content-Length", length.encode())]
        response = client.post("/api/v1/ask", content=b"{}", headers=headers)
        assert response.status_code in (413, 422)
