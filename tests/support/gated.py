"""Parts that wait until a test lets them go on, so that it can act in the middle of a turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.records import Conversation, Rewrite

BEGUN = threading.Event()
OPEN = threading.Event()


def close() -> None:
    BEGUN.clear()
    OPEN.clear()


@dataclass(frozen=True)
class GatedRewriter:
    """Leaves questions as they are, once the file exists; without a name, once `OPEN` is set."""

    file: str = ""

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        BEGUN.set()
        if self.file:
            while not Path(self.file).exists():
                time.sleep(0.01)
        else:
            assert OPEN.wait(60)
        return [Rewrite(one.question.text, one.lang) for one in conversations]
