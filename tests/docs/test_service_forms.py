"""The JSON forms of the service are as docs/json.md and the OpenAPI document say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.json_forms import FORMS, TYPES, shape

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient
from pydantic import BaseModel

from anaphora.config import Config
from anaphora.ingest.update import update
from anaphora.serve.api import conversations, documents, feedback
from anaphora.serve.app import create_app
from anaphora.serve.forms import IndexesForm
from anaphora.serve.indexes import DEFAULT
from anaphora.serve.running import build_services
from anaphora.serve.settings import ServeSettings
from tools.pages import table

PAGE = "# 灯塔\n\n- 灯塔建于1887年，漆成红色。\n- Маяк построен в 1887 году.\n"


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A response of each route, of a server where one question was asked and a file uploaded."""
    folder = tmp_path_factory.mktemp("forms")
    (folder / "docs").mkdir()
    (folder / "docs" / "灯塔.md").write_text(PAGE, "utf-8")
    update(folder / "index", [folder / "docs"], None)
    settings = ServeSettings(port=0, folder=folder / "data")
    config = Config.of({"rerank": {"method": "none"}})
    services = build_services(settings, {"harbour": folder / "index"}, {DEFAULT: config})
    with TestClient(create_app(services), base_url="http://127.0.0.1") as client:
        client.get("/start", params={"token": services.sessions.start_token()})
        yield asked(client)
    services.close()


def asked(client: TestClient) -> dict[str, Any]:
    def get(path: str) -> Any:
        response = client.get(f"/api/v1/{path}")
        assert response.status_code == 200, response.text
        return response.json()

    answer = client.post("/api/v1/ask", json={"question": "灯塔建于哪一年？"}).json()
    judged = {"conversation": answer["conversation"], "turn": answer["turn"], "verdict": "right"}
    client.post("/api/v1/feedback", json=judged)
    client.post(f"/api/v1/conversations/{answer['conversation']}/share")
    files = {"files": ("hải đăng.txt", "Ngọn hải đăng được xây năm 1887.".encode())}
    job = client.post("/api/v1/indexes/harbour/documents", files=files).json()["job"]
    events = client.get(f"/api/v1/jobs/{job}", headers={"Accept": "text/event-stream"})
    assert events.status_code == 200
    listed = get("indexes/harbour/documents")
    return {
        "indexes": get("indexes"),
        "conversations": get(f"conversations/{answer['conversation']}"),
        "feedback": get("feedback"),
        "documents": listed,
        "sources": get(f"indexes/harbour/document?doc_id={listed['documents'][0]['doc_id']}"),
        "jobs": get(f"jobs/{job}"),
        "list": get("conversations"),
        "share": get(f"shared/{get('conversations/' + answer['conversation'])['shared'][3:]}"),
        "export": get(f"conversations/{answer['conversation']}/export"),
    }


@pytest.mark.parametrize(
    "name", ["indexes", "conversations", "feedback", "documents", "sources", "jobs"]
)
def test_a_response_has_the_documented_fields(forms: dict[str, Any], name: str) -> None:
    documented = table(FORMS, f"Service: {name}")
    sent = [
        (field, value)
        for field, value in shape(forms[name])
        if not field.startswith("turns[].answer.")
    ]
    assert list(dict.fromkeys(field for field, _ in sent)) == list(documented)
    for field, value in sent:
        assert isinstance(value, TYPES[documented[field][0]]), (field, value)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("indexes", IndexesForm),
        ("conversations", conversations.OwnConversationForm),
        ("list", conversations.ConversationsForm),
        ("share", conversations.SharedConversationForm),
        ("export", conversations.ExportForm),
        ("feedback", feedback.JudgementsForm),
        ("documents", documents.DocumentsForm),
        ("sources", documents.SourceForm),
        ("jobs", documents.JobForm),
    ],
)
def test_a_response_has_the_fields_of_its_form(
    forms: dict[str, Any], name: str, form: type[BaseModel]
) -> None:
    found = form.model_validate(forms[name])
    assert found.model_dump(mode="json", exclude_unset=True) == forms[name]
