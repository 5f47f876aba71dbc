"""The card beside trained weights: a JSON file with what goes with them and their checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable


def read_card(path: Path, model: str) -> Mapping[str, Any]:
    """The card, when the files it names are those that were written with it.

    Args:
        model: what `anaphora train` calls the model.

    Raises:
        ModelUnavailable: the card or a file is missing or not the one that was written.
    """
    try:
        card: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        for name, digest in card["sha256"].items():
            if checksum(path.with_name(name)) != digest:
                raise _damaged(path.with_name(name), model)
    except (OSError, ValueError, KeyError) as error:
        raise _damaged(path.parent, model) from error
    return card


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _damaged(path: Path, model: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"the {model}'s weights in {path} are not whole: install anaphora again, or train them "
        f"with `anaphora train {model}`"
    )
