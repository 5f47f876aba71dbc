"""The steps of `bench.turn` that need Anaphora's library; each runs in a process of its own.

python -m bench.turn_worker index|turns '{"settings": …}'
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.engines.run import memory

FloatArray = npt.NDArray[np.floating[Any]]
NOISE = 0.05


class ResampledEncoder:
    """Stands in for the encoder of passages: vectors of a small set, drawn again with noise."""

    def __init__(self, name: str, pool: FloatArray) -> None:
        self.name = name
        self._pool = pool
        self._random = np.random.default_rng(20)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] = lambda _: None
    ) -> FloatArray:
        drawn = self._pool[self._random.integers(len(self._pool), size=len(texts))]
        # Per coordinate, so that the noise as a whole has the length NOISE.
        spread = NOISE / np.sqrt(drawn.shape[1])
        vectors = drawn + self._random.normal(0, spread, drawn.shape)
        progress(len(texts))
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self.encode_passages(texts)


def index(settings: dict[str, Any]) -> dict[str, Any]:
    """Index the large set with resampled vectors."""
    from anaphora.assistant import Assistant
    from anaphora.ingest.update import update

    encoder = Assistant(Path(settings["small"])).encoder
    if encoder is None:
        raise SystemExit("the small index has no vectors")
    texts = []
    with Path(settings["corpus"]).open(encoding="utf-8") as lines:
        for line, _ in zip(lines, range(500), strict=False):
            texts.append(json.loads(line)["text"])
    pool = np.asarray(encoder.encode_passages(texts), dtype=np.float32)
    target = Path(settings["index"])
    shutil.rmtree(target, ignore_errors=True)
    start = time.perf_counter()
    stand_in: Any = ResampledEncoder(encoder.name, pool)
    report = update(target, [Path(settings["corpus"])], stand_in)
    return {"passages": report.passages, "seconds": time.perf_counter() - start}


def turns(settings: dict[str, Any]) -> dict[str, Any]:
    """Answer the conversations one after the other; the first ones only warm up."""
    from anaphora.assistant import Assistant
    from anaphora.evaluate.systems import parse_system
    from anaphora.index import open_index
    from anaphora.records import Conversation, Turn

    config = parse_system(settings["pipeline"]).config
    assistant = Assistant(open_index(Path(settings["index"])), config).pipeline
    conversations = [
        Conversation(tuple(Turn("user", text) for text in texts))
        for texts in settings["conversations"]
    ]
    for conversation in conversations[:5]:
        assistant.answer(conversation)
    timings = [assistant.answer(conversation).trace.timings for conversation in conversations]
    return {"timings": timings, "memory": memory()}


def main() -> None:
    command, settings = sys.argv[1:]
    step = {"index": index, "turns": turns}[command]
    print(json.dumps(step(json.loads(settings))))


if __name__ == "__main__":
    main()
