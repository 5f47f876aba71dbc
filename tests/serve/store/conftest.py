from __future__ import annotations

from collections.abc import Iterator

import pytest

from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.database import Database


@pytest.fixture
def database(tmp_path) -> Iterator[Database]:
    database = Database(tmp_path / "store")
    yield database
    database.close()


@pytest.fixture
def conversations(database) -> Conversations:
    return Conversations(database)
