"""Loading the cross-encoder's weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from anaphora.crossencoder.model import CARD, SHIPPED, CrossEncoder
from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import shared_backbone


def test_weights_of_another_version_are_named_in_one_sentence(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED, tmp_path / "weights")
    card = json.loads((folder / CARD).read_text("utf-8"))
    (folder / CARD).write_text(json.dumps(card | {"support": card["support"][:3]}), "utf-8")
    with pytest.raises(ModelUnavailable, match="are of another version; train them again"):
        CrossEncoder(shared_backbone(), folder)
