"""What a training says, as lines of JSON in a file and on the screen."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any


class Log:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._began = time.time()

    def __call__(self, event: str, **values: Any) -> None:
        record = {"event": event, "at": round(time.time() - self._began), **values}
        line = json.dumps(record, ensure_ascii=False)
        print(line, flush=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def progress(self, done: int, total: int) -> None:
        if done % 5120 == 0 or done == total:
            self("mined", done=done, of=total)
