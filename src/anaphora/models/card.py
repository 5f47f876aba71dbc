"""Model cards of trained weights: JSON files with settings and the checksums of the weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable


def read_card(path: Path, model: str) -> Mapping[str, Any]:
    """Returns the card, after a check of the files that it lists.

    Args:
        model: the model's name in `anaphora train`.

    Raises:
        ModelUnavailable: the card or a file is missing, or a checksum differs.
    """
    try:
        card: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        for name, digest in card["sha256"].items():
            if checksum(path.with_name(name)) != digest:
                raise _damaged(path.with_name(name), model)
    except FileNotFoundError as error:
        raise ModelUnavailable(
            f"there are no weights of the {model} in {path.parent}: name another folder, install "
            f"anaphora again, or train them with `anaphora train {model}`"
        ) from error
    except (OSError, ValueError, KeyError) as error:
        raise _damaged(path.parent, model) from error
    return card


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _damaged(path: Path, model: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"the {model}'s weights in {path} are damaged: install anaphora again, or train them "
        f"with `anaphora train {model}`"
    )
